// Walking by the numbers of the layout against walking over a tree of linked nodes.
#include "model/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "model/test_forests.h"

namespace coppice {
namespace {

struct Node {
  Split split;
  std::size_t leaf = 0;
  std::unique_ptr<Node> left, right;  // both or none
};

// Splits [first, last) of tree 0, leaves numbered by a traversal from left to right.
std::unique_ptr<Node> linked(const ForestArrays& arrays, std::size_t first, std::size_t last,
                             std::size_t& leaves) {
  auto node = std::make_unique<Node>();
  if (first == last) {
    node->leaf = leaves++;
    return node;
  }
  node->split = arrays.split(0, first);
  node->left = linked(arrays, first + 1, node->split.right, leaves);
  node->right = linked(arrays, node->split.right, last, leaves);
  return node;
}

std::size_t slow_leaf(const ForestArrays& arrays, const Schema& schema, const Node* node,
                      const std::vector<float>& row) {
  while (node->left) {
    const Split& split = node->split;
    const float value = row[split.feature];
    const std::size_t categories = schema.features[split.feature].categories.size();
    bool left = split.missing_left;
    if (split.kind == Split::Kind::numeric) {
      if (!std::isnan(value)) left = value < split.threshold;
    } else {
      for (std::size_t c = 0; c < categories; ++c) {
        if (value == static_cast<float>(c)) {
          left = (arrays.category_words[split.first_word + c / 32] & (1u << (c % 32))) != 0;
        }
      }
    }
    node = left ? node->left.get() : node->right.get();
  }
  return node->leaf;
}

TEST(Walk, FindsTheLeafOfTheLinkedTree) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Forest forest = test::random_forest(seed, PayloadKind::mean_variance, {seed % 40}, 1000);
    std::size_t leaves = 0;
    const auto root = linked(forest.arrays(), 0, seed % 40, leaves);
    ASSERT_EQ(leaves, seed % 40 + 1);
    test::Dice dice(seed);
    for (int sample = 0; sample < 50; ++sample) {
      std::vector<float> row(4);
      for (float& value : row) {
        value = dice.below(5) == 0 ? kMissing : static_cast<float>(dice.below(60)) - 10;
      }
      const Schema& schema = forest.info().schema;
      EXPECT_EQ(leaf_of(forest.arrays(), schema, 0, row),
                slow_leaf(forest.arrays(), schema, root.get(), row));
    }
  }
}

TEST(Walk, VisitsEveryNodeOnceInPreOrder) {
  const Forest forest = test::random_forest(5, PayloadKind::class_histogram, {20, 0, 7}, 3);
  for (const auto& [tree, splits] : {std::pair{0, 20}, {1, 0}, {2, 7}}) {
    std::size_t next_split = 0, next_leaf = 0, depths = 0;
    for_each_node(
        forest.arrays(), static_cast<std::size_t>(tree),
        [&](std::size_t split, std::size_t) { EXPECT_EQ(split, next_split++); },
        [&](std::size_t leaf, std::size_t depth) {
          EXPECT_EQ(leaf, next_leaf++);
          depths += depth;
        });
    EXPECT_EQ(next_split, static_cast<std::size_t>(splits));
    EXPECT_EQ(next_leaf, static_cast<std::size_t>(splits) + 1);
    EXPECT_GE(depths, static_cast<std::size_t>(splits));
  }
}

TEST(Walk, UnknownCategoriesAreMissing) {
  ForestInfo info = test::small_info(PayloadKind::class_histogram);
  for (const bool missing_left : {false, true}) {
    TreeArrays tree;
    tree.right = {1};
    tree.threshold = {0};
    tree.code = {1u | 1u << SplitCode::kKindShift | SplitCode::kRightIsLeaf |
                 (missing_left ? SplitCode::kMissingLeft : 0)};
    tree.category_words = {0b10};
    tree.support = {1, 1};
    tree.payload = {1, 0, 0, 0, 1, 0};
    ForestBuilder builder(3);
    builder.append(tree);
    const Forest forest(builder.finish(), info);
    const auto leaf = [&](float sex) {
      return leaf_of(forest.arrays(), info.schema, 0, std::vector<float>{0, sex, 0, 0});
    };
    EXPECT_EQ(leaf(0), 1u);
    EXPECT_EQ(leaf(1), 0u);
    for (const float unknown : {2.f, -1.f, 1e30f, kMissing}) {
      EXPECT_EQ(leaf(unknown), missing_left ? 0u : 1u) << unknown;
    }
  }
}

}  // namespace
}  // namespace coppice
