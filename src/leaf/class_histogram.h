// The share of each class among the weights of the leaf's samples.
#pragma once

#include <cstdint>
#include <span>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

class ClassHistogramLeaf final : public LeafModel {
 public:
  ClassHistogramLeaf(std::span<const std::uint32_t> labels, std::size_t classes,
                     const FixedPointWeights& weights)
      : labels_(labels), classes_(classes), weights_(weights) {}

  std::size_t payload_size() const override { return classes_; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  std::span<const std::uint32_t> labels_;
  std::size_t classes_;
  const FixedPointWeights& weights_;
};

}  // namespace coppice
