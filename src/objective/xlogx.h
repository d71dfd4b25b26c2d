// x log2 x as a fixed-point integer: sums of it are exact, so they do not depend on their order.
#pragma once

#include <array>
#include <cstdint>

namespace coppice {

inline constexpr double kXlogxUnit = 1 << 22;  // 2^31 * 31 * 2^22 fits 63 bits

inline constexpr std::uint32_t kXlogxTableSize = 1 << 13;
// round(x log2 x * kXlogxUnit), computed. REQUIRES: x >= 1024.
std::int64_t compute_xlogx(std::uint32_t x);

extern const std::array<std::int64_t, kXlogxTableSize> kXlogxTable;

inline std::int64_t xlogx(std::uint32_t x) {
  return x < kXlogxTableSize ? kXlogxTable[x] : compute_xlogx(x);
}

}  // namespace coppice
