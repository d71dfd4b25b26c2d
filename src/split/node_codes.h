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
    span.visit([&](const auto* all) { gather_from(all, span.has_missing, rows); });
  }

  // The same from codes that lie row by row.
  void gather(const CodeRows& all, std::size_t feature, const CodeSpan& span,
              std::span<const SampleId> rows) {
    codes.resize(rows.size());
    missing_code = span.known;
    const StridedCodes strided{all.codes.data() + all.place_of[feature], all.width};
    gather_from(strided, span.has_missing, rows);
  }

  // As gather() would, but without the codes themselves: from the number of samples per code.
  void describe_bins(std::uint32_t known, std::span<const std::uint32_t> samples) {
    missing_code = known;
    missing = 0;
    least = 0, most = known - 1;
    while (least < most && samples[least] == 0) ++least;
    while (most > least && samples[most] == 0) --most;
  }

  // The first row of the node with this code. REQUIRES: there is one.
  std::size_t row_with(std::uint32_t code) const {
    return static_cast<std::size_t>(std::find(codes.begin(), codes.end(), code) - codes.begin());
  }

 private:
  struct StridedCodes {
    const std::uint8_t* first;
    std::size_t stride;
    std::uint8_t operator[](SampleId row) const { return first[row * stride]; }
  };

  template <class Codes>
  void gather_from(const Codes all, bool has_missing, std::span<const SampleId> rows) {
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
