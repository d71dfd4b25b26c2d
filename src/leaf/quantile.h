// Mean, variance and quantiles of each target: a bounded sketch of the leaf's distribution.
#pragma once

#include <span>

#include "base/payload_layout.h"
#include "data/fixed_point.h"
#include "leaf/leaf_model.h"
#include "leaf/mean.h"

namespace coppice {

// Point i of n is the least target such that targets up to it have a share of (i + 1/2) / n of the
// weight: with every point a target of the leaf, shares are right to within 1 / (2 n).
class QuantileLeafModel final : public LeafModel {
 public:
  QuantileLeafModel(const FixedPointTargets& targets, const FixedPointWeights& weights,
                    std::size_t points)
      : targets_(targets),
        weights_(weights),
        moments_(targets, weights),
        layout_(PayloadKind::mean_quantiles, targets.outputs(), points) {}

  std::size_t payload_size() const override { return layout_.size(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
  MeanLeaf moments_;
  PayloadLayout layout_;
};

}  // namespace coppice
