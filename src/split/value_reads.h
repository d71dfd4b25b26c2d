// Where a node reads its rows: a table of rows while they stay in the cache, or the columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/coded_columns.h"

namespace coppice {

// Whether so many rows of a table stay in the cache while a node is searched.
template <class Cell>
bool fits_cache(const RowTable<Cell>& table, std::size_t rows) {
  constexpr std::size_t kCacheBytes = std::size_t{1} << 20;
  return rows * table.width * sizeof(Cell) <= kCacheBytes;
}

// Where the values of a number are read: row by row in a table, or column by column.
class ValueReads {
 public:
  // By a node of so many rows.
  ValueReads(const CodedColumns& columns, std::size_t rows)
      : columns_(columns),
        cells_(fits_cache(columns.value_rows(), rows) ? columns.value_rows().cells.data()
                                                      : nullptr) {}

  // REQUIRES: a number, as the next one does.
  Strided<float> of(std::uint32_t feature) const { return {first_of(feature), stride()}; }
  // The same apart; the stride is that of all numbers.
  const float* first_of(std::uint32_t feature) const {
    return cells_ ? cells_ + columns_.value_rows().place_of[feature]
                  : columns_.column(feature).raw.data();
  }
  std::size_t stride() const { return cells_ ? columns_.value_rows().width : 1; }

  const CodedColumn& column(std::uint32_t feature) const { return columns_.column(feature); }

 private:
  const CodedColumns& columns_;
  const float* cells_;
};

}  // namespace coppice
