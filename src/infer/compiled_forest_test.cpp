// Traversal of the compiled layout against the slow walk over the model, on arbitrary forests.
#include "infer/compiled_forest.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/test_forests.h"

namespace coppice {
namespace {

std::vector<float> random_rows(test::Dice& dice, std::size_t count) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(dice.below(5000)) / 100 - 10;
    if (dice.below(3) == 0) value = static_cast<float>(dice.below(45));
    if (dice.below(8) == 0) value = kMissing;
    if (dice.below(20) == 0) value = dice.coin() ? kInfinity : -kInfinity;
  }
  return values;
}

// Of rows of floats, one after the other, in all trees.
void find_leaves(const CompiledForest& compiled, std::span<const float> rows,
                 std::vector<std::uint32_t>& leaves) {
  const std::size_t features = compiled.feature_keys().size();
  CompiledForest::Tile tile(compiled);
  tile.load(RowSource(rows, features), 0, rows.size() / features);
  compiled.find_leaves(tile, {0, compiled.trees()}, leaves.data());
}

TEST(CompiledForest, FindsTheLeavesOfTheSlowWalk) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::Dice dice(seed);
    const Forest forest = test::random_forest(seed, PayloadKind::class_histogram,
                                              {dice.below(60), 0, dice.below(9)}, 5);
    const std::size_t features = forest.info().schema.features.size(), count = 33;
    const std::vector<float> rows = random_rows(dice, count * features);
    const CompiledForest compiled(forest);
    ASSERT_EQ(compiled.trees(), forest.trees());
    std::vector<std::uint32_t> leaves(count * forest.trees());
    find_leaves(compiled, rows, leaves);
    for (std::size_t tree = 0; tree < forest.trees(); ++tree)
      for (std::size_t row = 0; row < count; ++row) {
        const auto values = std::span(rows).subspan(row * features, features);
        const std::size_t expected = leaf_of(forest.arrays(), forest.info().schema, tree, values);
        EXPECT_EQ(leaves[tree * count + row], expected);
        EXPECT_EQ(compiled.find_leaf(tree, [&](std::uint32_t f) { return values[f]; }), expected);
      }
  }
}

TEST(CompiledForest, DeepTreesNeedNoStack) {
  for (const bool down_the_left : {false, true}) {
    const Forest forest = test::chain(200'000, down_the_left);
    const CompiledForest compiled(forest);
    for (const float value : {-1.0f, 0.0f, 99'999.5f, 1e9f}) {
      std::vector<std::uint32_t> leaf(1);
      find_leaves(compiled, {&value, 1}, leaf);
      EXPECT_EQ(leaf[0], leaf_of(forest.arrays(), forest.info().schema, 0, {&value, 1}));
    }
  }
}

}  // namespace
}  // namespace coppice
