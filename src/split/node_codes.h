// The codes of a node's samples under one feature, gathered into a contiguous buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/coded_columns.h"

namespace coppice {

struct NodeCodes {
  std::vector<std::uint32_t> codes;  // `missing_code` where missing
  std::uint32_t missing_code = 0;
  std::uint32_t least = 0, most = 0;  // of the known codes
  std::uint32_t missing = 0;          // rows

  std::size_t rows() const { return codes.size(); }
  bool any_known() const { return least <= most; }
  // No split on this feature can separate any two of the samples.
  bool constant() const { return !any_known() || (least == most && missing == 0); }

  void gather(const CodedColumn& column, std::span<const SampleId> rows) {
    codes.resize(rows.size());
    missing_code = column.known;
    column.visit([&](const auto* all) { gather_from(all, column.has_missing, rows); });
  }

 private:
  template <class Code>
  void gather_from(const Code* __restrict all, bool has_missing, std::span<const SampleId> rows) {
    std::uint32_t low = UINT32_MAX, high = 0, absent = 0;
    std::uint32_t* __restrict out = codes.data();
    const std::size_t count = rows.size();
    if (has_missing) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t code = out[i] = all[rows[i]];
        const bool known = code != missing_code;
        absent += !known;
        low = std::min(low, known ? code : UINT32_MAX);
        high = std::max(high, known ? code : 0);
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t code = out[i] = all[rows[i]];
        low = std::min(low, code);
        high = std::max(high, code);
      }
    }
    least = low, most = high, missing = absent;
  }
};

}  // namespace coppice
