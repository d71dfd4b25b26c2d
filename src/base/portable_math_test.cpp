// Against the standard library in long double, over the ranges that the library uses.
#include "base/portable_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

using Function = double (*)(double);
using Reference = long double (*)(long double);

// The distance of `value` from `truth` in units of the last place of the latter.
double error_in_ulps(double value, long double truth) {
  const double rounded = static_cast<double>(truth);
  if (std::isinf(rounded)) return value == rounded ? 0 : 1e300;
  const double size = std::abs(rounded);
  const double unit = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / unit);
}

double largest_error(Function function, Reference reference, double first, double last) {
  RandomStream random(7);
  double largest = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = first + (last - first) * random.uniform();
    largest = std::fmax(largest, error_in_ulps(function(x), reference(x)));
  }
  return largest;
}

TEST(PortableMath, LogIsWithinTwoUnits) {
  EXPECT_LT(largest_error(portable_log, std::log, 0, 1), 2);
  EXPECT_LT(largest_error(portable_log, std::log, 0.9, 1.1), 2);
  EXPECT_LT(largest_error(portable_log, std::log, 1, 1e6), 2);
  EXPECT_LT(largest_error(portable_log, std::log, 1e-310, 1e-300), 2);
}

TEST(PortableMath, Log2IsWithinTwoUnits) {
  EXPECT_LT(largest_error(portable_log2, std::log2, 0, 1), 2);
  EXPECT_LT(largest_error(portable_log2, std::log2, 0.9, 1.1), 2);
  EXPECT_LT(largest_error(portable_log2, std::log2, 1, 1e6), 2);
  EXPECT_LT(largest_error(portable_log2, std::log2, 1, 0x1p63), 2);
}

TEST(PortableMath, Log2OfPowersOfTwoIsExact) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    EXPECT_EQ(portable_log2(std::ldexp(1.0, exponent)), exponent);
  }
}

TEST(PortableMath, Log2IncreasesOverWholeNumbers) {
  double last = portable_log2(1);
  for (std::uint32_t n = 2; n < 1u << 20; ++n) {
    const double next = portable_log2(n);
    ASSERT_GT(next, last) << n;
    last = next;
  }
  RandomStream random(3);
  for (int i = 0; i < 1000000; ++i) {
    const auto n = static_cast<double>(random.next() >> 24);
    ASSERT_LE(portable_log2(n), portable_log2(n + 1)) << n;
  }
}

TEST(PortableMath, ExpIsWithinTwoUnits) {
  EXPECT_LT(largest_error(portable_exp, std::exp, -1, 1), 2);
  EXPECT_LT(largest_error(portable_exp, std::exp, -50, 50), 2);
  EXPECT_LT(largest_error(portable_exp, std::exp, -745, 709), 2);
}

TEST(PortableMath, SineAndCosineAreWithinTwoUnits) {
  for (const double range : {0.5, 4.0, 100.0, 1e6}) {
    EXPECT_LT(largest_error(portable_sin, std::sin, -range, range), 2) << range;
    EXPECT_LT(largest_error(portable_cos, std::cos, -range, range), 2) << range;
  }
}

// The standard library's own doubles: long double of 64 bits is too coarse next to a zero.
TEST(PortableMath, SineAndCosineNearTheirZeros) {
  for (int quarter = 0; quarter < 600000; quarter += 7) {
    const double x = quarter * 1.5707963267948966;
    EXPECT_LT(error_in_ulps(portable_sin(x), std::sin(x)), 2) << quarter;
    EXPECT_LT(error_in_ulps(portable_cos(x), std::cos(x)), 2) << quarter;
  }
}

TEST(PortableMath, AtanIsWithinTwoUnits) {
  EXPECT_LT(largest_error(portable_atan, std::atan, -1, 1), 2);
  EXPECT_LT(largest_error(portable_atan, std::atan, -1e-3, 1e-3), 2);
  EXPECT_LT(largest_error(portable_atan, std::atan, -20, 20), 2);
  EXPECT_LT(largest_error(portable_atan, std::atan, 20, 1e12), 2);
}

TEST(PortableMath, BordersAreThoseOfTheStandardLibrary) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(0), -infinity);
  EXPECT_EQ(portable_log2(infinity), infinity);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_TRUE(std::isnan(portable_log2(nan)));
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-infinity), 0);
  EXPECT_EQ(portable_exp(infinity), infinity);
  EXPECT_TRUE(std::isnan(portable_exp(nan)));
  EXPECT_EQ(portable_sin(0), 0);
  EXPECT_EQ(portable_cos(0), 1);
  EXPECT_TRUE(std::isnan(portable_sin(1e7)));
  EXPECT_TRUE(std::isnan(portable_cos(nan)));
  EXPECT_EQ(portable_atan(infinity), std::atan(infinity));
  EXPECT_EQ(portable_atan(-1), std::atan(-1.0));
}

// A change of any bit changes models and generated data on the machines of users.
TEST(PortableMath, BitsAreFixed) {
  std::uint64_t digest = 0;
  RandomStream random(11);
  for (int i = 0; i < 10000; ++i) {
    const double x = 100 * random.uniform();
    for (const Function function :
         {portable_log, portable_log2, portable_exp, portable_sin, portable_cos, portable_atan}) {
      digest = digest * 0x9e3779b97f4a7c15 + std::bit_cast<std::uint64_t>(function(x));
    }
    digest = digest * 0x9e3779b97f4a7c15 + std::bit_cast<std::uint64_t>(standard_normal(random));
  }
  EXPECT_EQ(digest, 1292887323602789538u);
}

TEST(PortableMath, NormalDeviatesHaveTheMomentsOfTheNormal) {
  RandomStream random(5);
  const int count = 400000;
  std::vector<double> moments(5);
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const double x = standard_normal(random);
    double power = 1;
    for (double& moment : moments) {
      moment += power / count;
      power *= x;
    }
    beyond_two += std::abs(x) > 2;
  }
  // Standard errors: sqrt(1, 2, 15, 96 / count); the borders are about five of them.
  EXPECT_NEAR(moments[1], 0, 0.008);
  EXPECT_NEAR(moments[2], 1, 0.012);
  EXPECT_NEAR(moments[3], 0, 0.032);
  EXPECT_NEAR(moments[4], 3, 0.08);
  EXPECT_NEAR(static_cast<double>(beyond_two) / count, 0.0455003, 0.0017);
}

TEST(PortableMath, NormalBelowAgreesWithTheErrorFunction) {
  for (double x = -9; x <= 9; x += 0.0137)
    EXPECT_NEAR(normal_below(x), 0.5 * std::erfc(-x / std::sqrt(2.0)), 2e-15) << x;
  EXPECT_EQ(normal_below(0), 0.5);
}

}  // namespace
}  // namespace coppice
