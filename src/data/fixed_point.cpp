#include "data/fixed_point.h"

#include <algorithm>
#include <cmath>

namespace coppice {
namespace {

// Far enough below kMaxTotalWeight for a bootstrap that draws the heaviest rows many times.
constexpr double kExpectedTotal = 0x1.0p28;
constexpr int kTargetBits = 30;
constexpr int kLeastExponent = -1022;  // of a unit; smaller ones would not be normal numbers

}  // namespace

FixedPointWeights fixed_point_weights(std::span<const double> weights, std::size_t drawn) {
  double total = 0, eligible = 0;
  bool whole = true;
  for (const double weight : weights) {
    total += weight;
    eligible += weight > 0;  // others are never drawn
    whole &= weight == std::floor(weight);
  }
  const double draws_per_row = static_cast<double>(drawn) / eligible;
  const double expected = total * std::max(1.0, draws_per_row);
  FixedPointWeights fixed;
  if (!whole || expected > kExpectedTotal) fixed.unit = expected / kExpectedTotal;
  fixed.units.reserve(weights.size());
  for (const double weight : weights) {
    const double units = std::floor(weight / fixed.unit + 0.5);
    fixed.units.push_back(
        weight > 0 ? static_cast<std::uint32_t>(std::clamp(units, 1.0, kExpectedTotal)) : 0);
  }
  return fixed;
}

FixedPointTargets::FixedPointTargets(std::span<const double> targets, std::size_t outputs)
    : values_(targets.size()), centre_(outputs) {
  const std::size_t rows = targets.size() / outputs;
  double reach = 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    double least = targets[k], largest = targets[k];
    for (std::size_t row = 0; row < rows; ++row) {
      least = std::min(least, targets[row * outputs + k]);
      largest = std::max(largest, targets[row * outputs + k]);
    }
    centre_[k] = least / 2 + largest / 2;
    reach = std::max({reach, largest - centre_[k], centre_[k] - least});
  }
  int exponent = 0;
  std::frexp(reach, &exponent);  // reach < 2^exponent
  if (reach > 0) unit_ = std::ldexp(1.0, std::max(exponent - kTargetBits, kLeastExponent));
  for (std::size_t i = 0; i < targets.size(); ++i)
    values_[i] =
        static_cast<std::int32_t>(std::floor((targets[i] - centre_[i % outputs]) / unit_ + 0.5));
}

}  // namespace coppice
