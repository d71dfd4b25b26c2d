// Every way to sort the codes of a node against std::stable_sort.
#include "split/sorted_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

using Codes = std::vector<std::uint32_t>;

// A node as gather() describes it.
NodeCodes node_of(Codes codes, std::uint32_t missing_code) {
  Codes rows(codes.size());
  std::iota(rows.begin(), rows.end(), 0u);
  const CodeSpan span{.codes = codes.data(), .known = missing_code, .has_missing = true};
  NodeCodes node;
  node.gather(span, rows);
  return node;
}

Codes stably_sorted(const NodeCodes& node) {
  Codes order;
  for (std::uint32_t i = 0; i < node.rows(); ++i)
    if (node.codes[i] != node.missing_code) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return node.codes[a] < node.codes[b]; });
  return order;
}

// Codes of a node, and how they must be sorted.
struct SortCase {
  const char* name;
  std::uint32_t rows;
  std::uint32_t least, range;  // codes lie in [least, least + range)
  bool distinct;
  bool by_rank;
};

Codes draw_codes(const SortCase& drawn, RandomStream& random) {
  Codes codes(drawn.rows);
  if (drawn.distinct) {
    std::set<std::uint32_t> chosen;
    while (chosen.size() < drawn.rows) chosen.insert(random.below(drawn.range));
    std::copy(chosen.begin(), chosen.end(), codes.begin());
    for (std::uint32_t i = drawn.rows; i > 1; --i) std::swap(codes[i - 1], codes[random.below(i)]);
  } else {
    for (std::uint32_t& code : codes) code = random.below(drawn.range);
  }
  for (std::uint32_t& code : codes) code += drawn.least;
  return codes;
}

class SortingOfCodes : public testing::TestWithParam<SortCase> {
 protected:
  void expect_sorted(const NodeCodes& node) {
    ASSERT_EQ(CodeRanks::pays(node.range(), node.known_rows()), GetParam().by_rank);
    sorted_.sort(node);
    EXPECT_EQ(Codes(sorted_.order().begin(), sorted_.order().end()), stably_sorted(node));
  }

  SortedCodes sorted_;
};

TEST_P(SortingOfCodes, IsStable) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    expect_sorted(node_of(draw_codes(GetParam(), random), UINT32_MAX));
    if (HasFailure()) return;
  }
}

TEST_P(SortingOfCodes, LeavesOutWhatIsMissing) {
  const std::uint32_t missing = GetParam().least + GetParam().range;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    Codes codes = draw_codes(GetParam(), random);
    const std::size_t holes = codes.size() / 4;
    for (std::size_t i = 0; i < holes; ++i)
      codes.insert(codes.begin() + random.below(static_cast<std::uint32_t>(codes.size())), missing);
    expect_sorted(node_of(codes, missing));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Paths, SortingOfCodes,
    testing::Values(SortCase{"ranks", 300, 0, 4000, true, true},
                    SortCase{"ranks_of_a_high_range", 100, 4'000'000'000, 5000, true, true},
                    SortCase{"ranks_with_ties", 300, 17, 100, false, true},
                    SortCase{"ranks_with_few_ties", 300, 17, 40'000, false, true},
                    SortCase{"counts", 65, 9, 200, false, true},
                    SortCase{"pairs", 64, 4'000'000'000, 511, false, true},
                    SortCase{"pairs_of_few", 3, 7, 2, false, true},
                    SortCase{"one_more_than_pairs_have_room_for", 64, 0, 512, true, true},
                    SortCase{"one_code", 50, 3, 1, false, true},
                    SortCase{"insertion", 20, 5, 30'000'000, true, false},
                    SortCase{"radix", 200, 1'000'000, 90'000'000, true, false},
                    SortCase{"radix_of_all_bits", 500, 0, 4'294'967'290, false, false}),
    [](const auto& tested) { return std::string(tested.param.name); });

// Few rows that share codes, far apart: these are sorted by keys that hold the position too.
TEST(SortedCodes, EqualCodesKeepTheirOrderInWideRanges) {
  SortedCodes sorted;
  for (const std::size_t rows : {20, 200}) {
    Codes codes(rows);
    for (std::size_t i = 0; i < rows; ++i)
      codes[i] = static_cast<std::uint32_t>(i * 7 % 5 * 600'000'000);
    const NodeCodes node = node_of(codes, UINT32_MAX);
    ASSERT_FALSE(CodeRanks::pays(node.range(), rows));
    sorted.sort(node);
    EXPECT_EQ(Codes(sorted.order().begin(), sorted.order().end()), stably_sorted(node));
  }
}

// A smaller node after a larger one must not see its rows.
TEST(SortedCodes, BuffersAreReused) {
  SortedCodes sorted;
  for (const std::uint32_t rows : {1000u, 3u, 40u, 1u, 500u})
    for (const std::uint32_t range : {5u, 500'000'000u}) {
      RandomStream random(rows);
      const NodeCodes node =
          node_of(draw_codes({"", rows, 0, range, false, false}, random), UINT32_MAX);
      sorted.sort(node);
      EXPECT_EQ(Codes(sorted.order().begin(), sorted.order().end()), stably_sorted(node));
    }
}

}  // namespace
}  // namespace coppice
