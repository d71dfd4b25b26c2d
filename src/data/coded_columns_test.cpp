// Codes must keep the order of values exactly; everything else in training stands on that.
#include "data/coded_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

CodedColumn coded(std::vector<float> values, std::uint32_t max_codes = 0,
                  std::size_t categories = 0) {
  Dataset data;
  data.rows = values.size();
  Feature feature{"x", categories > 0 ? FeatureKind::categorical : FeatureKind::numeric};
  for (std::size_t c = 0; c < categories; ++c) feature.categories.push_back(std::to_string(c));
  data.schema.features = {feature};
  data.columns = {std::move(values)};
  return CodedColumns(data.view(), max_codes, 1).column(0);
}

std::vector<std::uint32_t> codes_of(const CodedColumn& column, std::size_t rows) {
  return column.visit(
      [&](const auto* codes) { return std::vector<std::uint32_t>(codes, codes + rows); });
}

TEST(CodedColumns, CodesAreRanks) {
  const CodedColumn column = coded({3, -kInfinity, 3, 1e-40f, kMissing, kInfinity, -2});
  EXPECT_EQ(codes_of(column, 7), (std::vector<std::uint32_t>{3, 0, 3, 2, 5, 4, 1}));
  EXPECT_EQ(column.known, 5u);
  EXPECT_TRUE(column.has_missing);
  EXPECT_EQ(column.lowest, (std::vector<float>{-kInfinity, -2, 1e-40f, 3, kInfinity}));
  EXPECT_TRUE(column.highest.empty());
}

TEST(CodedColumns, BothZerosAreOneValue) {
  const CodedColumn column = coded({0.0f, -0.0f, -1});
  EXPECT_EQ(codes_of(column, 3), (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_FALSE(column.has_missing);
}

TEST(CodedColumns, NothingKnown) {
  const CodedColumn column = coded({kMissing, -kMissing});
  EXPECT_EQ(column.known, 0u);
  EXPECT_EQ(codes_of(column, 2), (std::vector<std::uint32_t>{0, 0}));
}

TEST(CodedColumns, CategoriesAreTheirOwnCodes) {
  const CodedColumn column = coded({2, kMissing, 0, 2}, 0, 4);
  EXPECT_EQ(column.known, 4u);
  EXPECT_EQ(codes_of(column, 4), (std::vector<std::uint32_t>{2, 4, 0, 2}));
}

TEST(CodedColumns, CodesAreAsNarrowAsTheyCanBe) {
  const auto width = [](std::size_t distinct, bool missing) {
    std::vector<float> values(distinct);
    for (std::size_t i = 0; i < distinct; ++i) values[i] = static_cast<float>(i);
    if (missing) values.push_back(kMissing);
    return coded(values).codes.index();
  };
  EXPECT_EQ(width(256, false), 0u);
  EXPECT_EQ(width(256, true), 1u);
  EXPECT_EQ(width(65536, false), 1u);
  EXPECT_EQ(width(65536, true), 2u);
}

TEST(CodedColumns, RandomColumnsKeepOrderAndValues) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed);
    std::vector<float> values(1 + random.below(400));
    for (float& value : values)
      value =
          random.below(10) == 0 ? kMissing : static_cast<float>(random.below(100)) * 1e-3f - 0.05f;
    const CodedColumn column = coded(values);
    const auto codes = codes_of(column, values.size());
    EXPECT_TRUE(std::is_sorted(column.lowest.begin(), column.lowest.end()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) {
        EXPECT_EQ(codes[i], column.known);
      } else {
        EXPECT_EQ(column.low(codes[i]), values[i]);
        EXPECT_EQ(column.high(codes[i]), values[i]);
      }
    }
  }
}

TEST(CodedColumns, BinsHoldAboutTheSameNumberOfRows) {
  RandomStream random(3);
  std::vector<float> values(10'000);
  for (float& value : values) value = static_cast<float>(random.uniform() * random.uniform());
  const CodedColumn column = coded(values, 16);
  EXPECT_EQ(column.known, 16u);
  std::vector<std::size_t> rows(16);
  const auto codes = codes_of(column, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ++rows[codes[i]];
    EXPECT_LE(column.low(codes[i]), values[i]);
    EXPECT_GE(column.high(codes[i]), values[i]);
  }
  for (const std::size_t count : rows) EXPECT_NEAR(static_cast<double>(count), 625, 5);
  for (std::uint32_t code = 1; code < 16; ++code)
    EXPECT_LT(column.high(code - 1), column.low(code));
}

TEST(CodedColumns, EqualValuesShareABin) {
  std::vector<float> values(1000, 5);  // a heavy value
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>(i));
  const CodedColumn column = coded(values, 4);
  EXPECT_LE(column.known, 4u);
  const auto codes = codes_of(column, values.size());
  for (std::size_t i = 1; i < 1000; ++i) EXPECT_EQ(codes[i], codes[0]);
}

// Nearly all rows hold one value: the few others must not vanish in its bin, on either side of it.
TEST(CodedColumns, RareValuesKeepTheirBins) {
  for (const float sign : {1.0f, -1.0f}) {
    std::vector<float> values(100'000);
    for (std::size_t i = 0; i < 300; ++i) values[i] = sign * static_cast<float>(1 + i);
    const CodedColumn column = coded(values, 255);
    EXPECT_GE(column.known, 2u);
    EXPECT_LE(column.known, 255u);
    const auto codes = codes_of(column, values.size());
    for (std::size_t i = 0; i < 300; ++i) EXPECT_NE(codes[i], codes.back());
  }
}

TEST(CodedColumns, BinsAreNeverMoreThanAskedFor) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed);
    std::vector<float> values;
    for (std::uint32_t runs = 2 + random.below(40); runs > 0; --runs)
      values.insert(values.end(), 1 + random.below(random.below(3) == 0 ? 60 : 3),
                    static_cast<float>(random.below(1000)));
    const std::uint32_t bins = 2 + random.below(10);
    const CodedColumn column = coded(values, bins);
    EXPECT_LE(column.known, bins);
    EXPECT_EQ(column.known > 1, *std::min_element(values.begin(), values.end()) <
                                    *std::max_element(values.begin(), values.end()));
    for (std::uint32_t code = 1; code < column.known; ++code)
      EXPECT_LT(column.high(code - 1), column.low(code));
  }
}

TEST(CodedColumns, FewValuesNeedNoBins) {
  const CodedColumn column = coded({1, 2, 3, 2, 1}, 3);
  EXPECT_EQ(column.known, 3u);
  EXPECT_TRUE(column.highest.empty());
}

TEST(CodedColumns, ThreadsDoNotMatter) {
  RandomStream random(4);
  Dataset data;
  data.rows = 500;
  for (int f = 0; f < 9; ++f) {
    data.schema.features.push_back({"x" + std::to_string(f), FeatureKind::numeric});
    data.columns.emplace_back(500);
    for (float& value : data.columns.back()) value = static_cast<float>(random.below(60));
  }
  const CodedColumns one(data.view(), 20, 1), three(data.view(), 20, 3);
  for (std::size_t f = 0; f < 9; ++f) {
    EXPECT_EQ(one.column(f).lowest, three.column(f).lowest);
    EXPECT_EQ(codes_of(one.column(f), 500), codes_of(three.column(f), 500));
  }
}

}  // namespace
}  // namespace coppice
