// Blocks cover all rows, and rows are the same from both layouts.
#include "infer/row_blocks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace coppice {
namespace {

TEST(RowBlocks, CoverEveryRowOnce) {
  for (const std::size_t rows : {0, 1, 63, 64, 65, 1000})
    for (const std::size_t workers : {1, 3}) {
      std::vector<std::atomic<int>> visits(rows);
      for_each_row_block(rows, workers,
                         [&](std::size_t worker, std::size_t first, std::size_t count) {
                           EXPECT_LT(worker, workers);
                           EXPECT_LE(count, kRowsPerBlock);
                           for (std::size_t i = 0; i < count; ++i) ++visits[first + i];
                         });
      for (const std::atomic<int>& count : visits) EXPECT_EQ(count, 1);
    }
}

TEST(RowBlocks, TilesAreBalanced) {
  EXPECT_EQ(balanced_tile(200'000, 2, 16384), 14336u);  // 14 tiles, 7 for each
  EXPECT_EQ(balanced_tile(100, 1, 16384), 128u);
  EXPECT_EQ(balanced_tile(100, 8, 16384), 64u);
  EXPECT_EQ(balanced_tile(10, 8, 64), 64u);
  for (const std::size_t rows : {1, 63, 1000, 123'457})
    for (const std::size_t workers : {1, 3, 64})
      for (const std::size_t most : {64, 1024}) {
        const std::size_t tile = balanced_tile(rows, workers, most);
        EXPECT_GE(tile, kRowsPerBlock);
        EXPECT_LE(tile, most);
      }
}

TEST(RowSource, GivesTheSameRowsFromBothLayouts) {
  const Schema schema{{{"a", FeatureKind::numeric}, {"b", FeatureKind::numeric}}, {}, {}};
  const std::vector<float> a{1, 2, 3}, b{4, 5, 6}, row_major{1, 4, 2, 5, 3, 6};
  DatasetView view;
  view.schema = &schema;
  view.rows = 3;
  view.columns = {a, b};
  std::vector<float> buffer, unused;
  const float* copied = RowSource(view).rows(1, 2, buffer);
  const float* borrowed = RowSource(row_major, 2).rows(1, 2, unused);
  EXPECT_EQ(std::vector<float>(copied, copied + 4), std::vector<float>(borrowed, borrowed + 4));
  EXPECT_EQ(borrowed, row_major.data() + 2);
  EXPECT_TRUE(unused.empty());
}

}  // namespace
}  // namespace coppice
