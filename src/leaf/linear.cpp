#include "leaf/linear.h"

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"

namespace coppice {
namespace {

// Rows that choose the regressors of a large leaf; all of them estimate the coefficients.
constexpr std::size_t kSelectingRows = 2048;
constexpr double kLeastPivot = 1e-10;
// Numbers up to here are exact as floats.
constexpr std::size_t kMostFeatures = std::size_t{1} << 24;

// `count` of the positions below `size`, evenly spread.
std::vector<std::size_t> spread_positions(std::size_t size, std::size_t count) {
  std::vector<std::size_t> positions(std::min(size, count));
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i * size / positions.size();
  return positions;
}

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const std::size_t> positions) {
  std::vector<T> chosen;
  for (const std::size_t position : positions) chosen.push_back(all[position]);
  return chosen;
}

void append_centred(CentredColumns& columns, std::span<const double> values,
                    std::span<const double> weights) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  for (const double value : values) columns.values.push_back(value - sum / total);
}

double weighted_product(const LeafRows& leaf, std::span<const double> a,
                        std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += leaf.weights[i] * a[i] * b[i];
  return sum;
}

}  // namespace

struct LinearLeafModel::Solution {
  std::vector<Term> terms;
  std::vector<double> factor;                     // of T' T
  std::vector<std::vector<double>> coefficients;  // per output
  std::vector<double> means, variances;           // per output
};

LinearLeafModel::LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                                 const FixedPointWeights& weights, const LinearLeafRule& rule)
    : columns_(data.columns),
      targets_(targets),
      weights_(weights),
      rule_(rule),
      layout_(rule.probabilistic ? PayloadKind::linear_gaussian : PayloadKind::linear,
              targets.outputs(), rule.regressors) {
  for (std::size_t f = 0; f < std::min(columns_.size(), kMostFeatures); ++f)
    if (data.schema->features[f].kind == FeatureKind::numeric) numeric_.push_back(f);
}

std::vector<double> LinearLeafModel::values_of(const Term& term,
                                               std::span<const SampleId> rows) const {
  const std::span<const float> column =
      columns_[static_cast<std::size_t>(term[LinearTerm::feature])];
  std::vector<double> values;
  values.reserve(rows.size());
  for (const SampleId row : rows) values.push_back(term_value(term.data(), column[row]));
  return values;
}

// Terms of a feature that varies within the leaf.
void LinearLeafModel::append_powers(const LeafRows& leaf, std::size_t feature,
                                    std::vector<Term>& terms) const {
  const std::span<const float> column = columns_[feature];
  double sum = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
    const float x = column[leaf.rows[i]];
    if (!std::isfinite(x)) continue;
    sum += leaf.weights[i] * double{x};
    total += leaf.weights[i];
  }
  if (total <= 0) return;
  const auto centre = static_cast<float>(sum / total);
  for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
    const float x = column[leaf.rows[i]];
    if (!std::isfinite(x)) continue;
    squares += leaf.weights[i] * (double{x} - double{centre}) * (double{x} - double{centre});
  }
  const double deviation = std::sqrt(squares / leaf.count());
  constexpr double kLeast = 1e-30, kMost = 1e30, kRounding = 1e-6;
  if (!(deviation > std::max(kLeast, kRounding * std::abs(double{centre})) && deviation < kMost))
    return;
  for (std::size_t power = 1; power <= rule_.degree; ++power) {
    Term term{static_cast<float>(feature), static_cast<float>(power), centre,
              static_cast<float>(1 / deviation), 0};
    term[LinearTerm::mean] = static_cast<float>(leaf.mean(values_of(term, leaf.rows)));
    terms.push_back(term);
  }
}

std::vector<LinearLeafModel::Term> LinearLeafModel::selected_terms(
    const LeafRows& leaf, const CentredColumns& targets) const {
  std::vector<Term> terms;
  if (leaf.rows.size() < 3) return terms;  // a line through two points leaves no error to estimate
  for (const std::size_t feature : numeric_) append_powers(leaf, feature, terms);
  const std::vector<std::size_t> positions = spread_positions(leaf.rows.size(), kSelectingRows);
  const std::vector<SampleId> rows = picked(leaf.rows, positions);
  const std::vector<double> weights = picked(std::span<const double>(leaf.weights), positions);
  CentredColumns columns{rows.size(), {}}, some_targets{rows.size(), {}};
  columns.values.reserve(terms.size() * rows.size());
  for (const Term& term : terms) append_centred(columns, values_of(term, rows), weights);
  for (std::size_t k = 0; k < targets.count(); ++k)
    append_centred(some_targets, picked(targets.column(k), positions), weights);
  const SelectionRule rule{std::min(layout_.terms(), leaf.rows.size() - 2), rule_.probabilistic};
  std::vector<Term> chosen;
  for (const std::size_t n :
       select_regressors(std::move(columns), std::move(some_targets), weights, rule))
    chosen.push_back(terms[n]);
  return chosen;
}

// False if the terms depend on each other.
bool LinearLeafModel::solve_for(const LeafRows& leaf, const CentredColumns& targets,
                                Solution& solution) const {
  const std::size_t size = solution.terms.size();
  std::vector<std::vector<double>> values;
  for (const Term& term : solution.terms) values.push_back(values_of(term, leaf.rows));
  solution.factor.assign(size * (size + 1) / 2, 0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      solution.factor[triangle_index(i, j)] =
          weighted_product(leaf, values[i], values[j]) + (i == j ? rule_.ridge : 0);
  if (!factorise(solution.factor, size, kLeastPivot)) return false;
  const double freedom = leaf.count() - 1 - static_cast<double>(size);
  for (std::size_t k = 0; k < targets.count(); ++k) {
    std::vector<double> coefficients;
    for (std::size_t i = 0; i < size; ++i)
      coefficients.push_back(weighted_product(leaf, values[i], targets.column(k)));
    solve_factored(solution.factor, coefficients);
    std::vector<double> residual(targets.column(k).begin(), targets.column(k).end());
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t row = 0; row < residual.size(); ++row)
        residual[row] -= coefficients[i] * values[i][row];
    solution.variances.push_back(freedom > 0 ? weighted_product(leaf, residual, residual) / freedom
                                             : 0);
    solution.coefficients.push_back(std::move(coefficients));
  }
  return true;
}

LinearLeafModel::Solution LinearLeafModel::solve(const LeafRows& leaf) const {
  Solution solution;
  CentredColumns targets{leaf.rows.size(), {}};
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    const std::vector<double> values = leaf_targets(leaf, targets_, k);
    solution.means.push_back(leaf.mean(values) + targets_.centre(k));
    append_centred(targets, values, leaf.weights);
  }
  solution.terms = selected_terms(leaf, targets);
  while (!solve_for(leaf, targets, solution)) solution.terms.pop_back();
  return solution;
}

void LinearLeafModel::write(const Solution& solution, const LeafRows& leaf,
                            std::span<float> payload) const {
  std::fill(payload.begin(), payload.end(), 0.0f);
  const std::size_t outputs = layout_.outputs(), size = solution.terms.size();
  for (std::size_t k = 0; k < outputs; ++k) {
    payload[k] = static_cast<float>(solution.means[k]);
    payload[outputs + k] = static_cast<float>(solution.variances[k]);
    for (std::size_t n = 0; n < size; ++n)
      payload[layout_.coefficients(k) + n] = static_cast<float>(solution.coefficients[k][n]);
  }
  for (std::size_t n = 0; n < size; ++n)
    std::copy(solution.terms[n].begin(), solution.terms[n].end(),
              payload.subspan(layout_.term(n)).begin());
  if (layout_.kind() != PayloadKind::linear_gaussian) return;
  payload[layout_.inverse_weight()] = static_cast<float>(1 / leaf.count());
  const std::vector<double> inverse = inverse_of_factor(solution.factor, size);
  for (std::size_t n = 0; n < inverse.size(); ++n)
    payload[layout_.factor() + n] = static_cast<float>(inverse[n]);
}

float LinearLeafModel::fit(const NodeSamples& samples, std::span<const float>,
                           std::span<float> payload) const {
  const LeafRows leaf(samples, weights_);
  write(solve(leaf), leaf, payload);
  return static_cast<float>(leaf.support);
}

}  // namespace coppice
