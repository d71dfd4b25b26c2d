// What leaves say of their rows, by the halving toy.
#include <gtest/gtest.h>

#include <vector>

#include "grow/test_growth.h"

namespace coppice {
namespace {

TEST(TreeVotes, VotesAreWhatTheLeafOfARowSaysOfAllOutputs) {
  constexpr std::size_t kRows = 64, kOutputs = SpreadLeaf::kOutputs;
  const CountingColumn column = counting_column(kRows);
  for (const std::uint32_t depth : {0u, 3u, 4u, 5u, 6u}) {
    GrowthOptions options;
    options.max_depth = depth;
    TreeGrower grower(column.columns, all_inside(kRows), options, RandomStream(1));
    const Team team;
    grower.grow_fully(team.splitters, {});
    grower.fit_new_leaves(SpreadLeaf());
    LeafIds ids(kRows, 1);
    grower.write_leaf_ids(ids, 0);
    std::vector<float> payloads;
    grower.append_payloads(payloads);
    for (const float factor : {1.0f, 3.0f}) {
      for (float& value : payloads) value *= factor;
      grower.replace_payloads(payloads);
      std::vector<float> sums(kRows * kOutputs, 1);
      std::vector<std::uint32_t> votes(kRows);
      grower.add_votes(TreeGrower::Voters::all, {0, kRows, sums, votes, 0.25f});
      for (std::size_t n = 0; n < sums.size(); ++n)
        ASSERT_EQ(sums[n],
                  1 + 0.25f * payloads[ids.leaf(0, n / kOutputs) * kOutputs + n % kOutputs]);
    }
  }
}

// 13 rows: leaves close at the third and at the fourth level, or at the last depth.
TEST(TreeVotes, LeavesVoteOpenUntilTheyHaveClosedOnce) {
  constexpr std::size_t kRows = 13;
  const CountingColumn column = counting_column(kRows);
  for (const std::uint32_t depth : {2u, 9u}) {
    GrowthOptions options;
    options.max_depth = depth;
    TreeGrower grower(column.columns, all_inside(kRows), options, RandomStream(1));
    HalvingSplitter splitter;
    std::vector<float> settled(kRows);
    for (int level = 0; level < 7; ++level) {
      grower.fit_new_leaves(CountLeaf());
      std::vector<float> all(kRows);
      std::vector<std::uint32_t> votes(kRows);
      grower.add_votes(TreeGrower::Voters::all, {0, kRows, all, votes});
      EXPECT_EQ(votes, std::vector<std::uint32_t>(kRows, 1));
      for (const std::size_t first : {0u, 5u}) {
        const std::size_t last = first == 0 ? 5 : kRows;
        const auto part = std::span(settled).subspan(first, last - first);
        grower.add_votes(TreeGrower::Voters::just_closed, {first, last, part, {}});
      }
      std::vector<float> sums = settled;
      grower.add_votes(TreeGrower::Voters::open, {0, kRows, sums, {}});
      EXPECT_EQ(sums, all) << level;
      grower.grow_one_level(splitter, {});
    }
    EXPECT_TRUE(grower.finished());
    EXPECT_GT(settled.front(), 0);
  }
}

}  // namespace
}  // namespace coppice
