// Weights and targets as integers. Sums of integers do not depend on their order, so every
// schedule, strategy and compiler gives the same model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "coppice/dataset.h"

namespace coppice {

// Sums of sample weights, bootstrap draws included, stay below this.
inline constexpr std::uint64_t kMaxTotalWeight = std::uint64_t{1} << 31;

// One integer per row: weight = units * unit. Whole-number weights are kept exactly while their sum
// allows; others are rounded to a unit of about 2^-28 of the total, and never to zero.
struct FixedPointWeights {
  std::vector<std::uint32_t> units;
  double unit = 1;
  std::uint64_t most_total = kMaxTotalWeight;  // no bag weighs more units
};
// REQUIRES: finite, not negative, at least one positive. `drawn` is the number of samples that a
// tree draws.
FixedPointWeights fixed_point_weights(std::span<const double> weights, std::size_t drawn);

// target = centre + value * unit, with a centre and a power-of-two unit per output. The lighter a
// bag, the finer the unit: values have 30 to 52 bits, so that sums of weight * value fit 62.
class FixedPointTargets {
 public:
  // REQUIRES: finite. Row-major, rows x outputs.
  FixedPointTargets(std::span<const double> targets, std::size_t outputs,
                    std::uint64_t most_total_weight = kMaxTotalWeight);

  std::size_t outputs() const { return centre_.size(); }
  std::int64_t value(std::size_t row, std::size_t output) const {
    return values_[row * centre_.size() + output];
  }
  std::span<const std::int64_t> row(std::size_t row) const {
    return {values_.data() + row * centre_.size(), centre_.size()};
  }
  bool same_row(std::size_t a, std::size_t b) const {
    return std::equal(row(a).begin(), row(a).end(), row(b).begin());
  }
  double unit(std::size_t output) const { return unit_[output]; }
  double squared_unit(std::size_t output) const { return unit_[output] * unit_[output]; }
  double centre(std::size_t output) const { return centre_[output]; }

 private:
  void code_output(std::span<const double> targets, std::size_t output, int bits);

  LargeVector<std::int64_t> values_;
  std::vector<double> centre_, unit_;
};

}  // namespace coppice
