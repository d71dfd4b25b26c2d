// Numbers of 16 bits (IEEE 754 binary16): 11 significant bits, up to 65504.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace coppice {

inline constexpr float kLargestHalf = 65504;

// The nearest one, ties to even; what is larger than kLargestHalf becomes that. REQUIRES: finite.
inline std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const double size = std::abs(double{value});
  if (size >= kLargestHalf) return sign | 0x7bffu;
  // In units of the last place, of which all numbers below 2^-14 have the same.
  const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
  const double units = std::nearbyint(std::ldexp(size, 10 - exponent));
  const auto whole = static_cast<std::uint32_t>(units);
  // A carry out of the significand is a step of the exponent: both lie beside each other.
  const std::uint32_t base = static_cast<std::uint32_t>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | (base + whole));
}

inline float from_half(std::uint16_t half) {
  const std::uint32_t exponent = half >> 10 & 31u, significand = half & 1023u;
  const double size = exponent == 0
                          ? std::ldexp(significand, -24)
                          : std::ldexp(1024 + significand, static_cast<int>(exponent) - 25);
  return static_cast<float>(half & 0x8000u ? -size : size);
}

}  // namespace coppice
