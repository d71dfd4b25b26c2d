// Weights and targets as integers. Sums of integers do not depend on their order, so every
// schedule, strategy and compiler gives the same model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

// Sums of sample weights, bootstrap draws included, stay below this.
inline constexpr std::uint64_t kMaxTotalWeight = std::uint64_t{1} << 31;

// One integer per row: weight = units * unit. Whole-number weights are kept exactly while their sum
// allows; others are rounded to a unit of about 2^-28 of the total, and never to zero.
struct FixedPointWeights {
  std::vector<std::uint32_t> units;
  double unit = 1;
};
// REQUIRES: finite, not negative, at least one positive. `drawn` is the number of samples that a
// tree draws.
FixedPointWeights fixed_point_weights(std::span<const double> weights, std::size_t drawn);

// target = centre + value * unit, with |value| < 2^30 and one power-of-two unit for all outputs.
class FixedPointTargets {
 public:
  // REQUIRES: finite. Row-major, rows x outputs.
  FixedPointTargets(std::span<const double> targets, std::size_t outputs);

  std::size_t outputs() const { return centre_.size(); }
  std::int32_t value(std::size_t row, std::size_t output) const {
    return values_[row * centre_.size() + output];
  }
  std::span<const std::int32_t> row(std::size_t row) const {
    return {values_.data() + row * centre_.size(), centre_.size()};
  }
  double unit() const { return unit_; }
  double squared_unit() const { return unit_ * unit_; }
  double centre(std::size_t output) const { return centre_[output]; }

 private:
  std::vector<std::int32_t> values_;
  std::vector<double> centre_;
  double unit_ = 1;
};

}  // namespace coppice
