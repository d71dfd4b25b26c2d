// The quick way to read a decimal against the exact one.
#include "data/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "base/random_stream.h"

namespace coppice {
namespace {

std::string random_decimal(RandomStream& random) {
  std::string text = random.below(2) == 0 ? "-" : "";
  const std::uint32_t digits = 1 + random.below(11), dot = random.below(digits + 3);
  for (std::uint32_t i = 0; i < digits; ++i) {
    if (i == dot && i > 0) text += '.';
    text += static_cast<char>('0' + (random.below(4) == 0 ? 0 : random.below(10)));
  }
  return text;
}

TEST(ShortDecimal, IsTheNearestFloat) {
  RandomStream random(3);
  int taken = 0;
  for (int trial = 0; trial < 300'000; ++trial) {
    const std::string text = random_decimal(random);
    float value = 0;
    const char* const end = text.data() + text.size();
    const char* const stop = take_short_decimal(text.data(), end, value);
    if (!stop) continue;
    ++taken;
    ASSERT_EQ(stop, end) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(value),
              std::bit_cast<std::uint32_t>(parse_number<float>(text).value))
        << text;
  }
  EXPECT_GT(taken, 100'000);
}

TEST(ShortDecimal, LeavesTheRestToTheExactWay) {
  for (const char* text : {"", "-", "+1", ".5", "-.5", "1e5", "1.5E2", "inf", "nan", "16777217",
                           "0.123456789", "12345678901", "0.00000000001", "--1", " 1"}) {
    float value = 0;
    const std::string_view whole = text;
    EXPECT_EQ(take_short_decimal(whole.data(), whole.data() + whole.size(), value), nullptr)
        << text;
  }
}

TEST(ShortDecimal, StopsBehindTheNumber) {
  constexpr std::string_view kText = "12.5,7";
  float value = 0;
  EXPECT_EQ(take_short_decimal(kText.data(), kText.data() + kText.size(), value), kText.data() + 4);
  EXPECT_EQ(value, 12.5f);
}

}  // namespace
}  // namespace coppice
