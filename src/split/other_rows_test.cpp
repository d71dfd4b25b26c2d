#include "split/other_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random_stream.h"
#include "base/test_wide_loops.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 10'000, kFeatures = 150, kBinned = 72, kEven = 90;

// Most values are 3; one column has many others, one has no common value.
Dataset sparse_columns() {
  RandomStream random(5);
  Dataset data;
  data.rows = kRows;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    data.schema.features.push_back({"f" + std::to_string(f), FeatureKind::numeric});
    data.columns.emplace_back(kRows, 3.0f);
    for (float& value : data.columns.back())
      if (f == kEven || random.below(10) < f % 5)
        value = static_cast<float>(random.below(f == kBinned ? 5000 : 40));
  }
  return data;
}

class OtherRowsTest : public BothLoops {
 protected:
  OtherRowsTest() : columns_(data_.view(), 64, 1), features_(kFeatures) {
    columns_.add_code_rows(1);
    std::iota(features_.begin(), features_.end(), 0u);
  }

  // By the values themselves.
  void expect_right(OtherRows& others, std::span<const SampleId> node) {
    others.begin_node(node);
    for (const std::uint32_t feature : features_) {
      if (feature == kEven || !others.knows(feature)) continue;
      std::vector<SampleId> expected;
      for (const SampleId row : node)
        if (feature == kBinned
                ? columns_.column(feature).bin_span()[row] != columns_.column(feature).common
                : data_.columns[feature][row] != 3)
          expected.push_back(row);
      ASSERT_TRUE(!others.none(feature) || expected.empty());
      found_none_ += others.none(feature);
      const auto found = others.of(feature);
      std::vector<SampleId> sorted(found.begin(), found.end());
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(sorted, expected) << "feature " << feature << " of " << node.size() << " rows";
    }
  }
  static std::vector<SampleId> some_of(std::span<const SampleId> rows, std::size_t count) {
    RandomStream random(count);
    std::vector<SampleId> some;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (random.below(static_cast<std::uint32_t>(rows.size() - i)) < count - some.size())
        some.push_back(rows[i]);
    return some;
  }

  const Dataset data_ = sparse_columns();
  CodedColumns columns_;
  std::vector<std::uint32_t> features_;
  std::size_t found_none_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Loops, OtherRowsTest, testing::Bool(), loops_name);

TEST_P(OtherRowsTest, AreTheSameInTheDataAndInCopies) {
  ASSERT_EQ(columns_.column(kEven).common, CodedColumn::kNone);
  ASSERT_TRUE(columns_.column(kBinned).binned());
  std::vector<SampleId> all(kRows);
  std::iota(all.begin(), all.end(), 0u);
  OtherRows others(columns_, kFeatures, 30);
  expect_right(others, all);
  expect_right(others, some_of(all, 20));
  EXPECT_FALSE(others.copy(all));
  for (const std::size_t size : {4096, 3001}) {
    const std::vector<SampleId> outer = some_of(all, size);
    ASSERT_TRUE(others.copy(outer));
    EXPECT_FALSE(others.knows(kBinned));
    expect_right(others, outer);
    expect_right(others, some_of(outer, 700));
    expect_right(others, some_of(outer, 3));
    for (const std::size_t few : {64, 17}) {
      const std::vector<SampleId> inner = some_of(outer, few);
      ASSERT_TRUE(others.copy(inner));
      EXPECT_FALSE(others.copy(inner));
      expect_right(others, inner);
      expect_right(others, some_of(inner, 5));
      others.release();
    }
    expect_right(others, some_of(outer, 100));
    others.release();
  }
  EXPECT_GT(found_none_, 100u);
  expect_right(others, some_of(all, 5000));
}

TEST_P(OtherRowsTest, CopiesHaveToPay) {
  const std::vector<SampleId> rows = some_of(features_, 16);
  EXPECT_TRUE(OtherRows(columns_, kFeatures, 30).copy(rows));
  EXPECT_FALSE(OtherRows(columns_, kFeatures, 30).copy(std::span(rows).first(15)));
  EXPECT_FALSE(OtherRows(columns_, kFeatures, 2).copy(rows));
  EXPECT_FALSE(OtherRows(CodedColumns(data_.view(), 64, 1), kFeatures, 30).copy(rows));
}

}  // namespace
}  // namespace coppice
