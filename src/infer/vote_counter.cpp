#include "infer/vote_counter.h"

#include <algorithm>

#include "infer/dense_votes.h"
#include "infer/linear_groups.h"

namespace coppice {
namespace {

constexpr std::size_t kFewOutputs = 4;

// Payloads lie anywhere: those of rows to come are fetched meanwhile.
void fetch_ahead(const float* payload, std::size_t size, std::span<const std::uint32_t> rows,
                 std::size_t row) {
  constexpr std::size_t kAhead = 16;
  const float* next = payload + std::size_t{rows[std::min(row + kAhead, rows.size() - 1)]} * size;
  __builtin_prefetch(next);
  __builtin_prefetch(next + size - 1);
}

template <class Index>
void look_up(std::span<const Index> payload_row, std::span<std::uint32_t> leaves) {
  for (std::uint32_t& leaf : leaves) leaf = payload_row[leaf];
}

}  // namespace

VoteCounter::VoteCounter(const Forest& forest)
    : arrays_(forest.arrays()), rule_(forest), outputs_(rule_.outputs()) {
  if (!rule_.classes() || rule_.ensemble() == Ensemble::sum) return;
  if (rule_.ensemble() == Ensemble::mean) {
    find_pure_rows();
  } else {
    weigh_histograms();
  }
}

void VoteCounter::weigh_histograms() {
  weighed_.resize(arrays_.payload.size());
  for (std::size_t at = 0; at < weighed_.size(); at += outputs_)
    rule_.weigh_classes(arrays_.payload.subspan(at, outputs_),
                        std::span(weighed_).subspan(at, outputs_));
}

void VoteCounter::find_pure_rows() {
  const std::size_t rows = arrays_.payload.size() / arrays_.payload_size;
  pure_class_.assign(rows, kMixed);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto payload = arrays_.payload.subspan(row * outputs_, outputs_);
    const auto zeros = std::count(payload.begin(), payload.end(), 0.0f);
    const auto one = std::find(payload.begin(), payload.end(), 1.0f);
    if (one != payload.end() && static_cast<std::size_t>(zeros) + 1 == outputs_)
      pure_class_[row] = static_cast<std::uint32_t>(one - payload.begin());
  }
  std::size_t pure = 0;
  for (std::size_t leaf = 0; leaf < arrays_.leaves(); ++leaf)
    pure += pure_class_[arrays_.payload_row[leaf]] != kMixed;
  if (2 * pure < arrays_.leaves()) pure_class_ = {};
}

void VoteCounter::to_payload_rows(std::size_t tree, std::span<std::uint32_t> leaves) const {
  const std::size_t first = arrays_.first_leaf(tree);
  const PayloadIndex& index = arrays_.payload_row;
  if (!index.narrow.empty()) return look_up(index.narrow.subspan(first), leaves);
  if (!index.medium.empty()) return look_up(index.medium.subspan(first), leaves);
  if (!index.wide.empty()) return look_up(index.wide.subspan(first), leaves);
  for (std::uint32_t& leaf : leaves) leaf += static_cast<std::uint32_t>(first);
}

void VoteCounter::count(const LeafBatch& batch, const RowSource& source, std::size_t first,
                        const VoteSums& sums) const {
  if (rule_.layout().linear()) return count_linear(batch, source, first, sums);
  for (std::size_t tree = 0; tree < batch.trees; ++tree)
    to_payload_rows(batch.first_tree + tree, batch.of_tree(tree));
  if (!pure_class_.empty()) return count_pure(batch, sums.sums);
  const bool squared = !rule_.classes();
  if (squared && rule_.ensemble() != Ensemble::mean) {
    for (std::size_t tree = 0; tree < batch.trees; ++tree)
      count_by_rule(batch.of_tree(tree), source, first, sums);
    return;
  }
  // Few sums of many rows are not worth keeping in registers: payloads of one tree lie nearer to
  // each other.
  const bool tree_by_tree = outputs_ < kFewOutputs && batch.rows > 1;
  const std::size_t together = tree_by_tree ? 1 : batch.trees;
  for (std::size_t tree = 0; tree < batch.trees; tree += together)
    add_dense({.payload = weighed_.empty() ? arrays_.payload.data() : weighed_.data(),
               .stride = arrays_.payload_size,
               .outputs = outputs_,
               .rows = batch.leaves + tree * batch.rows,
               .count = batch.rows,
               .trees = together},
              sums.sums, sums.squares);
}

void VoteCounter::count_by_rule(std::span<const std::uint32_t> payload_rows,
                                const RowSource& source, std::size_t first,
                                const VoteSums& sums) const {
  for (std::size_t row = 0; row < payload_rows.size(); ++row) {
    fetch_ahead(arrays_.payload.data(), arrays_.payload_size, payload_rows, row);
    rule_.add(
        {payload_row(payload_rows[row]), arrays_.payload_size},
        [&](std::uint32_t feature) { return source.value(feature, first + row); },
        sums.of_row(row, outputs_));
  }
}

void VoteCounter::count_linear(const LeafBatch& batch, const RowSource& source, std::size_t first,
                               const VoteSums& sums) const {
  LinearGroups groups(rule_);
  for (std::size_t tree = 0; tree < batch.trees; ++tree) {
    const std::size_t first_leaf = arrays_.first_leaf(batch.first_tree + tree);
    const std::size_t leaves = arrays_.first_leaf(batch.first_tree + tree + 1) - first_leaf;
    if (LinearGroups::pay(batch.rows, leaves)) {
      const auto payload_of = [&](std::size_t leaf) {
        return arrays_.payload_of(first_leaf + leaf).data();
      };
      groups.count(batch.of_tree(tree), leaves, payload_of, source, first, sums);
    } else {
      to_payload_rows(batch.first_tree + tree, batch.of_tree(tree));
      count_by_rule(batch.of_tree(tree), source, first, sums);
    }
  }
}

void VoteCounter::count_pure(const LeafBatch& batch, double* sums) const {
  for (std::size_t row = 0; row < batch.rows; ++row, sums += outputs_) {
    for (std::size_t tree = 0; tree < batch.trees; ++tree) {
      const std::uint32_t payload_row = batch.leaves[tree * batch.rows + row];
      const std::uint32_t pure = pure_class_[payload_row];
      if (pure != kMixed) {
        sums[pure] += 1;
        continue;
      }
      const float* payload = arrays_.payload.data() + std::size_t{payload_row} * outputs_;
      for (std::size_t k = 0; k < outputs_; ++k) sums[k] += static_cast<double>(payload[k]);
    }
  }
}

void VoteCounter::read_out(std::size_t rows, const VoteSums& sums) const {
  for (std::size_t row = 0; row < rows; ++row)
    rule_.read_out(arrays_.trees(), sums.of_row(row, outputs_));
}

}  // namespace coppice
