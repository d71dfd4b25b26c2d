// The table of x log2 x against the C library in long double.
#include "objective/xlogx.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice {
namespace {

std::int64_t by_long_double(std::uint32_t x) {
  if (x == 0) return 0;
  const auto value = static_cast<long double>(x);
  return std::llround(value * std::log2(value) * static_cast<long double>(kXlogxUnit));
}

TEST(Xlogx, IsTheRoundedProduct) {
  for (std::uint32_t x = 0; x < 3 * kXlogxTableSize; ++x)
    ASSERT_LE(std::abs(xlogx(x) - by_long_double(x)), 1) << x;
}

TEST(Xlogx, IsExactForPowersOfTwo) {
  for (std::uint32_t power = 0; power < 32; ++power)
    EXPECT_EQ(xlogx(1u << power), (std::int64_t{power} << power) * std::int64_t{1 << 22});
}

TEST(Xlogx, TableAndComputationAgree) {
  for (std::uint32_t x = 1024; x < kXlogxTableSize; ++x) ASSERT_EQ(xlogx(x), compute_xlogx(x));
}

TEST(Xlogx, LargeValuesAreCloseInProportion) {
  for (const std::uint32_t x :
       {123'456u, 98'765'432u, 1'000'003u, 33'554'431u, 2'147'483'647u, 4'294'967'295u})
    EXPECT_NEAR(static_cast<double>(xlogx(x)), static_cast<double>(by_long_double(x)),
                1e-15 * static_cast<double>(by_long_double(x)));
}

}  // namespace
}  // namespace coppice
