// Axis-aligned splits: features drawn without replacement, all equally likely.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "split/weak_learner.h"

namespace coppice {

class AxisAligned final : public WeakLearner {
 public:
  AxisAligned(std::vector<std::uint32_t> features, std::size_t candidates)
      : candidates_(candidates), order_(std::move(features)), swapped_with_(order_.size()) {}
  // All of the features [0, features).
  AxisAligned(std::uint32_t features, std::size_t candidates)
      : AxisAligned(std::vector<std::uint32_t>(features), candidates) {
    std::iota(order_.begin(), order_.end(), 0u);
  }

  std::size_t candidates() const override { return candidates_; }

  std::vector<std::uint32_t> features() const override { return order_; }

  void begin(std::span<const SampleId>, RandomStream random) override {
    random_ = random;
    // Undoing the last node's swaps costs its draws only, not all features.
    while (drawn_ > 0) {
      --drawn_;
      std::swap(order_[drawn_], order_[swapped_with_[drawn_]]);
    }
  }

  bool propose(Projection& projection) override {
    if (drawn_ == order_.size()) return false;
    const auto left = static_cast<std::uint32_t>(order_.size()) - drawn_;
    swapped_with_[drawn_] = drawn_ + random_.below(left);
    std::swap(order_[drawn_], order_[swapped_with_[drawn_]]);
    projection.feature = order_[drawn_++];
    return true;
  }

 private:
  std::size_t candidates_;
  std::vector<std::uint32_t> order_;  // a Fisher-Yates shuffle, as far as it was needed
  std::vector<std::uint32_t> swapped_with_;
  std::uint32_t drawn_ = 0;
  RandomStream random_{0};
};

}  // namespace coppice
