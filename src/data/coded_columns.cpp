#include "data/coded_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/bit_square.h"
#include "base/lanes.h"
#include "base/radix_sort.h"
#include "base/wide_loops.h"
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

struct CodingBuffers {
  std::vector<std::uint64_t> keys, spare;
  std::vector<std::uint16_t> integers;
  std::vector<std::uint32_t> codes, rows_of_code, bin_of_code;
  std::vector<float> values;  // by code
};

// The known values as (ordered bits << 32 | row), ascending.
void sort_known_values(std::span<const float> values, CodingBuffers& buffers) {
  buffers.keys.clear();
  for (std::size_t row = 0; row < values.size(); ++row)
    if (!std::isnan(values[row]))
      buffers.keys.push_back(std::uint64_t{ordered_bits(values[row])} << 32 | row);
  constexpr std::size_t kFew = 32;  // below, counting digits costs more than comparing
  if (buffers.keys.size() <= kFew) {
    std::ranges::sort(buffers.keys);
  } else {
    radix_sort(buffers.keys, buffers.spare, 32, 64);
  }
}

template <class Code, class CodeAt>
LargeVector<Code> codes_of(std::size_t rows, CodeAt&& code_at) {
  LargeVector<Code> codes(rows);
  for (std::size_t row = 0; row < rows; ++row) codes[row] = static_cast<Code>(code_at(row));
  return codes;
}

// code_at(row) of all rows. The missing code is `known`, so a type must hold known + 1 codes if
// anything is missing.
template <class CodeAt>
CodeVector narrowest(std::size_t rows, std::uint32_t known, bool has_missing, CodeAt&& code_at) {
  const std::uint32_t needed = known + (has_missing ? 1 : 0);
  if (needed <= 1u << 8) return codes_of<std::uint8_t>(rows, code_at);
  if (needed <= 1u << 16) return codes_of<std::uint16_t>(rows, code_at);
  return codes_of<std::uint32_t>(rows, code_at);
}

constexpr std::uint32_t kUnset = UINT32_MAX;

// Columns of pixels, marks and flags hold nothing but integers below this, or nothing at all, and
// need no sorting.
constexpr int kSmallIntegers = 256;

// Writes small integers, kSmallIntegers where a value is missing, or sets *others. Whole lanes.
struct TakeIntegers {
  [[gnu::always_inline]] static void run(const float* values, std::size_t count,
                                         std::uint16_t* integers, bool* others) {
    using Floats = Lanes<float>::All;
    Lanes<std::int32_t> other;
    for (std::size_t first = 0; first < count; first += kLanes) {
      Floats value;
      std::memcpy(&value, values + first, sizeof(value));
      const Floats above = value >= 0 ? value : Floats{};
      const auto integer = __builtin_convertvector(above < kSmallIntegers ? above : Floats{},
                                                   Lanes<std::int32_t>::All);
      const auto missing = value != value;
      other.all |= ~(missing | (__builtin_convertvector(integer, Floats) == value));
      const auto written =
          __builtin_convertvector(integer + (missing & kSmallIntegers), Lanes<std::uint16_t>::All);
      std::memcpy(integers + first, &written, sizeof(written));
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) *others |= other[lane] != 0;
  }
};

// All values as small integers; false if there are others.
bool take_integers(std::span<const float> values, std::vector<std::uint16_t>& integers) {
  constexpr std::size_t kBlock = 1024;
  const std::size_t whole = values.size() / kLanes * kLanes, rest = values.size() - whole;
  integers.resize(whole + kLanes);
  std::array<float, kLanes> last{};
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), last.begin());
  bool others = false;
  run_loop<TakeIntegers>(last.data(), kLanes, integers.data() + whole, &others);
  for (std::size_t first = 0; first < whole && !others; first += kBlock)
    run_loop<TakeIntegers>(values.data() + first, std::min(kBlock, whole - first),
                           integers.data() + first, &others);
  integers.resize(whole + rest);
  return !others;
}

using IntegerCounts = std::array<std::uint32_t, kSmallIntegers + 1>;

// Four counts in turn: neighbouring rows are often alike, and none then waits for the other.
IntegerCounts count_integers(std::span<const std::uint16_t> integers) {
  constexpr std::size_t kTurns = 4;
  std::array<IntegerCounts, kTurns> counts{};
  for (std::size_t row = 0; row < integers.size(); ++row) ++counts[row % kTurns][integers[row]];
  for (std::size_t turn = 1; turn < kTurns; ++turn)
    for (std::size_t i = 0; i < counts[0].size(); ++i) counts[0][i] += counts[turn][i];
  return counts[0];
}

// Codes as code_by_sorting() would give them; false if there are other values.
bool code_small_integers(std::span<const float> values, CodingBuffers& buffers,
                         CodedColumn& column) {
  if (!take_integers(values, buffers.integers)) return false;
  const IntegerCounts rows_of = count_integers(buffers.integers);
  IntegerCounts code_of{};
  buffers.rows_of_code.clear();
  for (std::uint32_t integer = 0; integer < kSmallIntegers; ++integer) {
    if (rows_of[integer] == 0) continue;
    code_of[integer] = column.known++;
    buffers.values.push_back(static_cast<float>(integer));
    buffers.rows_of_code.push_back(rows_of[integer]);
  }
  code_of[kSmallIntegers] = column.known;
  column.has_missing = rows_of[kSmallIntegers] > 0;
  column.codes = narrowest(values.size(), column.known, column.has_missing,
                           [&](std::size_t row) { return code_of[buffers.integers[row]]; });
  return true;
}

void code_by_sorting(std::span<const float> values, CodingBuffers& buffers, CodedColumn& column) {
  sort_known_values(values, buffers);
  const std::span<const std::uint64_t> sorted = buffers.keys;
  buffers.codes.assign(values.size(), kUnset);
  buffers.rows_of_code.clear();
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(sorted[i] >> 32);
    if (i == 0 || bits != sorted[i - 1] >> 32) {
      buffers.values.push_back(from_ordered_bits(bits));
      buffers.rows_of_code.push_back(0);
      ++column.known;
    }
    ++buffers.rows_of_code.back();
    buffers.codes[static_cast<std::uint32_t>(sorted[i])] = column.known - 1;
  }
  column.has_missing = sorted.size() < values.size();
  column.codes = narrowest(values.size(), column.known, column.has_missing, [&](std::size_t row) {
    return buffers.codes[row] == kUnset ? column.known : buffers.codes[row];
  });
}

// Tells what can be told of a column that gets no codes; false if it needs them.
bool leave_uncoded(std::span<const float> values, CodingBuffers& buffers, CodedColumn& column) {
  float least = INFINITY, most = -INFINITY;
  bool missing = false;
  for (const float value : values) {
    least = value < least ? value : least;
    most = value > most ? value : most;
    missing |= value != value;
  }
  if (!std::isfinite(least) || !std::isfinite(most)) return false;
  column.has_missing = missing;
  column.varies = least < most || missing;
  column.codes = LargeVector<std::uint32_t>();
  buffers.rows_of_code.clear();
  return true;
}

// Every distinct value gets a code; `rows_of_code` counts its rows.
void code_numbers(std::span<const float> values, NumberCoding coding, CodingBuffers& buffers,
                  CodedColumn& column) {
  buffers.values.clear();
  if (!code_small_integers(values, buffers, column)) {
    if (coding == NumberCoding::where_needed && leave_uncoded(values, buffers, column)) return;
    code_by_sorting(values, buffers, column);
  }
  column.varies = column.known + (column.has_missing ? 1 : 0) > 1;
  column.values.assign(buffers.values.begin(), buffers.values.end());
}

// The code that more than half of all rows have.
std::uint32_t majority(std::span<const std::uint32_t> rows_of_code, std::size_t rows) {
  const auto most = std::max_element(rows_of_code.begin(), rows_of_code.end());
  return most != rows_of_code.end() && 2 * std::size_t{*most} > rows
             ? static_cast<std::uint32_t>(most - rows_of_code.begin())
             : CodedColumn::kNone;
}

RowBits rows_of_others(const CodeSpan& codes, std::size_t rows, std::uint32_t common) {
  RowBits others(rows);
  codes.visit([&](const auto all) {
    for (std::size_t first = 0; first < rows; first += 64) {
      const std::size_t count = std::min<std::size_t>(64, rows - first);
      std::uint64_t word = 0;
      for (std::size_t bit = 0; bit < count; ++bit)
        word |= std::uint64_t{all[static_cast<SampleId>(first + bit)] != common} << bit;
      others.set_word(first / 64, word);
    }
  });
  return others;
}

// A code that would fill a bin alone starts one, or a few rows before it would vanish in its bin.
void start_bins(std::span<const std::uint32_t> rows_of_code, std::uint32_t max_bins,
                CodedColumn& column) {
  std::size_t known_rows = 0, rows = 0;
  for (const std::uint32_t count : rows_of_code) known_rows += count;
  const double rows_per_bin = static_cast<double>(known_rows) / max_bins;
  for (std::uint32_t code = 0; code < rows_of_code.size(); ++code) {
    const auto bins = static_cast<double>(column.bin_start.size());
    const bool bin_is_full = static_cast<double>(rows) >= rows_per_bin * bins;
    const bool fills_a_bin =
        column.bin_start.size() < max_bins && rows_of_code[code] >= rows_per_bin;
    if (bin_is_full || fills_a_bin) column.bin_start.push_back(code);
    rows += rows_of_code[code];
  }
  column.bin_start.push_back(column.known);
}

// Afterwards rows of codes are those of the bins.
void bin_numbers(std::uint32_t max_bins, CodingBuffers& buffers, CodedColumn& column) {
  start_bins(buffers.rows_of_code, max_bins, column);
  const auto bins = static_cast<std::uint32_t>(column.bin_start.size()) - 1;
  std::vector<std::uint32_t>& bin_of_code = buffers.bin_of_code;
  bin_of_code.resize(column.known + 1);
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const std::uint32_t begin = column.bin_start[bin], end = column.bin_start[bin + 1];
    std::fill(bin_of_code.begin() + begin, bin_of_code.begin() + end, bin);
    const auto first = buffers.rows_of_code.begin();
    buffers.rows_of_code[bin] = std::accumulate(first + begin, first + end, std::uint32_t{0});
  }
  buffers.rows_of_code.resize(bins);
  bin_of_code[column.known] = bins;
  column.code_span().visit([&](const auto codes) {
    column.bins = narrowest(column.raw.size(), bins, column.has_missing, [&](std::size_t row) {
      return bin_of_code[codes[static_cast<SampleId>(row)]];
    });
  });
}

void code_categories(std::span<const float> values, std::size_t categories, CodedColumn& column) {
  column.known = static_cast<std::uint32_t>(categories);
  column.has_missing =
      std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
  column.varies = column.known + (column.has_missing ? 1 : 0) > 1;
  column.codes = narrowest(values.size(), column.known, column.has_missing, [&](std::size_t row) {
    return std::isnan(values[row]) ? column.known : static_cast<std::uint32_t>(values[row]);
  });
}

// cells_of(column) is null for a column that is left out.
template <class Cell, class CellsOf>
RowTable<Cell> row_table(std::span<const CodedColumn> columns, std::size_t rows,
                         std::size_t workers, CellsOf&& cells_of) {
  RowTable<Cell> table;
  std::vector<const Cell*> cells;
  table.place_of.assign(columns.size(), RowTable<Cell>::kNone);
  for (std::size_t feature = 0; feature < columns.size(); ++feature) {
    const Cell* const column = cells_of(columns[feature]);
    if (!column) continue;
    table.place_of[feature] = static_cast<std::uint32_t>(cells.size());
    table.features.push_back(static_cast<std::uint32_t>(feature));
    cells.push_back(column);
  }
  table.width = cells.size();
  table.cells.resize(rows * cells.size());
  // Tiles of both layouts that fit the cache.
  constexpr std::size_t kTileRows = 256, kTileColumns = 64;
  for_each_task((rows + kTileRows - 1) / kTileRows, workers, [&](std::size_t, std::size_t tile) {
    const std::size_t first = tile * kTileRows, last = std::min(rows, first + kTileRows);
    for (std::size_t block = 0; block < cells.size(); block += kTileColumns)
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t c = block; c < std::min(cells.size(), block + kTileColumns); ++c)
          table.cells[row * cells.size() + c] = cells[c][row];
  });
  return table;
}

// 64 rows of 64 columns at a time.
BitRows bit_rows(std::span<const CodedColumn> columns, std::size_t rows, std::size_t workers) {
  BitRows table;
  for (std::uint32_t feature = 0; feature < columns.size(); ++feature)
    if (columns[feature].common != CodedColumn::kNone && !columns[feature].binned())
      table.features.push_back(feature);
  table.words = (table.features.size() + 63) / 64;
  table.cells.resize(rows * table.words);
  for_each_task((rows + 63) / 64, workers, [&](std::size_t, std::size_t tile) {
    const std::size_t first = tile * 64, last = std::min(rows, first + 64);
    for (std::size_t word = 0; word < table.words; ++word) {
      BitSquare<std::uint64_t> square{};
      for (std::size_t b = 0; b < 64 && word * 64 + b < table.features.size(); ++b)
        square[b] = columns[table.features[word * 64 + b]].others.words()[tile];
      transpose(square);
      for (std::size_t row = first; row < last; ++row)
        table.cells[row * table.words + word] = square[row - first];
    }
  });
  return table;
}

}  // namespace

CodedColumns::CodedColumns(const DatasetView& data, std::uint32_t max_bins, std::size_t workers,
                           NumberCoding coding)
    : rows_(data.rows), columns_(data.columns.size()) {
  std::vector<CodingBuffers> buffers(workers);
  for_each_task(columns_.size(), workers, [&](std::size_t worker, std::size_t feature) {
    const Feature& described = data.schema->features[feature];
    CodedColumn& column = columns_[feature];
    column.kind = described.kind;
    column.raw = data.columns[feature];
    if (described.kind == FeatureKind::categorical) {
      code_categories(data.columns[feature], described.categories.size(), column);
    } else {
      code_numbers(data.columns[feature], coding, buffers[worker], column);
      const std::uint32_t bins = max_bins == 256 && column.has_missing ? 255 : max_bins;
      if (bins > 0 && column.known > bins) bin_numbers(bins, buffers[worker], column);
      column.common = majority(buffers[worker].rows_of_code, rows_);
      if (column.common != CodedColumn::kNone)
        column.others = rows_of_others(column.binned() ? column.bin_span() : column.code_span(),
                                       rows_, column.common);
    }
  });
}

void CodedColumns::add_code_rows(std::size_t workers) {
  code_rows_ = row_table<std::uint8_t>(columns_, rows_, workers, [](const CodedColumn& column) {
    const auto* codes = std::get_if<LargeVector<std::uint8_t>>(&column.codes);
    return codes ? codes->data() : nullptr;
  });
  other_rows_ = bit_rows(columns_, rows_, workers);
}

void CodedColumns::add_value_rows(std::size_t workers) {
  value_rows_ = row_table<float>(columns_, rows_, workers, [](const CodedColumn& column) {
    return column.kind == FeatureKind::numeric ? column.raw.data() : nullptr;
  });
}

void CodedColumns::move_codes_to_rows(std::size_t workers) {
  const auto widened = [](const CodedColumn& column) {
    return column.code_span().visit([&](const auto codes) {
      LargeVector<std::uint32_t> wide(column.raw.size());
      for (std::size_t row = 0; row < wide.size(); ++row)
        wide[row] = codes[static_cast<SampleId>(row)];
      return wide;
    });
  };
  for (CodedColumn& column : columns_)
    if (column.binned()) column.codes = widened(column);
  wide_rows_ = row_table<std::uint32_t>(columns_, rows_, workers, [](const CodedColumn& column) {
    const auto* codes = std::get_if<LargeVector<std::uint32_t>>(&column.codes);
    return codes && column.binned() ? codes->data() : nullptr;
  });
  for (std::size_t feature = 0; feature < columns_.size(); ++feature) {
    if (!wide_rows_.has(feature)) continue;
    columns_[feature].row_codes = wide_rows_.column(feature);
    columns_[feature].codes = CodeVector{};
  }
}

}  // namespace coppice
