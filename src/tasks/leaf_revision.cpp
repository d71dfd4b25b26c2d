#include "tasks/leaf_revision.h"

#include <algorithm>

#include "base/portable_math.h"
#include "refine/constant_leaves.h"
#include "refine/logistic.h"
#include "refine/ridge.h"

namespace coppice {
namespace {

ConstantLeaves matrix_of(const StandingLeaves& leaves, const FixedPointWeights& weights) {
  std::vector<float> of_rows;
  of_rows.reserve(weights.units.size());
  for (const std::uint32_t units : weights.units)
    of_rows.push_back(static_cast<float>(units * weights.unit));
  return ConstantLeaves(leaves.ids, leaves.first, std::move(of_rows));
}

OutputBlock block_of(const FixedPointTargets& targets, std::size_t rows) {
  OutputBlock block(rows, targets.outputs());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < targets.outputs(); ++k)
      block.row(row)[k] = static_cast<float>(
          targets.centre(k) +
          static_cast<double>(targets.value(static_cast<std::uint32_t>(row), k)) * targets.unit(k));
  return block;
}

// leaves x outputs: the mean square of `rest` over the rows of each leaf; leaves without weight
// keep what they are given.
void set_mean_squares(const ConstantLeaves& matrix, const OutputBlock& rest,
                      std::span<float> payloads) {
  const std::size_t outputs = rest.outputs;
  for (std::size_t tree = 0; tree < matrix.trees(); ++tree) {
    const std::size_t first = matrix.first_leaf()[tree];
    const std::size_t leaves = matrix.first_leaf()[tree + 1] - first;
    const std::span<const std::uint32_t> ids = matrix.ids_of(tree);
    std::vector<double> squares(leaves * outputs);
    for (std::size_t row = 0; row < ids.size(); ++row)
      for (std::size_t k = 0; k < outputs; ++k)
        squares[ids[row] * outputs + k] +=
            double{matrix.weight(row)} * double{rest.row(row)[k]} * double{rest.row(row)[k]};
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
      for (std::size_t k = 0; k < outputs; ++k)
        if (const double weight = matrix.leaf_weights()[first + leaf]; weight > 0)
          payloads[(first + leaf) * 2 * outputs + outputs + k] =
              static_cast<float>(squares[leaf * outputs + k] / weight);
  }
}

}  // namespace

void ResidualRevision::revise(const StandingLeaves& leaves, std::size_t workers) {
  ConstantLeaves matrix = matrix_of(leaves, weights_);
  const std::size_t outputs = residuals_.outputs();
  OutputBlock rest = block_of(residuals_, matrix.rows());
  OutputBlock w(matrix.unknowns(), outputs), told(matrix.rows(), outputs);
  solve_ridge({.matrix = matrix, .targets = rest, .cost = cost_}, w, workers);
  matrix.predict(w, told, workers);
  for (std::size_t n = 0; n < rest.values.size(); ++n) rest.values[n] -= told.values[n];
  const auto trees = static_cast<float>(matrix.trees());
  for (std::size_t leaf = 0; leaf < matrix.unknowns(); ++leaf)
    for (std::size_t k = 0; k < outputs; ++k)
      leaves.payloads[leaf * 2 * outputs + k] += trees * w.row(leaf)[k];
  set_mean_squares(matrix, rest, leaves.payloads);
}

void ScoreRevision::revise(const StandingLeaves& leaves, std::size_t workers) {
  constexpr float kLeastProbability = 1e-30f;
  const ConstantLeaves matrix = matrix_of(leaves, weights_);
  const std::size_t classes = probabilities_.size() / labels_.size();
  // Scores up to a number per row that changes nothing.
  OutputBlock offset(matrix.rows(), classes);
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t k = 0; k < classes; ++k)
      offset.row(row)[k] = static_cast<float>(
          portable_log(double{std::max(probabilities_[row * classes + k], kLeastProbability)}));
  OutputBlock w(matrix.unknowns(), classes);
  solve_logistic({matrix, labels_, classes, &offset, cost_}, {}, w, workers);
  for (std::size_t leaf = 0; leaf < matrix.unknowns(); ++leaf)
    for (std::size_t k = 0; k < classes; ++k) leaves.payloads[leaf * classes + k] += w.row(leaf)[k];
}

}  // namespace coppice
