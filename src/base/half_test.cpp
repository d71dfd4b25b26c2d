// Numbers of 16 bits against their definition.
#include "base/half.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Half, EveryOneSurvives) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
    for (const std::uint32_t sign : {0u, 0x8000u}) {
      const auto half = static_cast<std::uint16_t>(bits | sign);
      ASSERT_EQ(to_half(from_half(half)), half);
    }
}

TEST(Half, RoundsToTheNearest) {
  for (std::uint16_t half = 0; half + 1 < 0x7c00; ++half) {
    const double low = double{from_half(half)}, high = double{from_half(half + 1)};
    const auto quarter = static_cast<float>(low + (high - low) / 4);
    const auto middle = static_cast<float>(low + (high - low) / 2);
    ASSERT_LT(low, high);
    ASSERT_EQ(to_half(quarter), half);
    ASSERT_EQ(to_half(middle), half % 2 == 0 ? half : half + 1);
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(to_half(1.0f), 0x3c00);
  EXPECT_EQ(to_half(-2.0f), 0xc000);
  EXPECT_EQ(to_half(0x1p-24f), 1);
  EXPECT_EQ(to_half(1e9f), 0x7bff);
  EXPECT_EQ(from_half(0x7bff), kLargestHalf);
}

}  // namespace
}  // namespace coppice
