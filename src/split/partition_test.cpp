// Rows are sent where std::stable_partition sends them, by code and by value.
#include "split/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Partitioned {
  std::vector<SampleId> rows;
  std::size_t left = 0;
  bool operator==(const Partitioned&) const = default;
};

template <class GoesLeft>
Partitioned by_library(std::vector<SampleId> rows, GoesLeft&& goes_left) {
  const auto middle = std::stable_partition(rows.begin(), rows.end(), goes_left);
  const auto left = static_cast<std::size_t>(middle - rows.begin());
  return {std::move(rows), left};
}
Partitioned by_code(const CodeSpan& span, const ChosenSplit& split, std::vector<SampleId> rows) {
  std::vector<SampleId> right;
  const std::size_t left = partition_by_code(span, split, rows, right);
  return {std::move(rows), left};
}
Partitioned by_value(const CodedColumn& column, const ChosenSplit& split,
                     std::vector<SampleId> rows) {
  std::vector<SampleId> right(3);  // scratch of any size
  const std::size_t left = partition_by_value(column, split, rows, right);
  return {std::move(rows), left};
}

Partitioned by_byte(const CodedColumn& column, const ChosenSplit& split,
                    std::vector<SampleId> rows) {
  std::vector<SampleId> right;
  const std::size_t left = partition_by_byte(column, split, rows, right);
  return {std::move(rows), left};
}

Partitioned by_neighbours(const CodedColumn& column, const ChosenSplit& split,
                          std::vector<SampleId> rows) {
  std::vector<SampleId> right;
  const std::size_t left = partition_by_neighbours(column, column.bytes(), split, rows, right);
  return {std::move(rows), left};
}

// A column, and some of its rows in any order.
struct Problem {
  Dataset data;
  std::vector<SampleId> rows;
};

Problem draw_problem(RandomStream& random, std::size_t categories, bool missing) {
  Problem drawn;
  Feature feature{"x", categories > 0 ? FeatureKind::categorical : FeatureKind::numeric};
  for (std::size_t c = 0; c < categories; ++c) feature.categories.push_back(std::to_string(c));
  drawn.data.schema.features = {feature};
  drawn.data.rows = 1 + random.below(400);
  std::vector<float> values(drawn.data.rows);
  const std::uint32_t distinct =
      categories > 0 ? static_cast<std::uint32_t>(categories) : 1 + random.below(600);
  for (float& value : values) {
    value = static_cast<float>(random.below(distinct));
    if (categories == 0 && random.below(50) == 0)
      value = random.below(2) == 0 ? kInfinity : -kInfinity;
    if (missing && random.below(4) == 0) value = kMissing;
  }
  drawn.data.columns = {values};
  drawn.rows.resize(random.below(static_cast<std::uint32_t>(drawn.data.rows)) + 1);
  for (SampleId& row : drawn.rows) row = random.below(static_cast<std::uint32_t>(values.size()));
  return drawn;
}

// test(random, column, rows) of random numbers, in at most so many bins.
template <class Test>
void for_each_number(std::uint64_t seeds, std::uint32_t bins, Test&& test) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed);
    const Problem drawn = draw_problem(random, 0, random.below(2) == 0);
    const CodedColumns columns(drawn.data.view(), bins, 1);
    test(random, columns.column(0), drawn.rows);
  }
}

TEST(Partition, CodesAndValuesAgreeOnNumbers) {
  for_each_number(1000, 0, [](RandomStream& random, const CodedColumn& column, const auto& rows) {
    if (column.known == 0) return;
    ChosenSplit split;
    split.cut = random.below(column.known);
    split.threshold = column.values[split.cut];
    split.missing_left = random.below(2) == 0;
    const auto expected = by_library(rows, [&](SampleId row) {
      const float value = column.raw[row];
      return std::isnan(value) ? split.missing_left : value < split.threshold;
    });
    EXPECT_EQ(by_code(column.code_span(), split, rows), expected);
    EXPECT_EQ(by_value(column, split, rows), expected);
  });
}

TEST(Partition, BytesAndValuesAgreeOnAnyThreshold) {
  std::size_t narrow = 0;
  for_each_number(200, 0, [&](RandomStream& random, const CodedColumn& column, const auto& rows) {
    if (!column.narrow()) return;
    ++narrow;
    ChosenSplit split;
    split.missing_left = random.below(2) == 0;
    for (const float threshold : {-kInfinity, -1.0f, 0.5f, 17.0f, 17.25f, 300.0f, kInfinity}) {
      split.threshold = threshold;
      EXPECT_EQ(by_byte(column, split, rows), by_value(column, split, rows));
    }
  });
  EXPECT_GT(narrow, 100u);
}

TEST(Partition, NeighboursAndValuesAgree) {
  std::size_t between = 0;
  for_each_number(300, 0, [&](RandomStream& random, const CodedColumn& column, const auto& rows) {
    if (!column.narrow() || column.known < 2) return;
    ChosenSplit split;
    split.missing_left = random.below(2) == 0;
    split.left_code = random.below(column.known - 1);
    split.right_code =
        split.left_code + 1 + random.below(std::min(column.known - 1 - split.left_code, 5u));
    for (std::uint32_t code = split.left_code + 1; code <= split.right_code; ++code) {
      split.threshold = column.values[code];
      between += code < split.right_code;
      EXPECT_EQ(by_neighbours(column, split, rows), by_value(column, split, rows));
    }
  });
  EXPECT_GT(between, 100u);
}

TEST(Partition, MissingValuesMayBeCutOff) {
  Problem drawn{.data = {}, .rows = {0, 1, 2, 3, 4}};
  drawn.data.rows = 5;
  drawn.data.schema.features = {{"x", FeatureKind::numeric}};
  drawn.data.columns = {{1, kMissing, -kInfinity, kMissing, 3}};
  const CodedColumns columns(drawn.data.view(), 0, 1);
  ChosenSplit split;
  split.threshold = -kInfinity;
  split.missing_left = true;
  const Partitioned expected{{1, 3, 0, 2, 4}, 2};
  EXPECT_EQ(by_value(columns.column(0), split, drawn.rows), expected);
  EXPECT_EQ(by_code(columns.column(0).code_span(), split, drawn.rows), expected);
}

// Widths of codes: one byte, two, and with the missing code just beyond one.
TEST(Partition, CodesAndValuesAgreeOnCategories) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    const std::size_t categories = std::array{3, 32, 33, 256, 1000}[random.below(5)];
    const Problem drawn = draw_problem(random, categories, random.below(2) == 0);
    const CodedColumns columns(drawn.data.view(), 0, 1);
    ChosenSplit split;
    for (std::size_t word = 0; word < (categories + 31) / 32; ++word)
      split.left_categories.push_back(static_cast<std::uint32_t>(random.next()));
    split.missing_left = random.below(2) == 0;
    const auto expected = by_library(drawn.rows, [&](SampleId row) {
      const float value = drawn.data.columns[0][row];
      if (std::isnan(value)) return split.missing_left;
      const auto category = static_cast<std::uint32_t>(value);
      return (split.left_categories[category / 32] >> category % 32 & 1) == 1;
    });
    EXPECT_EQ(by_code(columns.column(0).code_span(), split, drawn.rows), expected);
    EXPECT_EQ(by_value(columns.column(0), split, drawn.rows), expected);
  }
}

TEST(Partition, BinsAndValuesAgree) {
  for_each_number(500, 5, [](RandomStream& random, const CodedColumn& column, const auto& rows) {
    if (!column.binned()) return;
    ChosenSplit split;
    split.cut = 1 + random.below(column.bin_span().known - 1);
    split.threshold = column.values[column.bin_start[split.cut]];
    split.missing_left = random.below(2) == 0;
    EXPECT_EQ(by_code(column.bin_span(), split, rows), by_value(column, split, rows));
  });
}

}  // namespace
}  // namespace coppice
