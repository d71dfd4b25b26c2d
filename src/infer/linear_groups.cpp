#include "infer/linear_groups.h"

namespace coppice {

// By counting.
void LinearGroups::sort_rows(std::span<const std::uint32_t> leaf_of_row, std::size_t leaves) {
  ends_.assign(leaves + 2, 0);
  for (const std::uint32_t leaf : leaf_of_row) ++ends_[leaf + 2];
  for (std::size_t leaf = 2; leaf < ends_.size(); ++leaf) ends_[leaf] += ends_[leaf - 1];
  rows_.resize(leaf_of_row.size());
  for (std::size_t row = 0; row < leaf_of_row.size(); ++row)
    rows_[ends_[leaf_of_row[row] + 1]++] = static_cast<std::uint32_t>(row);
}

// Returns the number of terms.
std::size_t LinearGroups::find_terms(const float* payload, std::span<const std::uint32_t> rows,
                                     const RowSource& source, std::size_t first) {
  terms_.resize(layout_.terms() * rows.size());
  for (std::size_t n = 0; n < layout_.terms(); ++n) {
    const float* const term = payload + layout_.term(n);
    if (term[LinearTerm::power] <= 0) return n;
    const auto feature = static_cast<std::size_t>(term[LinearTerm::feature]);
    double* const values = terms_.data() + n * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i)
      values[i] = term_value(term, source.value(feature, first + rows[i]));
  }
  return layout_.terms();
}

void LinearGroups::answer(const float* payload, std::span<const std::uint32_t> rows,
                          const RowSource& source, std::size_t first) {
  const std::size_t outputs = layout_.outputs(), count = rows.size();
  const std::size_t terms = find_terms(payload, rows, source, first);
  means_.resize(outputs * count);
  variances_.resize(outputs * count);
  for (std::size_t k = 0; k < outputs; ++k) {
    double* const means = means_.data() + k * count;
    std::fill_n(means, count, double{payload[k]});
    std::fill_n(variances_.data() + k * count, count, double{payload[outputs + k]});
    const float* const coefficients = payload + layout_.coefficients(k);
    for (std::size_t n = 0; n < terms; ++n) {
      const double coefficient = double{coefficients[n]};
      const double* const values = terms_.data() + n * count;
      for (std::size_t i = 0; i < count; ++i) means[i] += coefficient * values[i];
    }
  }
  if (layout_.kind() == PayloadKind::linear_gaussian) widen_variances(payload, count, terms);
}

// By 1 + leverage (Einfalt 2014, eq. 3.30).
void LinearGroups::widen_variances(const float* payload, std::size_t rows, std::size_t terms) {
  leverages_.assign(rows, double{payload[layout_.inverse_weight()]});
  const float* factor = payload + layout_.factor();
  for (std::size_t n = 0; n < terms; ++n) {
    along_.assign(rows, 0);
    for (std::size_t m = 0; m <= n; ++m) {
      const double entry = double{*factor++};
      const double* const values = terms_.data() + m * rows;
      for (std::size_t i = 0; i < rows; ++i) along_[i] += entry * values[i];
    }
    for (std::size_t i = 0; i < rows; ++i) leverages_[i] += along_[i] * along_[i];
  }
  for (std::size_t at = 0; at < variances_.size(); ++at)
    variances_[at] *= 1 + leverages_[at % rows];
}

void LinearGroups::add(std::span<const std::uint32_t> rows, const VoteSums& sums) {
  const std::size_t outputs = layout_.outputs();
  answer_.mean.resize(outputs);
  answer_.variance.resize(outputs);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < outputs; ++k) {
      answer_.mean[k] = means_[k * rows.size() + i];
      answer_.variance[k] = variances_[k * rows.size() + i];
    }
    rule_.add_moments(answer_, sums.of_row(rows[i], outputs));
  }
}

}  // namespace coppice
