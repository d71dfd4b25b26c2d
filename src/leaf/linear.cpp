#include "leaf/linear.h"

#include <algorithm>

#include "base/cholesky.h"

namespace coppice {
namespace {

// Rows that choose the regressors of a large leaf; all of them estimate the coefficients.
constexpr std::size_t kSelectingRows = LeafTerms::kBlock;

// Every n-th of these columns of `rows` values, `count` of each.
template <class T>
std::vector<T> spread(std::span<const T> columns, std::size_t rows, std::size_t count) {
  std::vector<T> chosen;
  chosen.reserve(columns.size() / rows * count);
  for (std::size_t first = 0; first < columns.size(); first += rows)
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(columns[first + i * rows / count]);
  return chosen;
}

}  // namespace

LinearFit::LinearFit(const DatasetView& data, std::size_t outputs, const LinearLeafRule& rule)
    : table_(data),
      rule_(rule),
      layout_(rule.probabilistic ? PayloadKind::linear_gaussian : PayloadKind::linear, outputs,
              rule.regressors) {}

LinearFit::Workspace& LinearFit::workspace() {
  thread_local Workspace work;
  return work;
}

void LinearFit::fit(const LeafRows& leaf, std::span<const double> centres, Workspace& work,
                    std::span<float> payload) const {
  std::fill(payload.begin(), payload.end(), 0.0f);
  const std::size_t rows = leaf.rows.size();
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const std::span<double> values = std::span(work.targets).subspan(k * rows, rows);
    const double mean = leaf.mean(values);
    payload[k] = static_cast<float>(mean + centres[k]);
    for (double& value : values) value -= mean;
  }
  select(leaf, work);
  write(leaf, work, payload);
}

void LinearFit::select(const LeafRows& leaf, Workspace& work) const {
  const std::size_t rows = leaf.rows.size();
  const bool enough = rows >= 3;  // a line through two points leaves no error to estimate
  const std::size_t most = enough ? std::min(layout_.terms(), rows - 2) : 0;
  work.terms.find(table_, leaf, enough ? rule_.degree : 0, work.matrix);
  if (rows <= kSelectingRows) {
    work.squares.start(work.matrix, work.targets, leaf.weights);
    work.squares.select(most, rule_.probabilistic);
    work.terms.keep(work.squares.chosen());
    return;
  }
  work.terms.evaluate(table_, spread(leaf.rows, rows, kSelectingRows), work.matrix);
  const auto weights = spread<double>(leaf.weights, rows, kSelectingRows);
  work.squares.start(work.matrix, spread<double>(work.targets, rows, kSelectingRows), weights);
  work.squares.select(most, rule_.probabilistic);
  work.terms.keep(work.squares.chosen());
  take_all(leaf, work);
}

// The terms of a large leaf, estimated on all of its rows.
void LinearFit::take_all(const LeafRows& leaf, Workspace& work) const {
  work.terms.evaluate(table_, leaf.rows, work.matrix);
  work.squares.start(work.matrix, work.targets, leaf.weights);
  for (std::size_t n = 0; n < work.terms.size(); ++n)
    if (work.squares.open(n)) work.squares.take(n);
  work.terms.keep(work.squares.chosen());
}

void LinearFit::write(const LeafRows& leaf, const Workspace& work,
                            std::span<float> payload) const {
  const std::size_t outputs = layout_.outputs(), size = work.terms.size();
  const std::vector<double> factor = work.squares.factor_with(rule_.ridge);
  const double freedom = leaf.count() - 1 - static_cast<double>(size);
  for (std::size_t k = 0; k < outputs; ++k) {
    std::vector<double> coefficients = work.squares.moments(k);
    solve_factored(factor, coefficients);
    const double squares = work.squares.residual_squares(k, coefficients);
    payload[outputs + k] = freedom > 0 ? static_cast<float>(squares / freedom) : 0;
    std::copy(coefficients.begin(), coefficients.end(),
              payload.subspan(layout_.coefficients(k)).begin());
  }
  for (std::size_t n = 0; n < size; ++n) {
    const auto term = work.terms.term(table_, n);
    std::copy(term.begin(), term.end(), payload.subspan(layout_.term(n)).begin());
  }
  if (layout_.kind() != PayloadKind::linear_gaussian) return;
  payload[layout_.inverse_weight()] = static_cast<float>(1 / leaf.count());
  const std::vector<double> inverse = inverse_of_factor(factor, size);
  std::copy(inverse.begin(), inverse.end(), payload.subspan(layout_.factor()).begin());
}

LinearLeafModel::LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                                 const FixedPointWeights& weights, const LinearLeafRule& rule)
    : fit_(data, targets.outputs(), rule), targets_(targets), weights_(weights) {
  for (std::size_t k = 0; k < targets.outputs(); ++k) centres_.push_back(targets.centre(k));
}

// Values less the centre of the fixed-point targets keep digits.
float LinearLeafModel::fit(const NodeSamples& samples, std::span<const float>,
                           std::span<float> payload) const {
  const LeafRows leaf(samples, weights_);
  const auto value_of = [&](std::size_t i, std::size_t k) {
    return static_cast<double>(targets_.value(leaf.rows[i], k)) * targets_.unit(k);
  };
  fit_.fit(leaf, centres_, value_of, payload);
  return static_cast<float>(leaf.support);
}

}  // namespace coppice
