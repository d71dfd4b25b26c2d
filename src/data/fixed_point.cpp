#include "data/fixed_point.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace coppice {
namespace {

// Far enough below kMaxTotalWeight for a bootstrap that draws the heaviest rows many times.
constexpr double kExpectedTotal = 0x1.0p28;
constexpr int kSumBits = 62, kMostTargetBits = 52;
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
  const std::uint64_t heaviest = *std::max_element(fixed.units.begin(), fixed.units.end());
  const std::uint64_t all =
      std::accumulate(fixed.units.begin(), fixed.units.end(), std::uint64_t{0});
  fixed.most_total = std::min(kMaxTotalWeight, std::max(all, heaviest * drawn));
  return fixed;
}

FixedPointTargets::FixedPointTargets(std::span<const double> targets, std::size_t outputs,
                                     std::uint64_t most_total_weight)
    : values_(targets.size()), centre_(outputs), unit_(outputs, 1) {
  const int bits =
      std::min(kMostTargetBits, kSumBits - static_cast<int>(std::bit_width(most_total_weight)));
  for (std::size_t k = 0; k < outputs; ++k) code_output(targets, k, bits);
}

void FixedPointTargets::code_output(std::span<const double> targets, std::size_t output, int bits) {
  const std::size_t outputs = centre_.size();
  double least = targets[output], largest = targets[output];
  for (std::size_t i = output; i < targets.size(); i += outputs) {
    least = std::min(least, targets[i]);
    largest = std::max(largest, targets[i]);
  }
  centre_[output] = least / 2 + largest / 2;
  const double reach = std::max(largest - centre_[output], centre_[output] - least);
  int exponent = 0;
  std::frexp(reach, &exponent);  // reach < 2^exponent
  if (reach > 0) unit_[output] = std::ldexp(1.0, std::max(exponent - bits, kLeastExponent));
  for (std::size_t i = output; i < targets.size(); i += outputs)
    values_[i] =
        static_cast<std::int64_t>(std::floor((targets[i] - centre_[output]) / unit_[output] + 0.5));
}

}  // namespace coppice
