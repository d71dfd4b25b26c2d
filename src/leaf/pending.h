// Leaves that are filled in when the tree is known: until then all hold the same payload.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

class PendingLeaf final : public LeafModel {
 public:
  PendingLeaf(std::vector<float> payload, const FixedPointWeights& weights)
      : payload_(std::move(payload)), weights_(weights) {}

  std::size_t payload_size() const override { return payload_.size(); }
  float fit(const NodeSamples& leaf, std::span<const float>,
            std::span<float> payload) const override {
    std::copy(payload_.begin(), payload_.end(), payload.begin());
    std::uint64_t total = 0;
    for (const SampleId row : leaf.rows)
      total += std::uint64_t{weights_.units[row]} * leaf.draws[row];
    return static_cast<float>(static_cast<double>(total) * weights_.unit);
  }

 private:
  std::vector<float> payload_;
  const FixedPointWeights& weights_;
};

}  // namespace coppice
