#include "leaf/leaf_rows.h"

namespace coppice {

LeafRows::LeafRows(const NodeSamples& leaf, const FixedPointWeights& given) : rows(leaf.rows) {
  weights.reserve(rows.size());
  double total = 0;
  for (const SampleId row : rows) {
    weights.push_back(static_cast<double>(given.units[row]) * leaf.draws[row]);
    total += weights.back();
  }
  for (double& weight : weights) weight *= count() / total;
  support = total * given.unit;
}

double LeafRows::mean(std::span<const double> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * values[i];
  return sum / count();
}

std::vector<double> leaf_targets(const LeafRows& leaf, const FixedPointTargets& targets,
                                 std::size_t k) {
  std::vector<double> values;
  values.reserve(leaf.rows.size());
  for (const SampleId row : leaf.rows)
    values.push_back(static_cast<double>(targets.value(row, k)) * targets.unit(k));
  return values;
}

}  // namespace coppice
