// Shared payload rows must say the same as the rows that were put in.
#include "model/forest_builder.h"

#include <gtest/gtest.h>

#include "coppice/error.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

// A tree of `leaves` leaves, leaf n with payload {value(n), 1}.
template <class Value>
TreeArrays wide_tree(std::uint32_t leaves, Value value) {
  TreeArrays tree;
  for (std::uint32_t i = 0; i + 1 < leaves; ++i) {
    tree.right.push_back(i + 1);
    tree.threshold.push_back(0);
    tree.code.push_back(i + 2 == leaves ? SplitCode::kRightIsLeaf : 0);
  }
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    tree.payload.insert(tree.payload.end(), {value(leaf), 1});
    tree.support.push_back(1);
  }
  return tree;
}

float payload_of(const ForestStorage& forest, std::size_t leaf) {
  std::size_t row = leaf;
  if (!forest.payload_row_narrow.empty()) row = forest.payload_row_narrow[leaf];
  if (!forest.payload_row_medium.empty()) row = forest.payload_row_medium[leaf];
  if (!forest.payload_row_wide.empty()) row = forest.payload_row_wide[leaf];
  return forest.payload[2 * row];
}

// `distinct` payloads among 4 x distinct leaves; which index results, and is it right?
ForestStorage built(std::uint32_t distinct) {
  const auto value = [=](std::uint32_t leaf) { return static_cast<float>(leaf * 7 % distinct); };
  ForestBuilder builder(2);
  builder.append(wide_tree(2 * distinct, value));
  builder.append(wide_tree(2 * distinct, value));
  ForestStorage forest = builder.finish();
  EXPECT_EQ(forest.payload.size(), 2 * distinct);
  for (std::uint32_t leaf = 0; leaf < 4 * distinct; ++leaf) {
    EXPECT_EQ(payload_of(forest, leaf), value(leaf % (2 * distinct))) << leaf;
  }
  return forest;
}

TEST(ForestBuilder, PicksTheNarrowestIndex) {
  EXPECT_EQ(built(256).payload_row_narrow.size(), 1024u);
  EXPECT_EQ(built(257).payload_row_medium.size(), 1028u);
  EXPECT_EQ(built(65536).payload_row_medium.size(), 4 * 65536u);
  EXPECT_EQ(built(65537).payload_row_wide.size(), 4 * 65537u);
}

TEST(ForestBuilder, NumbersRowsByFirstOccurrence) {
  ForestBuilder builder(2);
  builder.append(wide_tree(8, [](std::uint32_t leaf) { return leaf < 2 ? 9.f : 4.f; }));
  const ForestStorage forest = builder.finish();
  EXPECT_EQ(forest.payload, (std::vector<float>{9, 1, 4, 1}));
  EXPECT_EQ(forest.payload_row_narrow, (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(ForestBuilder, LeavesMaySharePayloadsFromTheStart) {
  const auto value = [](std::uint32_t leaf) { return leaf % 3 == 0 ? 9.f : 4.f; };
  TreeArrays apart = wide_tree(30, value), shared = apart;
  shared.payload = {4, 1, 9, 1};
  for (std::uint32_t leaf = 0; leaf < 30; ++leaf) shared.payload_row.push_back(leaf % 3 == 0);
  ForestBuilder expected(2), builder(2);
  for (int tree = 0; tree < 2; ++tree) expected.append(apart), builder.append(shared);
  const ForestStorage forest = builder.finish(), other = expected.finish();
  EXPECT_EQ(forest.payload, other.payload);
  EXPECT_EQ(forest.payload_row_narrow, other.payload_row_narrow);
}

TEST(ForestBuilder, SharedPayloadsMustBeThere) {
  TreeArrays tree = wide_tree(3, [](std::uint32_t) { return 1.f; });
  tree.payload = {1, 1, 2, 1};
  ForestBuilder builder(2);
  tree.payload_row = {0, 1, 2};
  EXPECT_THROW(builder.append(tree), Error);
  tree.payload_row = {0, 1};
  EXPECT_THROW(builder.append(tree), Error);
  tree.payload_row = {0, 1, 1};
  EXPECT_NO_THROW(builder.append(tree));
}

TEST(ForestBuilder, KeepsTheIdentityWhenSharingSavesNothing) {
  ForestBuilder builder(2);
  const auto value = [](std::uint32_t leaf) { return leaf == 9 ? 0.f : static_cast<float>(leaf); };
  builder.append(wide_tree(10, value));  // sharing saves 8 bytes, the index costs 10
  const ForestStorage forest = builder.finish();
  EXPECT_TRUE(forest.payload_row_narrow.empty());
  ASSERT_EQ(forest.payload.size(), 20u);
  for (std::uint32_t leaf = 0; leaf < 10; ++leaf) EXPECT_EQ(forest.payload[2 * leaf], value(leaf));
}

TEST(ForestBuilder, TellsMinusZeroFromZero) {
  ForestBuilder builder(2);
  builder.append(wide_tree(100, [](std::uint32_t leaf) { return leaf % 2 == 0 ? 0.f : -0.f; }));
  EXPECT_EQ(builder.finish().payload.size(), 4u);
}

TEST(ForestBuilder, ShiftsCategoryWords) {
  test::Dice dice(3);
  const ForestInfo info = test::small_info(PayloadKind::class_histogram);
  ForestBuilder builder(3);
  std::vector<TreeArrays> trees;
  for (int i = 0; i < 3; ++i) trees.push_back(test::random_tree(dice, info, 30, 4));
  for (const TreeArrays& tree : trees) builder.append(tree);
  const Forest forest(builder.finish(), info);
  for (std::size_t tree = 0; tree < 3; ++tree) {
    for (std::size_t i = 0; i < 30; ++i) {
      const Split split = forest.arrays().split(tree, i);
      if (split.kind == Split::Kind::numeric) continue;
      EXPECT_EQ(forest.arrays().category_words[split.first_word],
                trees[tree].category_words[trees[tree].threshold[i]]);
    }
  }
}

TEST(ForestBuilder, MayLeaveLeavesOut) {
  ForestBuilder whole(2), splits = ForestBuilder::without_leaves();
  for (ForestBuilder* const builder : {&whole, &splits})
    for (const std::uint32_t leaves : {3u, 1u, 5u})
      builder->append(wide_tree(leaves, [](std::uint32_t leaf) { return float(leaf); }));
  EXPECT_TRUE(std::ranges::equal(splits.view().right, whole.view().right));
  EXPECT_TRUE(std::ranges::equal(splits.view().first_split, whole.view().first_split));
  EXPECT_EQ(splits.view().leaves(), 9u);
  EXPECT_EQ(splits.view().payload_size, 0u);
  EXPECT_TRUE(splits.view().support.empty());
}

TEST(ForestBuilder, CanBeUsedAgainAndRefusesUnequalArrays) {
  ForestBuilder builder(2);
  const auto one = [](std::uint32_t) { return 1.f; };
  builder.append(wide_tree(3, one));
  EXPECT_EQ(builder.finish().right.size(), 2u);
  builder.append(wide_tree(1, one));
  EXPECT_EQ(builder.finish().first_split, (std::vector<std::uint32_t>{0, 0}));
  TreeArrays tree = wide_tree(3, one);
  tree.payload.pop_back();
  EXPECT_THROW(builder.append(tree), Error);
  EXPECT_THROW(ForestBuilder(0), Error);
}

}  // namespace
}  // namespace coppice
