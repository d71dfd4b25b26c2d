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

// A column and the data that it borrows.
struct Coded {
  Dataset data;
  CodedColumns columns;

  const CodedColumn& column() const { return columns.column(0); }
};

Dataset one_column(std::vector<float> values, std::size_t categories) {
  Dataset data;
  data.rows = values.size();
  Feature feature{"x", categories > 0 ? FeatureKind::categorical : FeatureKind::numeric};
  for (std::size_t c = 0; c < categories; ++c) feature.categories.push_back(std::to_string(c));
  data.schema.features = {feature};
  data.columns = {std::move(values)};
  return data;
}

Coded coded(std::vector<float> values, std::uint32_t max_bins = 0, std::size_t categories = 0) {
  Dataset data = one_column(std::move(values), categories);
  CodedColumns columns(data.view(), max_bins, 1);
  return {std::move(data), std::move(columns)};
}

std::vector<std::uint32_t> unpacked(const CodeSpan& span, std::size_t rows) {
  return span.visit([&](const auto codes) {
    std::vector<std::uint32_t> all(rows);
    for (std::size_t row = 0; row < rows; ++row) all[row] = codes[static_cast<SampleId>(row)];
    return all;
  });
}
std::vector<std::uint32_t> codes_of(const Coded& coded) {
  return unpacked(coded.column().code_span(), coded.data.rows);
}
std::vector<std::uint32_t> bins_of(const Coded& coded) {
  return unpacked(coded.column().bin_span(), coded.data.rows);
}

TEST(CodedColumns, CodesAreRanks) {
  const Coded ranked = coded({3, -kInfinity, 3, 1e-40f, kMissing, kInfinity, -2});
  EXPECT_EQ(codes_of(ranked), (std::vector<std::uint32_t>{3, 0, 3, 2, 5, 4, 1}));
  EXPECT_EQ(ranked.column().known, 5u);
  EXPECT_TRUE(ranked.column().has_missing);
  EXPECT_EQ(ranked.column().values, (LargeVector<float>{-kInfinity, -2, 1e-40f, 3, kInfinity}));
  EXPECT_FALSE(ranked.column().binned());
  EXPECT_EQ(ranked.column().raw.data(), ranked.data.columns[0].data());
}

// Thresholds that are drawn between finite values need no codes.
TEST(CodedColumns, CodesAreLeftOutWhereNobodyNeedsThem) {
  const auto where_needed = [](std::vector<float> values) {
    Dataset data = one_column(std::move(values), 0);
    CodedColumns columns(data.view(), 0, 1, NumberCoding::where_needed);
    return Coded{std::move(data), std::move(columns)};
  };
  const Coded fractions = where_needed({0.5f, -3, kMissing, 0.5f});
  EXPECT_TRUE(std::get<LargeVector<std::uint32_t>>(fractions.column().codes).empty());
  EXPECT_FALSE(fractions.column().narrow());
  EXPECT_TRUE(fractions.column().has_missing);
  EXPECT_TRUE(fractions.column().varies);
  EXPECT_FALSE(where_needed({0.5f, 0.5f}).column().varies);
  EXPECT_FALSE(where_needed({-0.5f, -0.5f}).column().has_missing);
  EXPECT_TRUE(where_needed({0.5f, kMissing}).column().varies);
  EXPECT_FALSE(where_needed({kMissing, kMissing}).column().varies);

  for (const std::vector<float>& needing :
       {std::vector<float>{7, 0, 255, kMissing}, {0.5f, kInfinity}, {-kInfinity, 0.5f, 1}}) {
    const Coded some = where_needed(needing), all = coded(needing);
    EXPECT_EQ(codes_of(some), codes_of(all));
    EXPECT_EQ(some.column().values, all.column().values);
    EXPECT_TRUE(some.column().varies);
  }
}

// Small integers are coded without sorting; thousandfold they are sorted.
TEST(CodedColumns, SmallIntegersAreRankedLikeOtherNumbers) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    const std::uint32_t range = 1 + random.below(256), bins = 2 * random.below(20);
    std::vector<float> small(300), large(300);
    for (std::size_t row = 0; row < small.size(); ++row) {
      const bool missing = seed % 2 == 0 && random.below(10) == 0;
      const std::uint32_t integer = random.below(2) == 0 ? range / 2 : random.below(range);
      small[row] = missing ? kMissing : static_cast<float>(integer);
      large[row] = 1000 * small[row];
    }
    if (seed % 3 == 0 && small[0] == 0) small[0] = -0.0f;
    const Coded counted = coded(small, bins), sorted = coded(large, bins);
    EXPECT_EQ(codes_of(counted), codes_of(sorted)) << "seed " << seed;
    EXPECT_EQ(counted.column().known, sorted.column().known);
    EXPECT_EQ(counted.column().has_missing, sorted.column().has_missing);
    EXPECT_EQ(counted.column().bin_start, sorted.column().bin_start);
    EXPECT_EQ(counted.column().common, sorted.column().common);
    for (std::size_t code = 0; code < counted.column().known; ++code)
      EXPECT_EQ(1000 * counted.column().values[code], sorted.column().values[code]);
  }
}

TEST(CodedColumns, BothZerosAreOneValue) {
  const Coded zeros = coded({0.0f, -0.0f, -1});
  EXPECT_EQ(codes_of(zeros), (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_FALSE(zeros.column().has_missing);
}

TEST(CodedColumns, NothingKnown) {
  const Coded unknown = coded({kMissing, -kMissing});
  EXPECT_EQ(unknown.column().known, 0u);
  EXPECT_EQ(codes_of(unknown), (std::vector<std::uint32_t>{0, 0}));
}

TEST(CodedColumns, CategoriesAreTheirOwnCodes) {
  const Coded categories = coded({2, kMissing, 0, 2}, 0, 4);
  EXPECT_EQ(categories.column().known, 4u);
  EXPECT_EQ(codes_of(categories), (std::vector<std::uint32_t>{2, 4, 0, 2}));
}

TEST(CodedColumns, CategoriesHaveNoBins) {
  EXPECT_FALSE(coded({2, kMissing, 0, 2}, 2, 4).column().binned());
}

TEST(CodedColumns, CodesAreAsNarrowAsTheyCanBe) {
  const auto width = [](std::size_t distinct, bool missing) {
    std::vector<float> values(distinct);
    for (std::size_t i = 0; i < distinct; ++i) values[i] = static_cast<float>(i);
    if (missing) values.push_back(kMissing);
    return coded(values).column().codes.index();
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
    const Coded ranked = coded(values);
    const CodedColumn& column = ranked.column();
    const auto codes = codes_of(ranked);
    EXPECT_TRUE(std::is_sorted(column.values.begin(), column.values.end()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(column.code_span()[static_cast<SampleId>(i)], codes[i]);
      if (std::isnan(values[i])) {
        EXPECT_EQ(codes[i], column.known);
      } else {
        EXPECT_EQ(column.values[codes[i]], values[i]);
      }
    }
  }
}

// Bins are runs of codes; codes are what they would be without bins.
void expect_runs_of_codes(const Coded& binned) {
  const CodedColumn& column = binned.column();
  ASSERT_TRUE(column.binned());
  EXPECT_EQ(column.bin_start.front(), 0u);
  EXPECT_EQ(column.bin_start.back(), column.known);
  EXPECT_TRUE(std::is_sorted(column.bin_start.begin(), column.bin_start.end()));
  EXPECT_EQ(std::adjacent_find(column.bin_start.begin(), column.bin_start.end()),
            column.bin_start.end());
  EXPECT_EQ(column.bin_span().has_missing, column.has_missing);
  const auto codes = codes_of(binned), bins = bins_of(binned);
  EXPECT_EQ(codes, codes_of(coded(binned.data.columns[0])));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == column.known) {
      EXPECT_EQ(bins[i], column.bin_span().known);
    } else {
      EXPECT_LE(column.bin_start[bins[i]], codes[i]);
      EXPECT_LT(codes[i], column.bin_start[bins[i] + 1]);
    }
  }
}

TEST(CodedColumns, BinsHoldAboutTheSameNumberOfRows) {
  RandomStream random(3);
  std::vector<float> values(10'000);
  for (float& value : values) value = static_cast<float>(random.uniform() * random.uniform());
  values.insert(values.end(), 500, kMissing);
  const Coded binned = coded(values, 16);
  expect_runs_of_codes(binned);
  EXPECT_EQ(binned.column().bin_span().known, 16u);
  std::vector<std::size_t> rows(17);
  for (const std::uint32_t bin : bins_of(binned)) ++rows[bin];
  for (std::size_t bin = 0; bin < 16; ++bin) EXPECT_NEAR(static_cast<double>(rows[bin]), 625, 5);
  EXPECT_EQ(rows[16], 500u);
  EXPECT_EQ(binned.column().bins.index(), 0u);
}

TEST(CodedColumns, EqualValuesShareABin) {
  std::vector<float> values(1000, 5);  // a heavy value
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>(i));
  const Coded binned = coded(values, 4);
  expect_runs_of_codes(binned);
  EXPECT_LE(binned.column().bin_span().known, 4u);
  const auto bins = bins_of(binned);
  for (std::size_t i = 1; i < 1000; ++i) EXPECT_EQ(bins[i], bins[0]);
}

// Nearly all rows hold one value: the few others must not vanish in its bin, on either side of it.
TEST(CodedColumns, RareValuesKeepTheirBins) {
  for (const float sign : {1.0f, -1.0f}) {
    std::vector<float> values(100'000);
    for (std::size_t i = 0; i < 300; ++i) values[i] = sign * static_cast<float>(1 + i);
    const Coded binned = coded(values, 255);
    expect_runs_of_codes(binned);
    EXPECT_GE(binned.column().bin_span().known, 2u);
    EXPECT_LE(binned.column().bin_span().known, 255u);
    const auto bins = bins_of(binned);
    for (std::size_t i = 0; i < 300; ++i) EXPECT_NE(bins[i], bins.back());
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
    const Coded binned = coded(values, bins);
    EXPECT_EQ(binned.column().binned(), binned.column().known > bins);
    if (!binned.column().binned()) continue;
    expect_runs_of_codes(binned);
    EXPECT_LE(binned.column().bin_span().known, bins);
    EXPECT_GE(binned.column().bin_span().known, 2u);
  }
}

TEST(CodedColumns, FewValuesNeedNoBins) {
  const Coded few = coded({1, 2, 3, 2, 1}, 3);
  EXPECT_EQ(few.column().known, 3u);
  EXPECT_FALSE(few.column().binned());
}

// Columns of few values and of many, of numbers and of categories, with and without holes.
Dataset mixed_columns(std::size_t rows, std::size_t features) {
  RandomStream random(4);
  Dataset data;
  data.rows = rows;
  for (std::size_t f = 0; f < features; ++f) {
    Feature feature{"x" + std::to_string(f), FeatureKind::numeric};
    if (f % 3 == 2) {
      feature.kind = FeatureKind::categorical;
      for (int c = 0; c < 60; ++c) feature.categories.push_back(std::to_string(c));
    }
    data.schema.features.push_back(feature);
    data.columns.emplace_back(rows);
    for (float& value : data.columns.back()) {
      value = static_cast<float>(random.below(f % 3 == 1 ? 100'000 : 60));
      if (f % 2 == 0 && random.below(5) == 0) value = kMissing;
    }
  }
  return data;
}

TEST(CodedColumns, ThreadsDoNotMatter) {
  const Dataset data = mixed_columns(500, 9);
  CodedColumns one(data.view(), 20, 1), three(data.view(), 20, 3);
  one.add_code_rows(1), three.add_code_rows(3);
  for (std::size_t f = 0; f < 9; ++f) {
    EXPECT_EQ(one.column(f).values, three.column(f).values);
    EXPECT_EQ(one.column(f).codes, three.column(f).codes);
    EXPECT_EQ(one.column(f).bins, three.column(f).bins);
    EXPECT_EQ(one.column(f).bin_start, three.column(f).bin_start);
  }
  EXPECT_EQ(one.code_rows().cells, three.code_rows().cells);
}

// Sizes around those of a tile.
TEST(CodedColumns, CodeRowsAreTheCodesOfOneByte) {
  for (const std::size_t rows : {1, 255, 256, 257, 700})
    for (const std::size_t features : {1, 3, 96, 97, 200}) {
      const Dataset data = mixed_columns(rows, features);
      CodedColumns columns(data.view(), 0, 1);
      EXPECT_FALSE(columns.code_rows().has(0));
      columns.add_code_rows(1);
      const RowTable<std::uint8_t>& by_row = columns.code_rows();
      std::size_t narrow = 0;
      for (std::size_t f = 0; f < features; ++f) {
        ASSERT_EQ(by_row.has(f), columns.column(f).codes.index() == 0);
        if (!by_row.has(f)) continue;
        ++narrow;
        for (SampleId row = 0; row < rows; ++row)
          ASSERT_EQ(by_row.column(f)[row], columns.column(f).code_span()[row]);
      }
      EXPECT_EQ(by_row.width, narrow);
      EXPECT_EQ(by_row.cells.size(), rows * narrow);
    }
}

TEST(CodedColumns, ValueRowsAreTheNumbers) {
  const Dataset data = mixed_columns(300, 70);
  CodedColumns columns(data.view(), 0, 1);
  columns.add_value_rows(2);
  for (std::size_t f = 0; f < 70; ++f) {
    ASSERT_EQ(columns.value_rows().has(f), columns.column(f).kind == FeatureKind::numeric);
    for (SampleId row = 0; columns.value_rows().has(f) && row < 300; ++row) {
      const float value = columns.value_rows().column(f)[row], expected = data.columns[f][row];
      ASSERT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected)));
    }
  }
}

}  // namespace
}  // namespace coppice
