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

// What a worker uses again from leaf to leaf.
struct LinearLeafModel::Workspace {
  LeafTerms terms;  // in the end those of the leaf
  TermMatrix matrix;
  ForwardLeastSquares squares;
  std::vector<double> targets;  // centred, one column after the other
};

LinearLeafModel::LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                                 const FixedPointWeights& weights, const LinearLeafRule& rule)
    : table_(data),
      targets_(targets),
      weights_(weights),
      rule_(rule),
      layout_(rule.probabilistic ? PayloadKind::linear_gaussian : PayloadKind::linear,
              targets.outputs(), rule.regressors) {}

// Writes the means, too.
void LinearLeafModel::centre_targets(const LeafRows& leaf, Workspace& work,
                                     std::span<float> payload) const {
  work.targets.clear();
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    const std::vector<double> values = leaf_targets(leaf, targets_, k);
    const double mean = leaf.mean(values);
    payload[k] = static_cast<float>(mean + targets_.centre(k));
    for (const double value : values) work.targets.push_back(value - mean);
  }
}

void LinearLeafModel::select(const LeafRows& leaf, Workspace& work) const {
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
void LinearLeafModel::take_all(const LeafRows& leaf, Workspace& work) const {
  work.terms.evaluate(table_, leaf.rows, work.matrix);
  work.squares.start(work.matrix, work.targets, leaf.weights);
  for (std::size_t n = 0; n < work.terms.size(); ++n)
    if (work.squares.open(n)) work.squares.take(n);
  work.terms.keep(work.squares.chosen());
}

void LinearLeafModel::write(const LeafRows& leaf, const Workspace& work,
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

float LinearLeafModel::fit(const NodeSamples& samples, std::span<const float>,
                           std::span<float> payload) const {
  thread_local Workspace work;
  const LeafRows leaf(samples, weights_);
  std::fill(payload.begin(), payload.end(), 0.0f);
  centre_targets(leaf, work, payload);
  select(leaf, work);
  write(leaf, work, payload);
  return static_cast<float>(leaf.support);
}

}  // namespace coppice
