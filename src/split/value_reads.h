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

// Where a node of so many rows reads the values of a number.
inline Strided<float> values_of(const CodedColumns& columns, std::uint32_t feature,
                                std::size_t rows) {
  const RowTable<float>& table = columns.value_rows();
  if (table.has(feature) && fits_cache(table, rows)) return table.column(feature);
  return {columns.column(feature).raw.data(), 1};
}

}  // namespace coppice
