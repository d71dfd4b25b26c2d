// Sends the rows of a node to its children.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "split/node_splitter.h"

namespace coppice {

// The same as partition_rows() once `first` rows are dealt, of which so many went left; `right` has
// room for all rows and begins with those that did not.
template <class GoesLeft>
std::size_t partition_rest(std::span<SampleId> rows, SampleId* right, std::size_t first,
                           std::size_t left_count, GoesLeft&& goes_left) {
  std::size_t right_count = first - left_count;
  for (std::size_t i = first; i < rows.size(); ++i) {
    const SampleId row = rows[i];
    const bool left = goes_left(row);
    rows[left_count] = row;
    right[right_count] = row;
    left_count += left;
    right_count += !left;
  }
  std::copy_n(right, right_count, rows.begin() + static_cast<std::ptrdiff_t>(left_count));
  return left_count;
}

// Stable: both sides keep the order of their rows. Returns how many go left.
template <class GoesLeft>
std::size_t partition_rows(std::span<SampleId> rows, std::vector<SampleId>& right,
                           GoesLeft&& goes_left) {
  if (right.size() < rows.size()) right.resize(rows.size());
  return partition_rest(rows, right.data(), 0, 0, goes_left);
}

inline bool contains(std::span<const std::uint32_t> words, std::uint32_t bit) {
  return words[bit / 32] >> (bit % 32) & 1;
}

// By the codes that the split was found with, for rows of its node only; or by categories. `right`
// is scratch.
inline std::size_t partition_by_code(const CodeSpan& span, const ChosenSplit& split,
                                     std::span<SampleId> rows, std::vector<SampleId>& right) {
  return span.visit([&](const auto codes) {
    if (!split.left_categories.empty()) {
      return partition_rows(rows, right, [&](SampleId row) {
        return codes[row] == span.known ? split.missing_left
                                        : contains(split.left_categories, codes[row]);
      });
    }
    if (span.has_missing && split.missing_left) {
      return partition_rows(rows, right, [&](SampleId row) {
        return codes[row] < split.cut || codes[row] == span.known;
      });
    }
    return partition_rows(rows, right, [&](SampleId row) { return codes[row] < split.cut; });
  });
}

// By responses, one per row in their order.
inline std::size_t partition_by_response(std::span<const float> responses, const ChosenSplit& split,
                                         std::span<SampleId> rows, std::vector<SampleId>& right) {
  std::size_t next = 0;
  return partition_rows(rows, right, [&](SampleId) {
    const float response = responses[next++];
    if (response != response) return split.missing_left;
    return response >= split.lower && response < split.threshold;
  });
}

// By values of a number: all[row].
template <class Values>
std::size_t partition_by_value(const Values all, bool has_missing, const ChosenSplit& split,
                               std::span<SampleId> rows, std::vector<SampleId>& right) {
  const float threshold = split.threshold;
  if (has_missing && split.missing_left) {
    return partition_rows(rows, right, [=](SampleId row) {
      const float value = all[row];
      return value < threshold || value != value;
    });
  }
  return partition_rows(rows, right, [=](SampleId row) { return all[row] < threshold; });
}

// Any rows of the data. Values, not codes, so that nobody has to look up the code of a threshold.
inline std::size_t partition_by_value(const CodedColumn& column, const ChosenSplit& split,
                                      std::span<SampleId> rows, std::vector<SampleId>& right) {
  if (!split.left_categories.empty())
    return partition_by_code(column.code_span(), split, rows, right);
  return partition_by_value(column.raw.data(), column.has_missing, split, rows, right);
}

// The same by codes, codes[row], of a split that knows those of its neighbours: only codes between
// them need their value.
template <class Codes>
std::size_t partition_by_neighbours(const CodedColumn& column, const Codes codes,
                                    const ChosenSplit& split, std::span<SampleId> rows,
                                    std::vector<SampleId>& right) {
  const std::uint32_t left_code = split.left_code, right_code = split.right_code;
  const std::uint32_t missing = split.missing_left ? column.known : UINT32_MAX;
  return partition_rows(rows, right, [&, codes](SampleId row) -> bool {
    const std::uint32_t code = codes[row];
    if (code > left_code && code < right_code) return column.values[code] < split.threshold;
    return code <= left_code || code == missing;
  });
}

// The same for a number with codes of one byte, of which a cache holds four times as many.
inline std::size_t partition_by_byte(const CodedColumn& column, const ChosenSplit& split,
                                     std::span<SampleId> rows, std::vector<SampleId>& right) {
  const std::uint8_t* const codes = column.bytes();
  const std::uint32_t cut = column.code_of(split.threshold);
  const std::uint32_t missing =
      column.has_missing && split.missing_left ? column.known : UINT32_MAX;
  return partition_rows(rows, right, [=](SampleId row) {
    const std::uint32_t code = codes[row];
    return code < cut || code == missing;
  });
}

}  // namespace coppice
