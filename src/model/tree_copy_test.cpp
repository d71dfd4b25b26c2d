// Copies of trees: whole ones are the same forest again, cut ones send rows to merged leaves.
#include "model/tree_copy.h"

#include <gtest/gtest.h>

#include "model/test_forests.h"
#include "model/walk.h"

namespace coppice {
namespace {

TEST(TreeCopy, WholeCopiesAreTheSameForest) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Forest forest =
        test::random_forest(seed, PayloadKind::class_histogram, {40, 0, 3, 17}, 6);
    ForestBuilder builder(3);
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
      CutTree copy = copy_tree(forest, tree, {});
      for (std::size_t leaf = 0; leaf < copy.new_leaf.size(); ++leaf) {
        EXPECT_EQ(copy.new_leaf[leaf], leaf);
        const auto payload = forest.arrays().payload_of(forest.arrays().first_leaf(tree) + leaf);
        copy.tree.payload.insert(copy.tree.payload.end(), payload.begin(), payload.end());
      }
      builder.append(copy.tree);
    }
    test::expect_same_forest(Forest(builder.finish(), forest.info()), forest);
  }
}

TEST(TreeCopy, CutTreesSendRowsToMergedLeaves) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Forest forest = test::random_forest(seed, PayloadKind::mean_variance, {60}, 6);
    test::Dice dice(seed);
    std::vector<bool> cut;
    for (int n = 0; n < 60; ++n) cut.push_back(dice.below(8) == 0);
    CutTree copy = copy_tree(forest, 0, cut);
    copy.tree.payload.resize(4 * copy.tree.support.size());
    ForestBuilder builder(4);
    builder.append(copy.tree);
    const Forest smaller(builder.finish(), forest.info());
    std::vector<float> row(4);
    for (int sample = 0; sample < 200; ++sample) {
      for (float& value : row)
        value = dice.below(6) == 0 ? kMissing : static_cast<float>(dice.below(50)) - 8;
      const std::size_t old = leaf_of(forest.arrays(), forest.info().schema, 0, row);
      EXPECT_EQ(leaf_of(smaller.arrays(), smaller.info().schema, 0, row), copy.new_leaf[old]);
    }
    float before = 0, after = 0;
    for (const float support : forest.arrays().support) before += support;
    for (const float support : smaller.arrays().support) after += support;
    EXPECT_EQ(before, after);
  }
}

}  // namespace
}  // namespace coppice
