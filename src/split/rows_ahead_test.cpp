#include "split/rows_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace coppice {
namespace {

struct Seen {
  std::vector<std::size_t> read;
  std::vector<SampleId> fetched;
};

// Every third row, the last of which is `last`.
std::vector<SampleId> rows_up_to(SampleId last, std::size_t count) {
  std::vector<SampleId> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = last - 3 * static_cast<SampleId>(count - 1 - i);
  return rows;
}

Seen walk(const std::vector<SampleId>& rows) {
  Seen seen;
  const RowsAhead ahead(rows, [&](SampleId row) { seen.fetched.push_back(row); });
  for_each_row(rows.size(), ahead, [&](std::size_t i) {
    // What was fetched comes later: nothing is asked for that was read already.
    EXPECT_TRUE(seen.fetched.empty() || rows[i] < seen.fetched.back() || i + 32 >= rows.size());
    seen.read.push_back(i);
  });
  return seen;
}

TEST(RowsAhead, EveryRowIsReadOnceInOrderAndFetchedBeforeThat) {
  for (const std::size_t count : {0, 1, 31, 32, 33, 34, 500}) {
    const auto rows = rows_up_to(kRowsInCache, count);
    const Seen seen = walk(rows);
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_EQ(seen.read, all) << count;
    const auto later = static_cast<std::ptrdiff_t>(std::min<std::size_t>(32, count));
    EXPECT_EQ(seen.fetched, std::vector<SampleId>(rows.begin() + later, rows.end())) << count;
  }
}

TEST(RowsAhead, RowsThatFitTheCacheAreJustRead) {
  const auto rows = rows_up_to(kRowsInCache - 1, 100);
  const Seen seen = walk(rows);
  EXPECT_EQ(seen.read.size(), 100u);
  EXPECT_TRUE(seen.fetched.empty());
}

}  // namespace
}  // namespace coppice
