// Ranks by counting bits against ranks by sorting.
#include "split/code_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

std::vector<std::uint32_t> distinct_of(std::vector<std::uint32_t> codes) {
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

// One object for all: what an earlier, wider range left behind must not show.
TEST(CodeRanks, AreThoseOfSorting) {
  CodeRanks ranks;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomStream random(seed);
    const std::uint32_t range = 1 + random.below(random.below(2) == 0 ? 200 : 20'000);
    std::vector<std::uint32_t> codes(random.below(300));
    for (std::uint32_t& code : codes) code = random.below(range);
    if (random.below(4) == 0) codes.push_back(range - 1);
    ranks.clear(range);
    for (const std::uint32_t code : codes) ranks.words().mark(code);
    const std::vector<std::uint32_t> distinct = distinct_of(codes);
    ASSERT_EQ(ranks.count(), distinct.size());
    for (std::uint32_t rank = 0; rank < distinct.size(); ++rank)
      ASSERT_EQ(ranks.words().rank(distinct[rank]), rank) << "seed " << seed;
  }
}

TEST(CodeRanks, FullWordsAndTheirEdges) {
  CodeRanks ranks;
  for (const std::uint32_t range : {63u, 64u, 65u, 128u, 129u}) {
    ranks.clear(range);
    for (std::uint32_t code = 0; code < range; ++code) ranks.words().mark(code);
    EXPECT_EQ(ranks.count(), range);
    for (std::uint32_t code = 0; code < range; ++code) EXPECT_EQ(ranks.words().rank(code), code);
  }
}

TEST(CodeRanks, NothingMarkedIsNothingCounted) {
  CodeRanks ranks;
  ranks.clear(1000);
  ranks.words().mark(999);
  EXPECT_EQ(ranks.count(), 1u);
  ranks.clear(1000);
  EXPECT_EQ(ranks.count(), 0u);
}

}  // namespace
}  // namespace coppice
