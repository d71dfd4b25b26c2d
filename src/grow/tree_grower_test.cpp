// Growth with a toy splitter that halves nodes, so that every tree is known beforehand.
#include "grow/tree_grower.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "coppice/model.h"

namespace coppice {
namespace {

// One column of values 0 ... rows - 1.
CodedColumns counting_column(std::size_t rows) {
  Dataset data;
  data.rows = rows;
  data.schema.features = {{"x", FeatureKind::numeric}};
  data.columns = {std::vector<float>(rows)};
  std::iota(data.columns[0].begin(), data.columns[0].end(), 0.0f);
  return CodedColumns(data.view(), 0, 1);
}

Bag all_inside(std::size_t rows) {
  Bag bag;
  bag.inside.resize(rows);
  std::iota(bag.inside.begin(), bag.inside.end(), 0u);
  bag.draws.assign(rows, 1);
  return bag;
}

// Cuts a node of the counting column in the middle; remembers which nodes it saw.
class HalvingSplitter final : public NodeSplitter {
 public:
  void begin_tree(const NodeSamples& tree) override { trees.push_back(tree.rows.size()); }
  std::optional<ChosenSplit> best_split(const NodeSamples& node, RandomStream random) override {
    nodes.push_back({node.rows.front(), node.rows.size()});
    keys.push_back(random.child(9).next());
    ChosenSplit split;
    split.cut = node.rows.front() + static_cast<std::uint32_t>(node.rows.size() / 2);
    split.threshold = static_cast<float>(split.cut);
    split.gain = static_cast<double>(node.rows.size());
    split.node_weight = static_cast<double>(node.rows.size());
    return split;
  }

  struct Seen {
    SampleId first;
    std::size_t rows;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> nodes;
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> trees;
};

// The payload is the number of rows; an inherited payload is added to it.
class CountLeaf final : public LeafModel {
 public:
  std::size_t payload_size() const override { return 1; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override {
    payload[0] = static_cast<float>(leaf.rows.size()) + (inherited.empty() ? 0 : inherited[0]);
    return static_cast<float>(leaf.rows.size());
  }
};

TEST(TreeGrower, GrowsUntilNodesHaveOneRow) {
  const CodedColumns columns = counting_column(4);
  TreeGrower grower(columns, all_inside(4), {}, RandomStream(1));
  HalvingSplitter splitter;
  grower.grow_fully(splitter, {});
  EXPECT_TRUE(grower.finished());
  EXPECT_EQ(grower.depth(), 2u);
  grower.fit_new_leaves(CountLeaf());
  const TreeArrays tree = grower.arrays();
  // Pre-order: root at 2, left at 1, right at 3.
  EXPECT_EQ(tree.right, (std::vector<std::uint32_t>{2, 2, 3}));
  EXPECT_EQ(tree.payload, (std::vector<float>{1, 1, 1, 1}));
  EXPECT_EQ(tree.code[0] & SplitCode::kRightIsLeaf, 0u);
  EXPECT_EQ(tree.code[1] & SplitCode::kRightIsLeaf, SplitCode::kRightIsLeaf);
}

TEST(TreeGrower, OrderOfGrowthChangesWhenNodesAreSeenButNotTheirStreams) {
  const CodedColumns columns = counting_column(8);
  HalvingSplitter depth_first, breadth_first;
  GrowthOptions options;
  TreeGrower(columns, all_inside(8), options, RandomStream(1)).grow_fully(depth_first, {});
  options.order = GrowthOrder::breadth_first;
  TreeGrower(columns, all_inside(8), options, RandomStream(1)).grow_fully(breadth_first, {});
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
  const CodedColumns columns = counting_column(4);
  TreeGrower grower(columns, all_inside(4), {}, RandomStream(1));
  HalvingSplitter splitter;
  grower.grow_one_level(splitter, {});
  EXPECT_EQ(splitter.nodes.size(), 1u);
  EXPECT_FALSE(grower.finished());
  grower.fit_new_leaves(CountLeaf());
  EXPECT_EQ(grower.arrays().payload, (std::vector<float>{2, 2}));
  grower.grow_one_level(splitter, {});
  grower.fit_new_leaves(CountLeaf());
  EXPECT_EQ(grower.arrays().payload, (std::vector<float>{3, 3, 3, 3}));  // 1 + inherited 2
  EXPECT_EQ(splitter.trees, (std::vector<std::size_t>{4, 4}));
  grower.grow_one_level(splitter, {});
  EXPECT_TRUE(grower.finished());
}

TEST(TreeGrower, LimitsStopGrowth) {
  const CodedColumns columns = counting_column(16);
  const auto leaves = [&](const GrowthOptions& options) {
    TreeGrower grower(columns, all_inside(16), options, RandomStream(1));
    HalvingSplitter splitter;
    grower.grow_fully(splitter, {});
    grower.fit_new_leaves(CountLeaf());
    return grower.arrays().support.size();
  };
  GrowthOptions options;
  EXPECT_EQ(leaves(options), 16u);
  options.max_depth = 0;
  EXPECT_EQ(leaves(options), 1u);
  options.max_depth = 3;
  EXPECT_EQ(leaves(options), 8u);
  options.max_depth.reset();
  options.min_samples_split = 5;
  EXPECT_EQ(leaves(options), 4u);
  options.min_samples_split = 2;
  options.min_impurity_decrease = 0.5;  // the toy gain of a node is its size, the root's weight 16
  EXPECT_EQ(leaves(options), 4u);
}

TEST(TreeGrower, RowsDrawnTwiceCountTwice) {
  const CodedColumns columns = counting_column(2);
  GrowthOptions options;
  options.min_samples_split = 4;
  const auto split = [&](std::uint16_t draws) {
    Bag bag = all_inside(2);
    bag.draws.assign(2, draws);
    TreeGrower grower(columns, std::move(bag), options, RandomStream(1));
    HalvingSplitter splitter;
    grower.grow_fully(splitter, {});
    return grower.depth() > 0;
  };
  EXPECT_FALSE(split(1));
  EXPECT_TRUE(split(2));
}

TEST(TreeGrower, CarriesRowsOutsideTheBagAlong) {
  const CodedColumns columns = counting_column(6);
  Bag bag;
  bag.inside = {0, 2, 4, 5};
  bag.outside = {1, 3};
  bag.draws = {1, 0, 1, 0, 1, 1};
  GrowthOptions options;
  options.max_depth = 1;
  TreeGrower grower(columns, std::move(bag), options, RandomStream(1));
  HalvingSplitter splitter;  // cuts at 2
  grower.grow_fully(splitter, {});
  grower.fit_new_leaves(CountLeaf());
  LeafIds ids(6, 1);
  grower.write_leaf_ids(ids, 0);
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(ids.leaf(0, row), row < 2 ? 0u : 1u);
    EXPECT_EQ(ids.out_of_bag(0, row), row == 1 || row == 3);
  }
  std::vector<float> votes(6, 10);
  grower.add_votes(0.5f, votes);
  EXPECT_EQ(votes, (std::vector<float>{10.5f, 10.5f, 11.5f, 11.5f, 11.5f, 11.5f}));
}

TEST(TreeGrower, GainsAddUpByFeature) {
  const CodedColumns columns = counting_column(4);
  TreeGrower grower(columns, all_inside(4), {}, RandomStream(1));
  HalvingSplitter splitter;
  grower.grow_fully(splitter, {});
  std::vector<double> gains(1);
  grower.add_gains(gains);
  EXPECT_EQ(gains[0], 4 + 2 + 2);
}

TEST(TreeGrower, StopsWhenCancelled) {
  const CodedColumns columns = counting_column(64);
  TreeGrower grower(columns, all_inside(64), {}, RandomStream(1));
  HalvingSplitter splitter;
  grower.grow_fully(splitter, [&] { return splitter.nodes.size() >= 5; });
  EXPECT_EQ(splitter.nodes.size(), 5u);
  EXPECT_FALSE(grower.finished());
}

}  // namespace
}  // namespace coppice
