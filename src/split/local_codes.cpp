#include "split/local_codes.h"

#include <algorithm>

#include "split/rows_ahead.h"

namespace coppice {

void LocalCodes::begin(std::size_t features, std::size_t rows) {
  rows_ = rows;
  features_.resize(features);
  if (storage_.size() < features * rows) storage_.resize(features * rows);
}

void LocalCodes::copy(std::size_t feature, const SearchedColumn& parent,
                      std::span<const SampleId> rows) {
  gathered_.gather(parent.span, rows);
  copy_gathered(feature, parent);
}

// A cache line of each row at a time.
void LocalCodes::copy(const RowTable<std::uint32_t>& table, const CodedColumns& columns,
                      std::span<const SampleId> rows) {
  constexpr std::size_t kBlock = 16;
  block_.resize(kBlock * rows.size());
  for (std::size_t first = 0; first < table.width; first += kBlock) {
    const std::size_t count = std::min(kBlock, table.width - first);
    const Strided<std::uint32_t> block{table.cells.data() + first, table.width};
    const RowsAhead ahead(rows, [=](SampleId row) {
      __builtin_prefetch(block + row);
      __builtin_prefetch(block + row + count - 1);
    });
    for_each_row(rows.size(), ahead, [&](std::size_t i) {
      const std::uint32_t* const cells = block + rows[i];
      for (std::size_t c = 0; c < count; ++c) block_[c * rows.size() + i] = cells[c];
    });
    for (std::size_t c = 0; c < count; ++c) {
      const std::uint32_t feature = table.features[first + c];
      const CodedColumn& column = columns.column(feature);
      gathered_.take({block_.data() + c * rows.size(), rows.size()}, column.known,
                     column.has_missing);
      copy_gathered(feature, {column, column.code_span()});
    }
  }
}

void LocalCodes::copy_gathered(std::size_t feature, const SearchedColumn& parent) {
  Copied& copied = features_[feature];
  copied = {.span = parent.span, .kind = parent.kind};
  copied.span.has_missing = gathered_.missing > 0;
  const bool keeps_codes = parent.column.kind == FeatureKind::categorical ||
                           parent.kind == SearchedColumn::Kind::bins || parent.span.known < 256;
  if (!keeps_codes) rank_anew(copied);
  if (copied.span.known + (copied.span.has_missing ? 1 : 0) <= 1u << 8) {
    store<std::uint8_t>(feature);
  } else {
    store<std::uint16_t>(feature);
  }
}

SearchedColumn LocalCodes::searched(std::size_t feature, const CodedColumn& column) const {
  const Copied& copied = features_[feature];
  return {column, copied.span, copied.kind, true};
}

// Replaces the codes by their ranks, the missing code by the number of ranks.
void LocalCodes::rank_anew(Copied& copied) {
  copied.kind = SearchedColumn::Kind::ranks;
  std::vector<std::uint32_t>& codes = gathered_.codes;
  if (!gathered_.any_known()) {
    copied.span.known = 0;
  } else if (CodeRanks::pays(gathered_.range(), codes.size())) {
    ranks_.clear(gathered_.range());
    const CodeRanks::Words words = ranks_.words();
    const std::uint32_t least = gathered_.least, missing = gathered_.missing_code;
    for (const std::uint32_t code : codes)
      if (code != missing) words.mark(code - least);
    copied.span.known = ranks_.count();
    for (std::uint32_t& code : codes)
      if (code != missing) code = words.rank(code - least);
  } else {
    sorted_.sort(gathered_);
    std::uint32_t last = UINT32_MAX, rank = UINT32_MAX;
    for (const std::uint32_t position : sorted_.order()) {
      if (codes[position] != last) ++rank;
      last = codes[position];
      codes[position] = rank;
    }
    copied.span.known = rank + 1;
  }
  if (gathered_.missing > 0)
    std::replace(codes.begin(), codes.end(), gathered_.missing_code, copied.span.known);
}

template <class Code>
void LocalCodes::store(std::size_t feature) {
  Code* const out = reinterpret_cast<Code*>(storage_.data() + feature * rows_);
  std::transform(gathered_.codes.begin(), gathered_.codes.end(), out,
                 [](std::uint32_t code) { return static_cast<Code>(code); });
  features_[feature].span.codes = static_cast<const Code*>(out);
}

}  // namespace coppice
