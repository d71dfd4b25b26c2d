// Keys must order as values do, and tiles must hold every row in its lane.
#include "infer/row_keys.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/test_forests.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(RowKeys, CompareLikeTheirNumbers) {
  test::Dice dice(3);
  std::vector<float> values{0.0f, -0.0f, kInfinity, -kInfinity, 1e-45f, -1e-45f, 3.4e38f, -3.4e38f};
  while (values.size() < 300) {
    const auto value = std::bit_cast<float>(dice.below(1u << 16) << 16 | dice.below(1u << 16));
    if (value == value) values.push_back(value);
  }
  for (const float a : values) {
    for (const float b : values) EXPECT_EQ(number_key(a) < number_key(b), a < b) << a << ' ' << b;
    EXPECT_GT(number_key(a), kMissingLeftKey);
    EXPECT_LT(number_key(a), kMissingRightKey);
  }
}

TEST(RowKeys, UnknownCategoriesHaveTheCodeAfterTheLast) {
  const FeatureKeys key(Feature{"c", FeatureKind::categorical, {"a", "b", "c"}});
  EXPECT_EQ(key(0), 0u);
  EXPECT_EQ(key(2.9f), 2u);
  for (const float unknown : {-1.0f, 3.0f, 1e30f, kInfinity, -kInfinity, kMissing})
    EXPECT_EQ(key(unknown), 3u);
}

// Rows 0, 1, ... of two numbers and a category: row, -row, row mod 5.
std::vector<float> numbered_rows(std::size_t count) {
  std::vector<float> rows;
  for (std::size_t row = 0; row < count; ++row) {
    const auto value = static_cast<float>(row);
    rows.insert(rows.end(), {value, -value, static_cast<float>(row % 5)});
  }
  return rows;
}

const std::vector<FeatureKeys> kFeatures{
    FeatureKeys(Feature{"a", FeatureKind::numeric}),
    FeatureKeys(Feature{"b", FeatureKind::numeric}),
    FeatureKeys(Feature{"c", FeatureKind::categorical, {"v", "w", "x", "y"}})};

std::uint32_t key_at(const KeyTile& tile, std::size_t row, std::size_t column) {
  return tile.block(row / KeyTile::kLanes)[column * KeyTile::kLanes + row % KeyTile::kLanes];
}

TEST(KeyTile, HoldsEveryRow) {
  const std::vector<float> rows = numbered_rows(60);
  KeyTile tile(kFeatures);
  for (const std::size_t count : {1, 15, 16, 17, 50}) {
    tile.load(RowSource(rows, 3), 7, count);
    EXPECT_EQ(tile.rows(), count);
    EXPECT_EQ(tile.column_mask(), 3u);
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t f = 0; f < 3; ++f)
        EXPECT_EQ(key_at(tile, row, f), kFeatures[f](rows[(7 + row) * 3 + f]));
  }
}

TEST(KeyTile, MissingNumbersBringASecondPlane) {
  std::vector<float> rows = numbered_rows(40);
  rows[30 * 3 + 1] = kMissing;
  KeyTile tile(kFeatures);
  for (int again = 0; again < 2; ++again) {
    tile.load(RowSource(rows, 3), 0, 40);
    ASSERT_EQ(tile.column_mask(), 7u);
    EXPECT_EQ(key_at(tile, 30, 1), kMissingRightKey);
    EXPECT_EQ(key_at(tile, 30, 4 | 1), kMissingLeftKey);
    EXPECT_EQ(key_at(tile, 30, 4), number_key(30));
    EXPECT_EQ(key_at(tile, 29, 4 | 1), number_key(-29));
  }
  tile.load(RowSource(rows, 3), 0, 30);
  tile.load(RowSource(rows, 3), 0, 30);
  EXPECT_EQ(tile.column_mask(), 3u);
}

}  // namespace
}  // namespace coppice
