// Features as small integers. The code of a number is its rank among the distinct values of its
// column; the code of a category is its index. Splits on codes are splits on values, and codes of
// one or two bytes are what makes training fast.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "base/huge_pages.h"
#include "coppice/dataset.h"
#include "coppice/options.h"

namespace coppice {

using SampleId = std::uint32_t;

// One column of a table that lies row by row.
template <class Cell>
struct Strided {
  const Cell* first = nullptr;
  std::size_t stride = 0;
  Cell operator[](SampleId row) const { return first[row * stride]; }
  const Cell* operator+(SampleId row) const { return first + row * stride; }
};

// Some features once more, a row after the other: what a small node needs of its rows then stays in
// the cache from candidate to candidate.
template <class Cell>
struct RowTable {
  std::size_t width = 0;                // features that are in it; 0: it was not made
  LargeVector<Cell> cells;              // rows x width
  std::vector<std::uint32_t> place_of;  // by feature; kNone: not in it
  std::vector<std::uint32_t> features;  // by place

  static constexpr std::uint32_t kNone = UINT32_MAX;
  bool has(std::size_t feature) const { return width > 0 && place_of[feature] != kNone; }
  Strided<Cell> column(std::size_t feature) const {
    return {cells.data() + place_of[feature], width};
  }
};

// Codes of one feature, a code per row, in the narrowest type that holds them. Codes [0, known)
// are values in ascending order; `known` itself is missing.
struct CodeSpan {
  std::variant<const std::uint8_t*, const std::uint16_t*, const std::uint32_t*,
               Strided<std::uint8_t>, Strided<std::uint32_t>>
      codes;
  std::uint32_t known = 0;
  bool has_missing = false;

  // Calls body(codes), where codes[row] is the code of a row.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit(body, codes);
  }
  std::uint32_t operator[](SampleId row) const {
    return visit([row](const auto all) { return std::uint32_t{all[row]}; });
  }
};

// A bit per row.
class RowBits {
 public:
  RowBits() = default;
  explicit RowBits(std::size_t rows) : words_((rows + 63) / 64) {}

  // The bits of 64 rows.
  void set_word(std::size_t word, std::uint64_t bits) { words_[word] = bits; }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  LargeVector<std::uint64_t> words_;
};

// The bits of some features once more, a row after the other.
struct BitRows {
  std::size_t words = 0;                // per row; 0: it was not made
  LargeVector<std::uint64_t> cells;     // rows x words
  std::vector<std::uint32_t> features;  // by bit
};

// Owned codes of one feature.
using CodeVector =
    std::variant<LargeVector<std::uint8_t>, LargeVector<std::uint16_t>, LargeVector<std::uint32_t>>;

// One feature of all rows.
struct CodedColumn {
  FeatureKind kind = FeatureKind::numeric;
  std::uint32_t known = 0;
  bool has_missing = false;
  bool varies = false;                    // there are several values, or missing ones beside one
  CodeVector codes;                       // empty if they are in row_codes, or there are none
  Strided<std::uint32_t> row_codes = {};  // see CodedColumns::move_codes_to_rows()
  LargeVector<float> values;              // of a number: by code
  std::span<const float> raw;             // the data, by row; borrowed

  // Bins are runs of codes that hold about the same number of rows. Bin b holds the codes
  // [bin_start[b], bin_start[b + 1]); both are empty if the column has few codes or no bins were
  // asked for.
  CodeVector bins;
  std::vector<std::uint32_t> bin_start;

  // The code (or bin, if there are any) that more than half of the rows have; it is not missing.
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t common = kNone;
  // Then a bit per row, set if the row has another one: an eighth of the narrowest codes.
  RowBits others;

  bool binned() const { return !bin_start.empty(); }
  // A number with codes of one byte.
  bool narrow() const {
    return kind == FeatureKind::numeric && !row_codes.first &&
           std::holds_alternative<LargeVector<std::uint8_t>>(codes);
  }
  // REQUIRES: narrow().
  const std::uint8_t* bytes() const { return std::get<LargeVector<std::uint8_t>>(codes).data(); }
  // The code of a value that occurs, else that of the next larger one.
  std::uint32_t code_of(float value) const {
    return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), value) -
                                      values.begin());
  }
  CodeSpan code_span() const {
    if (row_codes.first) return {row_codes, known, has_missing};
    return span_of(codes, known);
  }
  CodeSpan bin_span() const {
    return span_of(bins, static_cast<std::uint32_t>(bin_start.size()) - 1);
  }

 private:
  CodeSpan span_of(const CodeVector& owned, std::uint32_t known_codes) const {
    CodeSpan span{.codes = {}, .known = known_codes, .has_missing = has_missing};
    std::visit([&](const auto& narrow) { span.codes = narrow.data(); }, owned);
    return span;
  }
};

// Whether all numbers have codes, or only those that are small integers or infinite: thresholds
// that are drawn between finite values need no others.
enum class NumberCoding { all, where_needed };

class CodedColumns {
 public:
  // Numeric columns of more than max_bins codes also get at most that many bins; 0 asks for none.
  CodedColumns(const DatasetView&, std::uint32_t max_bins, std::size_t workers,
               NumberCoding = NumberCoding::all);

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return columns_.size(); }
  const CodedColumn& column(std::size_t feature) const { return columns_[feature]; }

  // Make a table of all columns with codes of one byte and one of the rows with an uncommon code
  // (columns with bins are left out), or of the values of all numeric columns.
  void add_code_rows(std::size_t workers);
  void add_value_rows(std::size_t workers);
  // Lays the codes of columns that have bins row by row, in place of column by column: large nodes
  // read bins, and what small ones read of a row then lies together.
  void move_codes_to_rows(std::size_t workers);
  // What projections take from the values of each feature; empty unless they were set.
  void set_centres(std::vector<float> centres) { centres_ = std::move(centres); }
  float centre(std::size_t feature) const { return centres_[feature]; }
  std::span<const float> centres() const { return centres_; }
  const RowTable<std::uint8_t>& code_rows() const { return code_rows_; }
  const BitRows& other_rows() const { return other_rows_; }
  const RowTable<float>& value_rows() const { return value_rows_; }
  const RowTable<std::uint32_t>& wide_rows() const { return wide_rows_; }

 private:
  std::size_t rows_ = 0;
  std::vector<CodedColumn> columns_;
  std::vector<float> centres_;
  RowTable<std::uint8_t> code_rows_;
  BitRows other_rows_;
  RowTable<float> value_rows_;
  RowTable<std::uint32_t> wide_rows_;
};

}  // namespace coppice
