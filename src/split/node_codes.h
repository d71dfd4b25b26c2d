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
  std::size_t known_rows() const { return codes.size() - missing; }
  std::size_t range() const { return std::size_t{most} - least + 1; }
  bool any_known() const { return least <= most; }
  // No split on this feature can separate any two of the samples.
  bool constant() const { return !any_known() || (least == most && missing == 0); }

  void gather(const CodeSpan& span, std::span<const SampleId> rows) {
    codes.resize(rows.size());
    missing_code = span.known;
    span.visit([&](const auto all) { gather_from(all, span.has_missing, rows); });
  }

  // The same for codes that are at hand, a code per row.
  void take(std::span<const std::uint32_t> all, std::uint32_t known, bool has_missing) {
    codes.resize(all.size());
    missing_code = known;
    gather_from(all.data(), has_missing, EveryRow{all.size()});
  }

  // The first row of the node with this code. REQUIRES: there is one.
  std::size_t row_with(std::uint32_t code) const {
    return static_cast<std::size_t>(std::find(codes.begin(), codes.end(), code) - codes.begin());
  }

 private:
  struct EveryRow {
    std::size_t count;
    std::size_t size() const { return count; }
    std::size_t operator[](std::size_t i) const { return i; }
  };

  template <class Codes, class Rows>
  void gather_from(const Codes all, bool has_missing, const Rows rows) {
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
