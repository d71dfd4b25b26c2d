// Growth with a toy splitter that halves nodes, so that every tree is known beforehand.
#include "grow/tree_grower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "coppice/model.h"
#include "grow/test_growth.h"

namespace coppice {
namespace {

TEST(TreeGrower, GrowsUntilNodesHaveOneRow) {
  const CountingColumn column = counting_column(4);
  TreeGrower grower(column.columns, all_inside(4), {}, RandomStream(1));
  const Team team;
  grower.grow_fully(team.splitters, {});
  EXPECT_TRUE(grower.finished());
  EXPECT_EQ(grower.depth(), 2u);
  grower.fit_new_leaves(CountLeaf());
  const TreeArrays tree = grower.standing().arrays;
  // Pre-order: root at 2, left at 1, right at 3.
  EXPECT_EQ(tree.right, (std::vector<std::uint32_t>{2, 2, 3}));
  EXPECT_EQ(tree.payload, (std::vector<float>{1, 1, 1, 1}));
  EXPECT_EQ(tree.code[0] & SplitCode::kRightIsLeaf, 0u);
  EXPECT_EQ(tree.code[1] & SplitCode::kRightIsLeaf, SplitCode::kRightIsLeaf);
}

TEST(TreeGrower, OrderOfGrowthChangesWhenNodesAreSeenButNotTheirStreams) {
  const CountingColumn column = counting_column(8);
  const Team depth_team, breadth_team;
  const HalvingSplitter &depth_first = depth_team.first, &breadth_first = breadth_team.first;
  GrowthOptions options;
  TreeGrower(column.columns, all_inside(8), options, RandomStream(1))
      .grow_fully(depth_team.splitters, {});
  options.order = GrowthOrder::breadth_first;
  TreeGrower(column.columns, all_inside(8), options, RandomStream(1))
      .grow_fully(breadth_team.splitters, {});
  EXPECT_NE(depth_first.nodes, breadth_first.nodes);
  ASSERT_EQ(depth_first.nodes.size(), breadth_first.nodes.size());
  for (std::size_t i = 0; i < depth_first.nodes.size(); ++i) {
    const auto same =
        std::find(breadth_first.nodes.begin(), breadth_first.nodes.end(), depth_first.nodes[i]);
    ASSERT_NE(same, breadth_first.nodes.end());
    EXPECT_EQ(depth_first.keys[i],
              breadth_first.keys[static_cast<std::size_t>(same - breadth_first.nodes.begin())]);
  }
}

TEST(TreeGrower, LevelsGrowOneByOneAndLeavesInherit) {
  const CountingColumn column = counting_column(4);
  TreeGrower grower(column.columns, all_inside(4), {}, RandomStream(1));
  HalvingSplitter splitter;
  grower.grow_one_level(splitter, {});
  EXPECT_EQ(splitter.nodes.size(), 1u);
  EXPECT_FALSE(grower.finished());
  grower.fit_new_leaves(CountLeaf());
  EXPECT_EQ(grower.standing().arrays.payload, (std::vector<float>{2, 2}));
  grower.grow_one_level(splitter, {});
  grower.fit_new_leaves(CountLeaf());
  EXPECT_EQ(grower.standing().arrays.payload, (std::vector<float>{3, 3, 3, 3}));  // 1 + inherited 2
  EXPECT_EQ(splitter.trees, (std::vector<std::size_t>{4, 4}));
  grower.grow_one_level(splitter, {});
  EXPECT_TRUE(grower.finished());
}

TEST(TreeGrower, LimitsStopGrowth) {
  const CountingColumn column = counting_column(16);
  const auto leaves = [&](const GrowthOptions& options) {
    TreeGrower grower(column.columns, all_inside(16), options, RandomStream(1));
    const Team team;
    grower.grow_fully(team.splitters, {});
    grower.fit_new_leaves(CountLeaf());
    return grower.standing().arrays.support.size();
  };
  GrowthOptions options;
  EXPECT_EQ(leaves(options), 16u);
  options.max_depth = 0;
  EXPECT_EQ(leaves(options), 1u);
  options.max_depth = 3;
  EXPECT_EQ(leaves(options), 8u);
  options.max_depth.reset();
  options.min_impurity_decrease = 0.5;  // the toy gain of a node is its size, the root's weight 16
  EXPECT_EQ(leaves(options), 4u);
}

TEST(TreeGrower, CarriesRowsOutsideTheBagAlong) {
  const CountingColumn column = counting_column(6);
  Bag bag;
  bag.inside = {0, 2, 4, 5};
  bag.outside = {1, 3};
  bag.draws = {1, 0, 1, 0, 1, 1};
  GrowthOptions options;
  options.max_depth = 1;
  TreeGrower grower(column.columns, std::move(bag), options, RandomStream(1));
  const Team team;  // cuts at 4, between rows 2 and 4
  grower.grow_fully(team.splitters, {});
  grower.fit_new_leaves(CountLeaf());
  LeafIds ids(6, 1);
  grower.write_leaf_ids(ids, 0);
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(ids.leaf(0, row), row < 4 ? 0u : 1u);
    EXPECT_EQ(ids.out_of_bag(0, row), row == 1 || row == 3);
  }
  std::vector<float> sums(6, 10);
  std::vector<std::uint32_t> votes(6);
  grower.add_votes(TreeGrower::Voters::all, {0, 6, sums, votes, 0.5f});
  EXPECT_EQ(sums, (std::vector<float>{11, 11, 11, 11, 11, 11}));
  EXPECT_EQ(votes, std::vector<std::uint32_t>(6, 1));
  grower.add_votes(TreeGrower::Voters::all,
                   {2, 5, std::span(sums).subspan(2, 3), std::span(votes).subspan(2), 0.5f, true});
  EXPECT_EQ(sums, (std::vector<float>{11, 11, 11, 12, 11, 11}));
  EXPECT_EQ(votes, (std::vector<std::uint32_t>{1, 1, 1, 2, 1, 1}));
}

TEST(TreeGrower, KeepsTheGainsOfSplitsInPreOrder) {
  const CountingColumn column = counting_column(4);
  TreeGrower grower(column.columns, all_inside(4), {}, RandomStream(1));
  const Team team;
  grower.grow_fully(team.splitters, {});
  grower.fit_new_leaves(CountLeaf());
  EXPECT_EQ(grower.standing().split_gains, (std::vector<double>{4, 2, 2}));
}

TEST(TreeGrower, StopsWhenCancelled) {
  const CountingColumn column = counting_column(64);
  TreeGrower grower(column.columns, all_inside(64), {}, RandomStream(1));
  const Team team;
  grower.grow_fully(team.splitters, [&] { return team.first.nodes.size() >= 5; });
  EXPECT_EQ(team.first.nodes.size(), 5u);
  EXPECT_FALSE(grower.finished());
}

// By row: how many rows its leaf has.
std::vector<float> leaf_sizes(TreeGrower& grower) {
  grower.fit_new_leaves(CountLeaf());
  std::vector<float> sums(64);
  std::vector<std::uint32_t> votes(64);
  grower.add_votes(TreeGrower::Voters::all, {0, 64, sums, votes});
  return sums;
}

// Copies of 32 and, inside, of 8 rows: released in reverse order, and each with its own rows.
TEST(TreeGrower, CopiedRowsAreReleasedWhenTheirSubtreeIsFinished) {
  const CountingColumn column = counting_column(64);
  TreeGrower grower(column.columns, all_inside(64), {}, RandomStream(1));
  const Team team({32, 8});
  grower.grow_fully(team.splitters, {});
  EXPECT_TRUE(grower.finished());
  EXPECT_EQ(team.first.copied, 2u + 8u);
  EXPECT_EQ(team.first.unreleased(), 0u);
  EXPECT_EQ(leaf_sizes(grower), std::vector<float>(64, 1));
}

// A copy of a node that becomes a leaf at once must not live on either.
TEST(TreeGrower, CopiesOfLeavesAreReleased) {
  const CountingColumn column = counting_column(64);
  GrowthOptions options;
  options.min_impurity_decrease = 9.0 / 64;  // the toy gain of a node is its size
  TreeGrower grower(column.columns, all_inside(64), options, RandomStream(1));
  const Team team({64, 8});
  grower.grow_fully(team.splitters, {});
  EXPECT_EQ(team.first.copied, 1u + 8u);
  EXPECT_EQ(team.first.unreleased(), 0u);
  EXPECT_EQ(leaf_sizes(grower), std::vector<float>(64, 8));
}

TEST(TreeGrower, GrowsOnFromWhereItWasCancelled) {
  const CountingColumn column = counting_column(64);
  for (std::size_t seen = 0; seen < 63; ++seen) {
    TreeGrower grower(column.columns, all_inside(64), {}, RandomStream(1));
    const Team team({32, 8});
    grower.grow_fully(team.splitters, [&] { return team.first.nodes.size() >= seen; });
    EXPECT_EQ(team.first.unreleased(), 0u);
    EXPECT_FALSE(grower.finished());
    grower.grow_fully(team.splitters, {});
    EXPECT_TRUE(grower.finished());
    EXPECT_EQ(team.first.nodes.size(), 63u);
    EXPECT_EQ(leaf_sizes(grower), std::vector<float>(64, 1)) << "after " << seen;
  }
}

TEST(TreeGrower, BreadthFirstCopiesNothing) {
  const CountingColumn column = counting_column(64);
  GrowthOptions options;
  options.order = GrowthOrder::breadth_first;
  const Team team({32, 8});
  TreeGrower(column.columns, all_inside(64), options, RandomStream(1))
      .grow_fully(team.splitters, {});
  EXPECT_EQ(team.first.nodes.size(), 63u);
  EXPECT_EQ(team.first.copied, 0u);
}

TEST(TreeGrower, TeamsGrowTheSameTree) {
  const CountingColumn column = counting_column(20'000);
  std::vector<TreeArrays> trees;
  for (const std::size_t size : {1, 2, 3, 8}) {
    TreeGrower grower(column.columns, all_inside(20'000), {}, RandomStream(1));
    const Team team({}, size);
    grower.grow_fully(team.splitters, {});
    EXPECT_TRUE(grower.finished());
    EXPECT_EQ(grower.depth(), 15u);
    grower.fit_new_leaves(CountLeaf());
    trees.push_back(grower.standing().arrays);
    EXPECT_EQ(trees.back().right, trees.front().right);
    EXPECT_EQ(trees.back().threshold, trees.front().threshold);
    EXPECT_EQ(trees.back().support, trees.front().support);
  }
}

}  // namespace
}  // namespace coppice
