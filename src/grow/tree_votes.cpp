// What a tree says of rows between stages, leaf by leaf. Leaves hold their rows in ascending order,
// since bags are sorted and partitions stable.
#include <algorithm>
#include <array>

#include "base/wide_loops.h"
#include "grow/tree_grower.h"

namespace coppice {
namespace {

// Those in [first, last).
std::span<const SampleId> rows_between(std::span<const SampleId> rows, std::size_t first,
                                       std::size_t last) {
  if (rows.empty() || (rows.front() >= first && rows.back() < last)) return rows;
  const auto begin = std::lower_bound(rows.begin(), rows.end(), first);
  return {begin, std::lower_bound(begin, rows.end(), last)};
}

// Of many outputs most leaves say 0: what they say of the others.
struct FewVotes {
  static constexpr std::size_t kMost = 4;

  // False if there are more of them.
  bool take(std::span<const float> said, float scale) {
    std::uint32_t spoken = 0;
    for (const float value : said) spoken += value != 0;
    if (spoken > kMost) return false;
    for (std::size_t k = 0; count < spoken; ++k) {
      if (said[k] == 0) continue;
      outputs[count] = k;
      values[count++] = scale * said[k];
    }
    return true;
  }

  std::size_t count = 0;
  std::array<std::size_t, kMost> outputs;
  std::array<float, kMost> values;
};

// sums of each row += scale * said.
struct AddScaled {
  [[gnu::always_inline]] static void run(const SampleId* rows, std::size_t count, std::size_t first,
                                         const float* said, std::size_t size, float scale,
                                         float* all_sums) {
    for (std::size_t i = 0; i < count; ++i) {
      float* __restrict sums = all_sums + (rows[i] - first) * size;
      for (std::size_t k = 0; k < size; ++k) sums[k] += scale * said[k];
    }
  }
};

}  // namespace

void TreeGrower::add_votes(Voters voters, const Ballot& ballot) const {
  const auto leaf = [&](std::int32_t node) -> const Node& {
    return tree_.nodes[static_cast<std::size_t>(node)];
  };
  switch (voters) {
    case Voters::all:
      for (const Node& node : tree_.nodes)
        if (node.left == kNoNode) add_votes_of(node, ballot);
      break;
    case Voters::just_closed:
      for (const std::int32_t node : just_closed_) add_votes_of(leaf(node), ballot);
      break;
    case Voters::open:
      for (const OpenNode& open : tree_.open) add_votes_of(leaf(open.node), ballot);
      break;
  }
}

void TreeGrower::add_votes_of(const Node& leaf, const Ballot& ballot) const {
  const std::span<const float> payload = payloads_[leaf.payload];
  const auto rows_of = [&](const std::vector<SampleId>& all, const Range& range) {
    return rows_between(std::span(all).subspan(range.begin, range.end - range.begin), ballot.first,
                        ballot.last);
  };
  const std::array both{
      ballot.out_of_bag_only ? std::span<const SampleId>() : rows_of(inside_, leaf.inside),
      rows_of(outside_, leaf.outside)};
  const auto for_each_row = [&](auto&& visit) {
    for (const std::span<const SampleId> rows : both)
      for (const SampleId row : rows) visit(row);
  };
  const auto sums_of = [&](SampleId row) {
    return ballot.sums.data() + (row - ballot.first) * votes_size_;
  };
  if (!ballot.votes.empty())
    for_each_row([&](SampleId row) { ++ballot.votes[row - ballot.first]; });
  FewVotes few;
  if (voter_) {
    for_each_row([&](SampleId row) {
      voter_->add_vote(row, payload, ballot.scale, {sums_of(row), votes_size_});
    });
  } else if (few.take(payload.first(votes_size_), ballot.scale)) {
    for_each_row([&](SampleId row) {
      for (std::size_t n = 0; n < few.count; ++n) sums_of(row)[few.outputs[n]] += few.values[n];
    });
  } else {
    for (const std::span<const SampleId> rows : both)
      run_loop<AddScaled>(rows.data(), rows.size(), ballot.first, payload.data(), votes_size_,
                          ballot.scale, ballot.sums.data());
  }
}

}  // namespace coppice
