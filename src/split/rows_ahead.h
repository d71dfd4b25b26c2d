// Reads of rows that lie apart in data larger than a cache: memory is asked for some rows early.
#pragma once

#include <cstddef>
#include <span>

#include "data/coded_columns.h"

namespace coppice {

// What trees know of so many rows stays in the caches.
inline constexpr SampleId kRowsInCache = 1 << 18;

// Rows of a node, ascending, or of several nodes. fetch_row(row) asks for what will be read of a
// row.
template <class FetchRow>
class RowsAhead {
 public:
  RowsAhead(std::span<const SampleId> rows, FetchRow fetch_row)
      : rows_(rows), fetch_row_(fetch_row) {}

  bool pay() const { return !rows_.empty() && rows_.back() >= kRowsInCache; }
  void fetch(std::size_t i) const { fetch_row_(rows_[i]); }

 private:
  std::span<const SampleId> rows_;
  FetchRow fetch_row_;
};

// For what lies side by side.
struct NoRowsAhead {
  static constexpr bool pay() { return false; }
  static void fetch(std::size_t) {}
};

// body(i) for i in [0, count), in order.
template <class Ahead, class Body>
void for_each_row(std::size_t count, const Ahead& ahead, Body&& body) {
  constexpr std::size_t kTurns = 32;
  std::size_t i = 0;
  if (ahead.pay())
    for (; i + kTurns < count; ++i) ahead.fetch(i + kTurns), body(i);
  for (; i < count; ++i) body(i);
}

}  // namespace coppice
