// What a subtree is searched in while it grows: the columns, or copies of what its rows need of
// them that stay in the cache. Never changes a result.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "split/copying_rule.h"
#include "split/loaded_node.h"
#include "split/local_rows.h"
#include "split/other_rows.h"
#include "split/value_reads.h"

namespace coppice {

template <Objective O>
class RowCopies {
 public:
  RowCopies(const CodedColumns& columns, const WeakLearner& learner, const SearchLimits& limits)
      : columns_(columns),
        exact_rows_(limits.exact_rows),
        cuts_values_(limits.random_thresholds > 0),
        rule_(columns, learner, limits),
        // Values that are cut at random need no codes.
        others_(columns, rule_.features().size(), cuts_values_ ? 0 : learner.candidates()) {}

  // Whether rows go by the names that the last copy has given them.
  bool renamed() const { return copies_ > 0; }
  // REQUIRES: renamed().
  const LocalRows<O>& last() const { return local_[copies_ - 1]; }
  SampleId row_of_data(SampleId row) const { return renamed() ? last().rows[row] : row; }
  // The column as a node of so many rows sees it.
  SearchedColumn seen(std::uint32_t feature, std::size_t rows) const {
    const CodedColumn& column = columns_.column(feature);
    if (renamed()) return last().codes.searched(feature, column);
    if (column.binned() && rows > exact_rows_)
      return {column, column.bin_span(), SearchedColumn::Kind::bins};
    if (cuts_values_ && column.kind == FeatureKind::numeric)
      return {column, column.code_span(), SearchedColumn::Kind::values};
    const RowTable<std::uint8_t>& table = columns_.code_rows();
    if (table.has(feature) && fits_cache(table, rows))
      return {column, {table.column(feature), column.known, column.has_missing}};
    return {column, column.code_span()};
  }

  // REQUIRES: not renamed().
  OtherRows& others() { return others_; }
  // False unless it is known that all rows of the node have the common code of the feature.
  bool all_common(std::uint32_t feature) { return !renamed() && others_.none(feature); }

  // Both nest, in any order. Bits of the rows, if that pays: they keep their names.
  bool copy_bits(std::span<const SampleId> rows) {
    if (renamed() || !others_.copy(rows)) return false;
    kinds_.push_back(Kind::bits);
    return true;
  }
  bool codes_pay(std::size_t rows) const {
    return rule_.pays(rows, renamed() ? last().rows.size() : 0);
  }
  // All codes of the rows, which are renamed. `node` is loaded with them and loses its items.
  // REQUIRES: codes_pay().
  void copy_codes(std::span<SampleId> rows, LoadedNode<O>& node) {
    LocalRows<O>& made = local_[copies_];
    made.codes.begin(columns_.features(), rows.size());
    const RowTable<std::uint32_t>& table = columns_.wide_rows();
    const bool by_table = !renamed() && table.width > 0 && rows.size() <= exact_rows_;
    for (const std::uint32_t feature : rule_.features())
      if (!by_table || !table.has(feature))
        made.codes.copy(feature, seen(feature, rows.size()), rows);
    if (by_table) made.codes.copy(table, columns_, rows);
    node.hand_over(made.items, made.draws);
    made.rows.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) made.rows[i] = row_of_data(rows[i]);
    made.rename(rows);
    ++copies_;
    kinds_.push_back(Kind::codes);
  }

  // REQUIRES: the rows of the last copy that was not released, in any order.
  void release(std::span<SampleId> rows) {
    const Kind kind = kinds_.back();
    kinds_.pop_back();
    if (kind == Kind::bits) {
      others_.release();
    } else {
      --copies_;
      local_[copies_].name_back(rows);
    }
  }

 private:
  enum class Kind : std::uint8_t { bits, codes };

  const CodedColumns& columns_;
  std::uint32_t exact_rows_;
  bool cuts_values_;  // thresholds are drawn: numbers need no codes
  CopyingRule rule_;
  OtherRows others_;
  std::array<LocalRows<O>, CopyingRule::kMostCopies> local_;
  std::size_t copies_ = 0;   // of codes, nested, in use
  std::vector<Kind> kinds_;  // of all copies in use
};

}  // namespace coppice
