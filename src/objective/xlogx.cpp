// Above the table, with k = x / 2^e, rounded down, in [1024, 2048) and t = x / (2^e k) - 1 < 2^-10:
//   log2 x = e + log2 k + (t - t^2 / 2 + t^3 / 3 - t^4 / 4 + t^5 / 5) / ln 2
#include "objective/xlogx.h"

#include <bit>

#include "base/portable_math.h"

namespace coppice {
namespace {

constexpr std::uint32_t kLogs = 1 << 10;

std::int64_t fixed_point(double xlogx) {
  return static_cast<std::int64_t>(xlogx * kXlogxUnit + 0.5);
}

std::array<std::int64_t, kXlogxTableSize> make_table() {
  std::array<std::int64_t, kXlogxTableSize> table{};
  for (std::uint32_t x = 1; x < kXlogxTableSize; ++x) table[x] = fixed_point(x * portable_log2(x));
  return table;
}

std::array<double, kLogs> make_logs() {
  std::array<double, kLogs> logs;
  for (std::uint32_t k = 0; k < kLogs; ++k) logs[k] = portable_log2(kLogs + k);
  return logs;
}

}  // namespace

const std::array<std::int64_t, kXlogxTableSize> kXlogxTable = make_table();

std::int64_t compute_xlogx(std::uint32_t x) {
  static const std::array<double, kLogs> kLog2 = make_logs();
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  const int exponent = std::bit_width(x) - std::bit_width(kLogs);
  const std::uint32_t k = x >> exponent, whole = k << exponent;
  const double t = static_cast<double>(x - whole) / whole;
  const double rest = t * (1 - t * (1.0 / 2 - t * (1.0 / 3 - t * (1.0 / 4 - t * (1.0 / 5)))));
  return fixed_point(x * (exponent + (kLog2[k - kLogs] + kLog2E * rest)));
}

}  // namespace coppice
