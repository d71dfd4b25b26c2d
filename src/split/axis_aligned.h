// Axis-aligned splits: features drawn without replacement.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "split/feature_urn.h"
#include "split/weak_learner.h"

namespace coppice {

class AxisAligned final : public WeakLearner {
 public:
  // Tries as many features as there are candidates, or all that can be drawn.
  AxisAligned(FeatureUrn urn, std::size_t candidates)
      : urn_(std::move(urn)), candidates_(std::min(candidates, urn_.features().size())) {}
  // All of the features [0, features), equally likely.
  AxisAligned(std::uint32_t features, std::size_t candidates)
      : AxisAligned(FeatureUrn(first_features(features)), candidates) {}

  std::size_t candidates() const override { return candidates_; }

  std::vector<std::uint32_t> features() const override { return urn_.features(); }

  void begin(std::span<const SampleId>, RandomStream random) override {
    random_ = random;
    urn_.put_back();
  }

  bool propose(Projection& projection) override {
    return propose_features({&projection.feature, 1}) == 1;
  }
  std::size_t propose_features(std::span<std::uint32_t> features) override {
    const std::size_t count = std::min(features.size(), urn_.left());
    urn_.draw(random_, features.first(count));
    return count;
  }

 private:
  static std::vector<std::uint32_t> first_features(std::uint32_t count) {
    std::vector<std::uint32_t> features(count);
    std::iota(features.begin(), features.end(), 0u);
    return features;
  }

  FeatureUrn urn_;
  std::size_t candidates_;
  RandomStream random_{0};
};

}  // namespace coppice
