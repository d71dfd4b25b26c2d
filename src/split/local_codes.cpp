#include "split/local_codes.h"

#include <algorithm>

namespace coppice {

void LocalCodes::begin(std::size_t features, std::size_t rows, bool with_values) {
  rows_ = rows;
  with_values_ = with_values;
  features_.resize(features);
  if (storage_.size() < features * rows) storage_.resize(features * rows);
  if (with_values && values_.size() < features * rows) values_.resize(features * rows);
}

void LocalCodes::copy(std::size_t feature, const SearchedColumn& parent,
                      std::span<const SampleId> rows) {
  gathered_.gather(parent.span, rows);
  Copied& copied = features_[feature];
  copied = {.span = parent.span, .kind = parent.kind, .values = parent.values};
  copied.span.has_missing = gathered_.missing > 0;
  const bool keeps_codes =
      parent.column.kind == FeatureKind::categorical || parent.span.known < 256;
  if (!keeps_codes && gathered_.any_known())
    rank_anew(copied, parent.values, values_.data() + (with_values_ ? feature * rows_ : 0));
  if (copied.span.known + (copied.span.has_missing ? 1 : 0) <= 1u << 8) {
    store<std::uint8_t>(feature);
  } else {
    store<std::uint16_t>(feature);
  }
}

SearchedColumn LocalCodes::searched(std::size_t feature, const CodedColumn& column) const {
  const Copied& copied = features_[feature];
  return {column, copied.span, copied.kind, copied.values};
}

// Replaces the codes by their ranks, the missing code by the number of ranks.
void LocalCodes::rank_anew(Copied& copied, const float* parent_values, float* values) {
  copied.kind = SearchedColumn::Kind::ranks;
  if (with_values_) copied.values = values;
  const auto rename = [&](std::uint32_t& code, std::uint32_t rank) {
    if (with_values_) values[rank] = parent_values[code];
    code = rank;
  };
  std::vector<std::uint32_t>& codes = gathered_.codes;
  if (CodeRanks::pays(gathered_.range(), codes.size())) {
    ranks_.clear(gathered_.range());
    for (const std::uint32_t code : codes)
      if (code != gathered_.missing_code) ranks_.mark(code - gathered_.least);
    copied.span.known = ranks_.count();
    for (std::uint32_t& code : codes)
      if (code != gathered_.missing_code) rename(code, ranks_.rank(code - gathered_.least));
  } else {
    sorted_.sort(gathered_);
    std::uint32_t last = UINT32_MAX, rank = UINT32_MAX;
    for (const std::uint32_t position : sorted_.order()) {
      if (codes[position] != last) ++rank;
      last = codes[position];
      rename(codes[position], rank);
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
