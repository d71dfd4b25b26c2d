// Mean and variance of each target over the leaf's samples: [ mean_1 .. mean_q | var_1 .. var_q ].
#pragma once

#include <span>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

class MeanLeaf final : public LeafModel {
 public:
  MeanLeaf(const FixedPointTargets& targets, const FixedPointWeights& weights)
      : targets_(targets), weights_(weights) {}

  std::size_t payload_size() const override { return 2 * targets_.outputs(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;
  void fetch(const NodeSamples& leaf) const override;

 private:
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
};

}  // namespace coppice
