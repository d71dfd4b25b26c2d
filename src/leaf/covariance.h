// A multivariate Gaussian: means and the full covariance matrix of the targets, divided by n - 1.
#pragma once

#include <span>

#include "base/payload_layout.h"
#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

class CovarianceLeaf final : public LeafModel {
 public:
  CovarianceLeaf(const FixedPointTargets& targets, const FixedPointWeights& weights)
      : targets_(targets),
        weights_(weights),
        layout_(PayloadKind::mean_covariance, targets.outputs()) {}

  std::size_t payload_size() const override { return layout_.size(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
  PayloadLayout layout_;
};

}  // namespace coppice
