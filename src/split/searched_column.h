// A numeric column as a node sees it: its own codes, its bins, the ranks of a copy, or just values.
// Leads from these back to the codes of the column.
#pragma once

#include <algorithm>
#include <cstdint>

#include "data/coded_columns.h"

namespace coppice {

// What a row has here, and the row of the data that has it.
struct CodeOfRow {
  std::uint32_t code = 0;
  SampleId row = 0;
};

struct SearchedColumn {
  enum class Kind { codes, bins, ranks, values };

  const CodedColumn& column;
  CodeSpan span;
  Kind kind = Kind::codes;
  bool copied = false;  // rows go by other names than in the column

  // The least and the largest code of the column behind a code of the span; they differ for a bin.
  std::uint32_t first_code(CodeOfRow of) const {
    return kind == Kind::bins ? column.bin_start[of.code] : exact_code(of);
  }
  std::uint32_t last_code(CodeOfRow of) const {
    return kind == Kind::bins ? column.bin_start[of.code + 1] - 1 : exact_code(of);
  }
  // The largest and the least value behind it.
  float last_value(CodeOfRow of) const { return column.values[last_code(of)]; }
  float first_value(CodeOfRow of) const { return column.values[first_code(of)]; }
  // What gap() and these will read of a row comes from far away, and is asked for ahead of time.
  void fetch(SampleId row) const {
    const Strided<std::uint32_t>& codes = column.row_codes;
    if (kind == Kind::ranks && codes.first) __builtin_prefetch(codes.first + row * codes.stride);
  }
  // How far two codes are apart, as a share of all codes or bins.
  double gap(CodeOfRow left, CodeOfRow right) const {
    if (kind == Kind::bins) return 1.0 / span.known * (right.code - left.code);
    return 1.0 / column.known * (exact_code(right) - exact_code(left));
  }

 private:
  std::uint32_t exact_code(CodeOfRow of) const {
    if (kind != Kind::ranks) return of.code;
    return column.row_codes.first ? column.row_codes[of.row] : column.code_span()[of.row];
  }
};

}  // namespace coppice
