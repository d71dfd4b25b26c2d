#include "tasks/leaf_revision.h"

#include <algorithm>

#include "base/portable_math.h"
#include "refine/constant_leaves.h"
#include "refine/leaf_solver.h"
#include "refine/leaf_variances.h"
#include "refine/logistic.h"

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

}  // namespace

void ResidualRevision::revise(const StandingLeaves& leaves, std::size_t workers) {
  RefinableRows rows;
  rows.matrix = std::make_unique<ConstantLeaves>(matrix_of(leaves, weights_));
  rows.targets = block_of(residuals_, rows.matrix->rows());
  const std::size_t outputs = residuals_.outputs();
  OutputBlock w(rows.matrix->unknowns(), outputs);
  make_solver(SquaredLoss{}, rows, 0)->solve(cost_, w, workers);
  const OutputBlock variances = leaf_variances(rows, w, workers);
  const auto trees = static_cast<float>(leaves.ids.trees());
  for (std::size_t leaf = 0; leaf < w.rows; ++leaf) {
    float* const payload = leaves.payloads.data() + leaf * 2 * outputs;
    for (std::size_t k = 0; k < outputs; ++k) {
      payload[k] += trees * w.row(leaf)[k];
      payload[outputs + k] = variances.row(leaf)[k];
    }
  }
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
