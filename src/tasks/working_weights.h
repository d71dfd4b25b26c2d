// Weights of rows that change from stage to stage, as integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "data/fixed_point.h"

namespace coppice {

class WorkingWeights {
 public:
  // Of the heaviest row. Coarse ones stay in the tables that objectives of classes read.
  static constexpr std::uint64_t kCoarse = 255, kFine = 4096;

  // `given` are the weights of the data, `drawn` the samples of a bag.
  WorkingWeights(const FixedPointWeights& given, std::size_t drawn, std::uint64_t most_units)
      : given_(given), units_(given.units.size()) {
    const std::uint64_t fitting = kMaxTotalWeight / std::max<std::uint64_t>(1, drawn);
    most_units_ = static_cast<double>(std::clamp<std::uint64_t>(fitting, 1, most_units));
    set(std::vector<double>(units_.size(), 1));
  }

  // Units per row; the place stays the same.
  std::span<const std::uint32_t> units() const { return units_; }

  // Each is multiplied with the row's given weight. The heaviest row weighs most_units, and no row
  // that may be drawn less than one, so that rows which the loss has done with never leave a node
  // without any weight; if all are 0, the given weights count alone. However a bag is drawn, the
  // weight of its samples stays below kMaxTotalWeight.
  void set(std::span<const double> weights) {
    double heaviest = 0;
    for (std::size_t row = 0; row < weights.size(); ++row)
      heaviest = std::max(heaviest, weights[row] * given_.units[row]);
    if (!(heaviest > 0)) return set(std::vector<double>(weights.size(), 1));
    const double scale = most_units_ / heaviest;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const double units = std::floor(weights[row] * given_.units[row] * scale + 0.5);
      units_[row] = given_.units[row] > 0
                        ? static_cast<std::uint32_t>(std::clamp(units, 1.0, most_units_))
                        : 0;
    }
  }

  double given(std::size_t row) const { return given_.units[row]; }
  std::size_t rows() const { return units_.size(); }

 private:
  const FixedPointWeights& given_;
  std::vector<std::uint32_t> units_;
  double most_units_;
};

}  // namespace coppice
