// The samples of a leaf as real numbers: weights that add up to the number of rows, and targets.
#pragma once

#include <cstddef>
#include <vector>

#include "data/fixed_point.h"
#include "data/node_samples.h"

namespace coppice {

struct LeafRows {
  LeafRows(const NodeSamples& leaf, const FixedPointWeights& weights);

  std::span<const SampleId> rows;
  std::vector<double> weights;  // draws x weight, scaled so that they add up to count()
  double support = 0;           // weight before scaling

  double count() const { return static_cast<double>(rows.size()); }
  double mean(std::span<const double> values) const;
};

// Output k of the leaf's samples, less the centre of the fixed-point targets, which keeps digits.
std::vector<double> leaf_targets(const LeafRows&, const FixedPointTargets&, std::size_t k);

}  // namespace coppice
