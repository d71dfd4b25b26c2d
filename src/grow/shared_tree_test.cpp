// One tree of real splits, grown by one thread or several, with copies of rows or without, in one
// go or with a break: always the same tree, and no row is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "grow/tree_grower.h"
#include "objective/class_impurity.h"
#include "split/axis_aligned.h"
#include "split/split_search.h"

namespace coppice {

extern template class SplitSearch<GiniImpurity>;

namespace {

constexpr std::size_t kRows = 30'000;
constexpr std::uint32_t kFeatures = 5, kClasses = 3;

Dataset draw_data() {
  Dataset data;
  data.rows = kRows;
  RandomStream random(1);
  for (std::uint32_t f = 0; f < kFeatures; ++f) {
    Feature feature{std::to_string(f), FeatureKind::numeric};
    const bool categories = f == 3;
    if (categories) feature.kind = FeatureKind::categorical;
    for (int c = 0; categories && c < 20; ++c) feature.categories.push_back(std::to_string(c));
    data.schema.features.push_back(feature);
    data.columns.emplace_back(kRows);
    for (float& value : data.columns[f]) {
      value =
          f < 2 ? static_cast<float>(random.uniform() * 20) : static_cast<float>(random.below(20));
      if (f > 0 && random.below(6) == 0) value = kMissing;
    }
  }
  return data;
}

// Notes which rows its leaves hold.
class NotedLeaf final : public LeafModel {
 public:
  explicit NotedLeaf(std::span<const std::uint32_t> labels) : labels_(labels) {}

  std::size_t payload_size() const override { return 1; }
  float fit(const NodeSamples& leaf, std::span<const float>,
            std::span<float> payload) const override {
    double sum = 0;
    for (const SampleId row : leaf.rows) sum += labels_[row] * leaf.draws[row];
    payload[0] = static_cast<float>(sum);
    leaves.emplace_back(leaf.rows.begin(), leaf.rows.end());
    return static_cast<float>(leaf.rows.size());
  }

  mutable std::vector<std::vector<SampleId>> leaves;

 private:
  std::span<const std::uint32_t> labels_;
};

class SharedTree : public testing::Test {
 protected:
  SharedTree() : data_(draw_data()), columns_(data_.view(), 255, 1) {
    RandomStream random(2);
    for (std::size_t row = 0; row < kRows; ++row) {
      const double said = std::fmod(data_.columns[0][row], 4.0) + random.uniform();
      labels_.push_back(static_cast<std::uint32_t>(said) % kClasses);
    }
    bag_ = draw_bag(weights_, {}, RandomStream(3));
    limits_.exact_rows = 8192;
  }

  using Splitters = std::vector<std::unique_ptr<NodeSplitter>>;
  Splitters team(std::size_t size) const {
    Splitters made;
    for (std::size_t i = 0; i < size; ++i)
      made.push_back(std::make_unique<SplitSearch<GiniImpurity>>(
          columns_, GiniImpurity{labels_, kClasses}, weights_,
          std::make_unique<AxisAligned>(kFeatures, 2), limits_));
    return made;
  }
  TreeGrower planted(GrowthOrder order = GrowthOrder::depth_first) const {
    GrowthOptions options;
    options.order = order;
    options.min_impurity_decrease = 1e-6;
    return TreeGrower(columns_, bag_, options, RandomStream(4));
  }

  struct Tree {
    TreeArrays arrays;
    std::uint32_t depth;
    std::vector<double> gains;
    LeafIds leaves;
  };
  Tree harvested(TreeGrower& grower) const {
    const NotedLeaf leaf(labels_);
    grower.fit_new_leaves(leaf);
    expect_all_rows(leaf);
    TreeGrower::Standing standing = grower.standing();
    Tree tree{standing.arrays, grower.depth(), standing.split_gains, {kRows, 1}};
    grower.write_leaf_ids(tree.leaves, 0);
    return tree;
  }

  // Every row of the bag is in one leaf, by its own name.
  void expect_all_rows(const NotedLeaf& leaf) const {
    std::vector<SampleId> rows;
    for (const std::vector<SampleId>& held : leaf.leaves) {
      EXPECT_TRUE(std::is_sorted(held.begin(), held.end()));
      rows.insert(rows.end(), held.begin(), held.end());
    }
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(rows, bag_.inside);
  }

  static void expect_same(const Tree& a, const Tree& b) {
    EXPECT_EQ(a.arrays.right, b.arrays.right);
    EXPECT_EQ(a.arrays.threshold, b.arrays.threshold);
    EXPECT_EQ(a.arrays.code, b.arrays.code);
    EXPECT_EQ(a.arrays.category_words, b.arrays.category_words);
    EXPECT_EQ(a.arrays.payload, b.arrays.payload);
    EXPECT_EQ(a.arrays.support, b.arrays.support);
    EXPECT_EQ(a.depth, b.depth);
    EXPECT_EQ(a.gains, b.gains);
    for (std::size_t row = 0; row < kRows; ++row)
      ASSERT_EQ(a.leaves.leaf(0, row), b.leaves.leaf(0, row));
  }

  Dataset data_;
  CodedColumns columns_;
  std::vector<std::uint32_t> labels_, weights_ = std::vector<std::uint32_t>(kRows, 1);
  Bag bag_;
  SearchLimits limits_;
};

TEST_F(SharedTree, ThreadsAndOrdersGrowTheSameTree) {
  TreeGrower first = planted();
  first.grow_fully(team(1), {});
  const Tree expected = harvested(first);
  EXPECT_GT(expected.arrays.right.size(), 1000u);
  for (const GrowthOrder order : {GrowthOrder::depth_first, GrowthOrder::breadth_first})
    for (const std::size_t threads : {1, 2, 3, 8}) {
      SCOPED_TRACE(std::to_string(threads) + " threads");
      TreeGrower grower = planted(order);
      grower.grow_fully(team(threads), {});
      EXPECT_TRUE(grower.finished());
      expect_same(harvested(grower), expected);
    }
}

// Cancelled after so many questions: the tree is unfinished, but every row is where it belongs.
TEST_F(SharedTree, CancelledGrowthLosesNoRow) {
  for (const std::size_t threads : {1, 3})
    for (const int questions : {0, 1, 5, 40, 700, 2000}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(questions));
      std::atomic<int> asked = 0;
      TreeGrower grower = planted();
      grower.grow_fully(team(threads), [&] { return asked++ >= questions; });
      EXPECT_FALSE(grower.finished());
      harvested(grower);
    }
}

TEST_F(SharedTree, GrowsOnAfterABreak) {
  TreeGrower first = planted();
  first.grow_fully(team(1), {});
  const Tree expected = harvested(first);
  for (const std::size_t threads : {1, 3})
    for (const int questions : {1, 30, 900}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(questions));
      const Splitters splitters = team(threads);
      std::atomic<int> asked = 0;
      TreeGrower grower = planted();
      grower.grow_fully(splitters, [&] { return asked++ >= questions; });
      EXPECT_FALSE(grower.finished());
      grower.grow_fully(splitters, {});
      EXPECT_TRUE(grower.finished());
      expect_same(harvested(grower), expected);
    }
}

}  // namespace
}  // namespace coppice
