#include "data/coded_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/radix_sort.h"
#include "base/worker_team.h"

namespace coppice {
namespace {

// Maps floats to integers of the same order; -0 and 0 are one value.
std::uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

float from_ordered_bits(std::uint32_t bits) {
  return std::bit_cast<float>(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

struct SortBuffers {
  std::vector<std::uint64_t> keys, spare;
  std::vector<std::uint32_t> codes;
};

// The known values as (ordered bits << 32 | row), ascending.
void sort_known_values(std::span<const float> values, SortBuffers& buffers) {
  buffers.keys.clear();
  for (std::size_t row = 0; row < values.size(); ++row)
    if (!std::isnan(values[row]))
      buffers.keys.push_back(std::uint64_t{ordered_bits(values[row])} << 32 | row);
  radix_sort(buffers.keys, buffers.spare, 32, 64);
}

std::size_t count_distinct(std::span<const std::uint64_t> sorted) {
  std::size_t distinct = sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    distinct += sorted[i] >> 32 != sorted[i - 1] >> 32;
  return distinct;
}

template <class Code>
std::vector<Code> narrowed(std::span<const std::uint32_t> codes) {
  std::vector<Code> narrow(codes.size());
  std::transform(codes.begin(), codes.end(), narrow.begin(),
                 [](std::uint32_t code) { return static_cast<Code>(code); });
  return narrow;
}

// The missing code is `known`, so a type must hold known + 1 codes if anything is missing.
void store_codes(CodedColumn& column, std::span<const std::uint32_t> codes) {
  const std::uint32_t needed = column.known + (column.has_missing ? 1 : 0);
  if (needed <= 1u << 8) {
    column.codes = narrowed<std::uint8_t>(codes);
  } else if (needed <= 1u << 16) {
    column.codes = narrowed<std::uint16_t>(codes);
  } else {
    column.codes = std::vector<std::uint32_t>(codes.begin(), codes.end());
  }
}

// Rows that hold the value at `first`, which is the first of them.
std::size_t run_length(std::span<const std::uint64_t> sorted, std::size_t first) {
  std::size_t end = first + 1;
  while (end < sorted.size() && sorted[end] >> 32 == sorted[first] >> 32) ++end;
  return end - first;
}

// Every distinct value gets a code; or, beyond max_codes, runs of values that hold about the same
// number of rows share one. A value that would fill a code alone starts one, or a few rows before
// it would vanish in its code.
void code_numbers(std::span<const float> values, std::uint32_t max_codes, SortBuffers& buffers,
                  CodedColumn& column) {
  sort_known_values(values, buffers);
  const std::span<const std::uint64_t> sorted = buffers.keys;
  const std::size_t distinct = count_distinct(sorted);
  const bool binned = max_codes > 0 && distinct > max_codes;
  const double rows_per_code =
      binned ? static_cast<double>(sorted.size()) / static_cast<double>(max_codes) : 0;
  constexpr std::uint32_t kUnset = UINT32_MAX;
  buffers.codes.assign(values.size(), kUnset);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(sorted[i] >> 32);
    const bool new_value = i == 0 || bits != sorted[i - 1] >> 32;
    const bool bin_is_full =
        static_cast<double>(i) >= rows_per_code * static_cast<double>(column.known);
    const bool fills_a_bin = binned && new_value && column.known < max_codes &&
                             static_cast<double>(run_length(sorted, i)) >= rows_per_code;
    if (new_value && (!binned || bin_is_full || fills_a_bin)) {
      column.lowest.push_back(from_ordered_bits(bits));
      if (binned) column.highest.push_back(0);
      ++column.known;
    }
    if (binned) column.highest.back() = from_ordered_bits(bits);
    buffers.codes[static_cast<std::uint32_t>(sorted[i])] = column.known - 1;
  }
  column.has_missing = sorted.size() < values.size();
  std::replace(buffers.codes.begin(), buffers.codes.end(), kUnset, column.known);
  store_codes(column, buffers.codes);
}

void code_categories(std::span<const float> values, std::size_t categories, SortBuffers& buffers,
                     CodedColumn& column) {
  column.known = static_cast<std::uint32_t>(categories);
  buffers.codes.resize(values.size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const bool missing = std::isnan(values[row]);
    column.has_missing |= missing;
    buffers.codes[row] = missing ? column.known : static_cast<std::uint32_t>(values[row]);
  }
  store_codes(column, buffers.codes);
}

}  // namespace

CodedColumns::CodedColumns(const DatasetView& data, std::uint32_t max_codes, std::size_t workers)
    : rows_(data.rows), columns_(data.columns.size()) {
  std::vector<SortBuffers> buffers(workers);
  for_each_task(columns_.size(), workers, [&](std::size_t worker, std::size_t feature) {
    const Feature& described = data.schema->features[feature];
    CodedColumn& column = columns_[feature];
    column.kind = described.kind;
    if (described.kind == FeatureKind::categorical) {
      code_categories(data.columns[feature], described.categories.size(), buffers[worker], column);
    } else {
      code_numbers(data.columns[feature], max_codes, buffers[worker], column);
    }
  });
}

}  // namespace coppice
