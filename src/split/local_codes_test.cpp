// Copied codes against ranks that are found by sorting, for copies and for copies of copies.
#include "split/local_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 70'000;

// A name for every kind of column that a copy treats in its own way.
enum ColumnName : std::size_t {
  kAllDifferent,  // codes of four bytes
  kWithHoles,
  kTied,
  kFewValues,
  kByteFull,  // 256 values: one byte, but not kept
  kCategories,
  kManyCategories,
  kRarelyKnown,
  kColumns
};

float draw_value(std::size_t column, std::size_t row, RandomStream& random) {
  const bool hole = random.below(5) == 0;
  switch (column) {
    case kAllDifferent:
      return static_cast<float>(row * 7919 % kRows);
    case kWithHoles:
      return hole ? kMissing : static_cast<float>(random.uniform());
    case kTied:
      return static_cast<float>(random.below(2000)) / 8;
    case kFewValues:
      return hole ? kMissing : static_cast<float>(random.below(30));
    case kByteFull:
      return static_cast<float>(random.below(256));
    case kCategories:
      return hole ? kMissing : static_cast<float>(random.below(10));
    case kManyCategories:
      return static_cast<float>(random.below(1000));
    default:
      return random.below(100) > 0 ? kMissing : static_cast<float>(random.uniform());
  }
}

Dataset draw_data() {
  Dataset data;
  data.rows = kRows;
  RandomStream random(1);
  for (std::size_t c = 0; c < kColumns; ++c) {
    Feature feature{std::to_string(c), FeatureKind::numeric};
    if (c == kCategories || c == kManyCategories) {
      feature.kind = FeatureKind::categorical;
      for (int i = 0; i < (c == kCategories ? 10 : 1000); ++i)
        feature.categories.push_back(std::to_string(i));
    }
    data.schema.features.push_back(feature);
    data.columns.emplace_back(kRows);
    for (std::size_t row = 0; row < kRows; ++row) data.columns[c][row] = draw_value(c, row, random);
  }
  return data;
}

SearchedColumn of_data(const CodedColumn& column) { return {column, column.code_span()}; }

// `count` of the names [0, range), in ascending order.
std::vector<SampleId> draw_rows(std::uint32_t range, std::uint32_t count, RandomStream random) {
  std::vector<SampleId> rows;
  for (SampleId row = 0; row < range; ++row)
    if (random.below(range - row) < count - rows.size()) rows.push_back(row);
  return rows;
}

class LocalCodesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    data_ = new Dataset(draw_data());
    columns_ = new CodedColumns(data_->view(), 0, 1);
  }
  static void TearDownTestSuite() {
    delete columns_;
    delete data_;
  }

  // A node: its rows as its columns name them, and as the data does.
  struct Node {
    std::vector<SearchedColumn> columns;
    std::vector<SampleId> names, rows;
  };
  static Node node_of_data(std::vector<SampleId> rows) {
    Node node{{}, rows, rows};
    for (std::size_t c = 0; c < kColumns; ++c) node.columns.push_back(of_data(columns_->column(c)));
    return node;
  }
  static Node node_of_copy(const LocalCodes& copy, const Node& parent,
                           std::vector<SampleId> names) {
    Node node{{}, std::move(names), {}};
    for (std::size_t c = 0; c < kColumns; ++c)
      node.columns.push_back(copy.searched(c, columns_->column(c)));
    for (const SampleId name : node.names) node.rows.push_back(parent.rows[name]);
    return node;
  }

  static void copy_node(const Node& node, LocalCodes& copy) {
    copy.begin(kColumns, node.rows.size());
    for (std::size_t c = 0; c < kColumns; ++c) copy.copy(c, node.columns[c], node.names);
  }
  static void expect_copied(const LocalCodes& copy, const Node& node) {
    for (std::size_t c = 0; c < kColumns; ++c) {
      SCOPED_TRACE("column " + std::to_string(c));
      const SearchedColumn searched = copy.searched(c, columns_->column(c));
      expect_codes(searched, node.columns[c].span, node.names);
      expect_codes_lead_back(searched, node.rows);
    }
  }

 private:
  // Categories and few codes are kept, others are ranked among the rows.
  static void expect_codes(const SearchedColumn& searched, const CodeSpan& all,
                           const std::vector<SampleId>& rows) {
    std::vector<std::uint32_t> distinct;
    for (const SampleId row : rows)
      if (all[row] != all.known) distinct.push_back(all[row]);
    const bool has_missing = distinct.size() < rows.size();
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const bool kept = searched.column.kind == FeatureKind::categorical || all.known < 256;
    if (!kept && distinct.empty()) return;
    const auto known = kept ? all.known : static_cast<std::uint32_t>(distinct.size());
    EXPECT_EQ(searched.span.known, known);
    EXPECT_EQ(searched.span.has_missing, has_missing);
    EXPECT_EQ(searched.span.codes.index(), known + (has_missing ? 1 : 0) <= 256 ? 0u : 1u);
    for (SampleId i = 0; i < rows.size(); ++i) {
      const std::uint32_t code = all[rows[i]];
      const auto rank = std::lower_bound(distinct.begin(), distinct.end(), code);
      const auto ranked = static_cast<std::uint32_t>(rank - distinct.begin());
      ASSERT_EQ(searched.span[i], code == all.known ? known : kept ? code : ranked);
    }
  }

  // Values and gaps are those of the column.
  static void expect_codes_lead_back(const SearchedColumn& searched,
                                     const std::vector<SampleId>& rows) {
    if (searched.column.kind == FeatureKind::categorical) return;
    const SearchedColumn outer = of_data(searched.column);
    for (SampleId i = 1; i < rows.size(); ++i) {
      if (std::isnan(outer.column.raw[rows[i - 1]]) || std::isnan(outer.column.raw[rows[i]]))
        continue;
      const CodeOfRow last{searched.span[i - 1], rows[i - 1]}, here{searched.span[i], rows[i]};
      ASSERT_EQ(outer.column.values[searched.first_code(here)], outer.column.raw[rows[i]]);
      ASSERT_EQ(outer.column.values[searched.last_code(here)], outer.column.raw[rows[i]]);
      if (outer.span[rows[i - 1]] > outer.span[rows[i]]) continue;
      ASSERT_EQ(searched.gap(last, here),
                outer.gap({outer.span[rows[i - 1]], rows[i - 1]}, {outer.span[rows[i]], rows[i]}));
    }
  }

 protected:
  static inline Dataset* data_ = nullptr;
  static inline CodedColumns* columns_ = nullptr;
};

constexpr std::uint32_t kSizes[] = {8192, 300, 257, 256, 255, 40, 16, 2000};

TEST_F(LocalCodesTest, CopiesKeepOrderAndTies) {
  LocalCodes copy;  // used for all: nothing of an earlier copy may show
  for (const std::uint32_t size : kSizes) {
    SCOPED_TRACE(std::to_string(size) + " rows");
    const Node node = node_of_data(draw_rows(kRows, size, RandomStream(size)));
    copy_node(node, copy);
    expect_copied(copy, node);
  }
}

TEST_F(LocalCodesTest, CopiesOfCopiesDoToo) {
  LocalCodes outer, inner;
  for (const std::uint32_t size : {257u, 900u, 8192u}) {
    const Node node = node_of_data(draw_rows(kRows, size, RandomStream(size)));
    copy_node(node, outer);
    for (const std::uint32_t few : {16u, 100u, 256u}) {
      SCOPED_TRACE(std::to_string(few) + " rows of " + std::to_string(size));
      const Node part = node_of_copy(outer, node, draw_rows(size, few, RandomStream(few)));
      copy_node(part, inner);
      expect_copied(inner, part);
      expect_copied(outer, node);
    }
  }
}

// Bins are codes of a copy, too, and lead back to their values.
TEST_F(LocalCodesTest, FewBinsAreKept) {
  const CodedColumns binned(data_->view(), 100, 1);
  const CodedColumn& column = binned.column(kWithHoles);
  const std::vector<SampleId> rows = draw_rows(kRows, 300, RandomStream(2));
  LocalCodes copy;
  copy.begin(kColumns, rows.size());
  copy.copy(kWithHoles, {column, column.bin_span(), SearchedColumn::Kind::bins}, rows);
  const SearchedColumn searched = copy.searched(kWithHoles, column);
  EXPECT_EQ(searched.kind, SearchedColumn::Kind::bins);
  EXPECT_EQ(searched.span.known, column.bin_span().known);
  for (SampleId i = 0; i < rows.size(); ++i)
    ASSERT_EQ(searched.span[i], column.bin_span()[rows[i]]);
}

// Where a column is missing in all rows nothing is ranked; it must still be constant.
TEST_F(LocalCodesTest, NothingKnownIsConstant) {
  std::vector<SampleId> rows;
  for (SampleId row = 0; rows.size() < 300; ++row)
    if (std::isnan(data_->columns[kWithHoles][row])) rows.push_back(row);
  LocalCodes copy;
  copy.begin(kColumns, rows.size());
  copy.copy(kWithHoles, of_data(columns_->column(kWithHoles)), rows);
  std::vector<SampleId> names(rows.size());
  std::iota(names.begin(), names.end(), 0u);
  NodeCodes node;
  node.gather(copy.searched(kWithHoles, columns_->column(kWithHoles)).span, names);
  EXPECT_TRUE(node.constant());
}

// Names in any order: a copy follows it.
TEST_F(LocalCodesTest, RowsKeepTheOrderTheyAreGivenIn) {
  std::vector<SampleId> rows = draw_rows(kRows, 500, RandomStream(9));
  std::reverse(rows.begin(), rows.end());
  const Node node = node_of_data(rows);
  LocalCodes copy;
  copy_node(node, copy);
  expect_copied(copy, node);
}

}  // namespace
}  // namespace coppice
