#include "leaf/leaf_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wide_loops.h"

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

// Rows of a table, which lie anywhere.
struct Gathered {
  const float* values;
  std::size_t columns;
  const SampleId* rows;
  std::size_t count;

  Gathered(const NumericTable& table, std::span<const SampleId> ids)
      : values(table.row(0)), columns(table.columns()), rows(ids.data()), count(ids.size()) {}

  const float* row(std::size_t i) const { return values + rows[i] * columns; }
  void fetch_ahead(std::size_t i) const {
    constexpr std::size_t kAhead = 8, kLine = 64 / sizeof(float);
    const float* const next = row(std::min(i + kAhead, count - 1));
    for (std::size_t at = 0; at < columns; at += kLine) __builtin_prefetch(next + at);
  }
};

// Sums and weights of what is usable, column by column.
struct SumsLoop {
  [[gnu::always_inline]] static void run(Gathered leaf, const double* weights,
                                         double* __restrict sums, double* __restrict totals) {
    for (std::size_t i = 0; i < leaf.count; ++i) {
      leaf.fetch_ahead(i);
      const float* const x = leaf.row(i);
      const double weight = weights[i];
      for (std::size_t c = 0; c < leaf.columns; ++c) {
        sums[c] += weight * double{usable(x[c]) ? x[c] : 0.0f};
        totals[c] += usable(x[c]) ? weight : 0.0;
      }
    }
  }
};

// Squared deviations; what is not usable has none.
struct DeviationsLoop {
  [[gnu::always_inline]] static void run(Gathered leaf, const double* weights, const float* centres,
                                         double* __restrict sums) {
    for (std::size_t i = 0; i < leaf.count; ++i) {
      const float* const x = leaf.row(i);
      const double weight = weights[i];
      for (std::size_t c = 0; c < leaf.columns; ++c) {
        const double deviation = double{usable(x[c]) ? x[c] : centres[c]} - double{centres[c]};
        sums[c] += weight * deviation * deviation;
      }
    }
  }
};

// What a term is made of, in arrays with an entry per term.
struct TermArrays {
  std::size_t size, linear_terms;
  const float* centres;
  const double *scales, *most, *means;
  const float* powers;
};

struct TermsLoop {
  // x[term] is the value of the term's column.
  [[gnu::always_inline]] static void run(const float* x, TermArrays terms, double* __restrict out) {
    for (std::size_t n = 0; n < terms.size; ++n) {
      const float usable_x = usable(x[n]) ? x[n] : terms.centres[n];
      const double deviation = (double{usable_x} - double{terms.centres[n]}) * terms.scales[n];
      out[n] = std::min(std::max(deviation, -terms.most[n]), terms.most[n]);
    }
    for (std::size_t n = terms.linear_terms; n < terms.size; ++n) {
      const double base = out[n];
      for (float power = 1; power < terms.powers[n]; ++power) out[n] *= base;
    }
    for (std::size_t n = 0; n < terms.size; ++n) out[n] -= terms.means[n];
  }
};

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

void LeafTerms::find(const NumericTable& table, const LeafRows& leaf, std::size_t degree,
                     TermMatrix& matrix) {
  const std::size_t columns = table.columns(), size = columns * degree;
  linear_terms_ = columns;
  columns_.resize(size);
  powers_.resize(size);
  centres_.assign(size, 0);
  scales_.assign(size, 0);
  most_.resize(size);
  means_.assign(size, 0);
  if (size == 0) return evaluate(table, leaf.rows, matrix);
  find_scales(table, leaf);
  for (std::size_t n = 0; n < size; ++n) {
    columns_[n] = n % columns;
    powers_[n] = static_cast<float>(n / columns + 1);
    centres_[n] = centres_[n % columns];
    scales_[n] = scales_[n % columns];
    most_[n] = powers_[n] > 1 ? LinearTerm::kMostDeviationsOfPowers : LinearTerm::kMostDeviations;
  }
  find_means(table, leaf, matrix);
}

// Mean and deviation of every column. A value that cannot be used is left out of the mean and adds
// nothing to the deviation.
void LeafTerms::find_scales(const NumericTable& table, const LeafRows& leaf) {
  const std::size_t columns = table.columns();
  sums_.assign(columns, 0);
  totals_.assign(columns, 0);
  double *const sums = sums_.data(), *const totals = totals_.data();
  const Gathered rows(table, leaf.rows);
  run_loop<SumsLoop>(rows, leaf.weights.data(), sums, totals);
  for (std::size_t c = 0; c < columns; ++c)
    centres_[c] = totals[c] > 0 ? static_cast<float>(sums[c] / totals[c]) : 0;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  const float* const centres = centres_.data();
  run_loop<DeviationsLoop>(rows, leaf.weights.data(), centres, sums);
  constexpr double kLeast = 1e-30, kMost = 1e30, kRounding = 1e-6;
  for (std::size_t c = 0; c < columns; ++c) {
    const double deviation = std::sqrt(sums[c] / leaf.count());
    const double least = std::max(kLeast, kRounding * std::abs(double{centres[c]}));
    if (deviation > least && deviation < kMost)
      scales_[c] = double{static_cast<float>(1 / deviation)};
  }
}

// In blocks of rows, so that the values of a large leaf need little room.
void LeafTerms::find_means(const NumericTable& table, const LeafRows& leaf, TermMatrix& matrix) {
  sums_.assign(size(), 0);
  double* const sums = sums_.data();
  for (std::size_t first = 0; first < leaf.rows.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, leaf.rows.size() - first);
    evaluate(table, leaf.rows.subspan(first, count), matrix);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const row = matrix.row(i);
      const double weight = leaf.weights[first + i];
      for (std::size_t n = 0; n < size(); ++n) sums[n] += weight * row[n];
    }
  }
  for (std::size_t n = 0; n < size(); ++n)
    means_[n] = double{static_cast<float>(sums[n] / leaf.count())};
  const double* const means = means_.data();
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    double* const row = matrix.row(i);
    for (std::size_t n = 0; n < size(); ++n) row[n] -= means[n];
  }
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
  const float* x = row;
  if (linear_terms_ != size()) {
    for (std::size_t n = 0; n < size(); ++n) row_[n] = row[columns_[n]];
    x = row_.data();
  }
  run_loop<TermsLoop>(x,
                      TermArrays{size(), linear_terms_, centres_.data(), scales_.data(),
                                 most_.data(), means_.data(), powers_.data()},
                      out);
}

std::array<float, LinearTerm::kFloats> LeafTerms::term(const NumericTable& table,
                                                       std::size_t n) const {
  return {static_cast<float>(table.feature(columns_[n])), powers_[n], centres_[n],
          static_cast<float>(scales_[n]), static_cast<float>(means_[n])};
}

}  // namespace coppice
