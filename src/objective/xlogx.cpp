#include "objective/xlogx.h"

#include "base/portable_math.h"

namespace coppice {
namespace {

std::array<std::int64_t, kXlogxTableSize> make_table() {
  std::array<std::int64_t, kXlogxTableSize> table;
  for (std::uint32_t x = 0; x < kXlogxTableSize; ++x) table[x] = compute_xlogx(x);
  return table;
}

}  // namespace

std::int64_t compute_xlogx(std::uint32_t x) {
  if (x == 0) return 0;
  return static_cast<std::int64_t>(x * portable_log2(x) * kXlogxUnit + 0.5);
}

const std::array<std::int64_t, kXlogxTableSize> kXlogxTable = make_table();

}  // namespace coppice
