#include "leaf/leaf_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {
namespace {

// Numbers up to here are exact as floats.
constexpr std::size_t kMostFeatures = std::size_t{1} << 24;

std::vector<std::size_t> numeric_features(const Schema& schema) {
  std::vector<std::size_t> numeric;
  for (std::size_t f = 0; f < std::min(schema.features.size(), kMostFeatures); ++f)
    if (schema.features[f].kind == FeatureKind::numeric) numeric.push_back(f);
  return numeric;
}

bool usable(float x) { return std::abs(x) <= std::numeric_limits<float>::max(); }

void fetch_ahead(const NumericTable& table, std::span<const SampleId> rows, std::size_t i) {
  constexpr std::size_t kAhead = 8, kLine = 64 / sizeof(float);
  const float* const next = table.row(rows[std::min(i + kAhead, rows.size() - 1)]);
  for (std::size_t at = 0; at < table.columns(); at += kLine) __builtin_prefetch(next + at);
}

template <class T>
void keep_entries(std::vector<T>& all, std::span<const std::size_t> chosen) {
  std::vector<T> kept;
  for (const std::size_t n : chosen) kept.push_back(all[n]);
  all = std::move(kept);
}

}  // namespace

NumericTable::NumericTable(const DatasetView& data)
    : features_(numeric_features(*data.schema)), values_(features_.size() * data.rows) {
  for (std::size_t column = 0; column < columns(); ++column) {
    const std::span<const float> values = data.columns[features_[column]];
    for (std::size_t row = 0; row < data.rows; ++row)
      values_[row * columns() + column] = values[row];
  }
}

std::size_t NumericTable::bytes(const Schema& schema, std::size_t rows) {
  return numeric_features(schema).size() * rows * sizeof(float);
}

void LeafTerms::find(const NumericTable& table, const LeafRows& leaf, std::size_t degree) {
  const std::size_t columns = table.columns(), size = columns * degree;
  linear_terms_ = columns;
  columns_.resize(size);
  powers_.resize(size);
  centres_.assign(size, 0);
  scales_.assign(size, 0);
  most_.resize(size);
  means_.assign(size, 0);
  if (size == 0) return;
  find_scales(table, leaf);
  for (std::size_t n = 0; n < size; ++n) {
    columns_[n] = n % columns;
    powers_[n] = static_cast<float>(n / columns + 1);
    centres_[n] = centres_[n % columns];
    scales_[n] = scales_[n % columns];
    most_[n] = powers_[n] > 1 ? LinearTerm::kMostDeviationsOfPowers : LinearTerm::kMostDeviations;
  }
  find_means(table, leaf);
}

// Mean and deviation of every column. A value that cannot be used is left out of the mean and adds
// nothing to the deviation.
void LeafTerms::find_scales(const NumericTable& table, const LeafRows& leaf) {
  const std::size_t columns = table.columns();
  sums_.assign(columns, 0);
  totals_.assign(columns, 0);
  double *const sums = sums_.data(), *const totals = totals_.data();
  for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
    fetch_ahead(table, leaf.rows, i);
    const float* const x = table.row(leaf.rows[i]);
    const double weight = leaf.weights[i];
    for (std::size_t c = 0; c < columns; ++c) {
      sums[c] += weight * double{usable(x[c]) ? x[c] : 0.0f};
      totals[c] += usable(x[c]) ? weight : 0.0;
    }
  }
  for (std::size_t c = 0; c < columns; ++c)
    centres_[c] = totals[c] > 0 ? static_cast<float>(sums[c] / totals[c]) : 0;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  const float* const centres = centres_.data();
  for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
    const float* const x = table.row(leaf.rows[i]);
    const double weight = leaf.weights[i];
    for (std::size_t c = 0; c < columns; ++c) {
      const double deviation = double{usable(x[c]) ? x[c] : centres[c]} - double{centres[c]};
      sums[c] += weight * deviation * deviation;
    }
  }
  constexpr double kLeast = 1e-30, kMost = 1e30, kRounding = 1e-6;
  for (std::size_t c = 0; c < columns; ++c) {
    const double deviation = std::sqrt(sums[c] / leaf.count());
    const double least = std::max(kLeast, kRounding * std::abs(double{centres[c]}));
    if (deviation > least && deviation < kMost)
      scales_[c] = double{static_cast<float>(1 / deviation)};
  }
}

// In blocks of rows, so that the values of a large leaf need no room.
void LeafTerms::find_means(const NumericTable& table, const LeafRows& leaf) {
  constexpr std::size_t kBlock = 512;
  sums_.assign(size(), 0);
  for (std::size_t first = 0; first < leaf.rows.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, leaf.rows.size() - first);
    evaluate(table, leaf.rows.subspan(first, count), block_);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const row = block_.row(i);
      for (std::size_t n = 0; n < size(); ++n) sums_[n] += leaf.weights[first + i] * row[n];
    }
  }
  for (std::size_t n = 0; n < size(); ++n)
    means_[n] = double{static_cast<float>(sums_[n] / leaf.count())};
}

void LeafTerms::keep(std::span<const std::size_t> chosen) {
  keep_entries(columns_, chosen);
  keep_entries(powers_, chosen);
  keep_entries(centres_, chosen);
  keep_entries(scales_, chosen);
  keep_entries(most_, chosen);
  keep_entries(means_, chosen);
  linear_terms_ = 0;
}

void LeafTerms::evaluate(const NumericTable& table, std::span<const SampleId> rows,
                         TermMatrix& matrix) {
  matrix.rows = rows.size();
  matrix.terms = size();
  matrix.values.resize(rows.size() * size());
  row_.resize(size());
  for (std::size_t i = 0; i < rows.size(); ++i) evaluate_row(table.row(rows[i]), matrix.row(i));
}

void LeafTerms::evaluate_row(const float* row, double* out) {
  float* const x = row_.data();
  for (std::size_t n = 0; n < size(); ++n) x[n] = row[columns_[n]];
  const float* const centres = centres_.data();
  const double *const scales = scales_.data(), *const most = most_.data();
  for (std::size_t n = 0; n < size(); ++n) {
    const float usable_x = usable(x[n]) ? x[n] : centres[n];
    const double deviation = (double{usable_x} - double{centres[n]}) * scales[n];
    out[n] = std::min(std::max(deviation, -most[n]), most[n]);
  }
  for (std::size_t n = linear_terms_; n < size(); ++n) {
    const double base = out[n];
    for (float power = 1; power < powers_[n]; ++power) out[n] *= base;
  }
  for (std::size_t n = 0; n < size(); ++n) out[n] -= means_[n];
}

std::array<float, LinearTerm::kFloats> LeafTerms::term(const NumericTable& table,
                                                       std::size_t n) const {
  return {static_cast<float>(table.feature(columns_[n])), powers_[n], centres_[n],
          static_cast<float>(scales_[n]), static_cast<float>(means_[n])};
}

}  // namespace coppice
