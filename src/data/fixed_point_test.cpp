// Whole numbers must mean what the user said, and their sums must fit.
#include "data/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

TEST(FixedPointWeights, WholeNumbersAreKept) {
  const FixedPointWeights fixed = fixed_point_weights(std::vector<double>{0, 1, 7, 1000}, 4);
  EXPECT_EQ(fixed.unit, 1);
  EXPECT_EQ(fixed.units, (std::vector<std::uint32_t>{0, 1, 7, 1000}));
}

TEST(FixedPointWeights, FractionsKeepTheirProportions) {
  const std::vector<double> weights{0.1, 0.25, 3.7};
  const FixedPointWeights fixed = fixed_point_weights(weights, 3);
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(fixed.units[i] * fixed.unit, weights[i], 1e-7);
}

TEST(FixedPointWeights, OnlyZeroIsZero) {
  const FixedPointWeights fixed = fixed_point_weights(std::vector<double>{1e30, 1e-30, 0}, 3);
  EXPECT_GT(fixed.units[0], 0u);
  EXPECT_EQ(fixed.units[1], 1u);
  EXPECT_EQ(fixed.units[2], 0u);
}

// The expected total of a tree, for `drawn` samples drawn evenly from the rows that can be.
double expected_total(const std::vector<double>& weights, std::size_t drawn) {
  const FixedPointWeights fixed = fixed_point_weights(weights, drawn);
  double total = 0, eligible = 0;
  for (const std::uint32_t units : fixed.units) total += units, eligible += units > 0;
  return total * static_cast<double>(drawn) / eligible;
}

TEST(FixedPointWeights, TotalsStayFarBelowTheLimit) {
  constexpr double kLimit = static_cast<double>(kMaxTotalWeight) / 4;
  EXPECT_LT(expected_total(std::vector<double>(1000, 0.37), 1000), kLimit);
  EXPECT_LT(expected_total(std::vector<double>(1000, 1e6), 1000), kLimit);
  EXPECT_LT(expected_total(std::vector<double>(1000, 1e38), 500'000), kLimit);
  std::vector<double> mostly_zero(1000);
  for (std::size_t i = 0; i < 10; ++i) mostly_zero[i] = 0.37;
  EXPECT_LT(expected_total(mostly_zero, 10'000), kLimit);
}

TEST(FixedPointTargets, ValuesAreCloseToTheTargets) {
  RandomStream random(1);
  std::vector<double> targets(300);
  for (std::size_t i = 0; i < targets.size(); ++i)
    targets[i] = (random.uniform() - 0.3) * (i % 3 == 0 ? 1e6 : 1);
  const FixedPointTargets fixed(targets, 3);
  EXPECT_EQ(fixed.outputs(), 3u);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::int64_t value = fixed.value(i / 3, i % 3);
    EXPECT_EQ(value, fixed.row(i / 3)[i % 3]);
    EXPECT_LE(std::abs(value), std::int64_t{1} << 30);
    EXPECT_NEAR(fixed.centre(i % 3) + static_cast<double>(value) * fixed.unit(i % 3), targets[i],
                0.51 * fixed.unit(i % 3));
  }
  EXPECT_LT(fixed.unit(0), 1e6 / (1 << 29));
  EXPECT_LT(fixed.unit(1), 1.0 / (1 << 29));  // its own, not that of the large output
  EXPECT_LT(FixedPointTargets(targets, 3, 100).unit(0), fixed.unit(0) / (1 << 20));
}

TEST(FixedPointTargets, UnitIsAPowerOfTwo) {
  for (const double scale : {1.0, 3.0, 1e-9, 1e15}) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(FixedPointTargets(std::vector<double>{0, scale}, 1).unit(0), &exponent),
              0.5);
  }
}

TEST(FixedPointTargets, ConstantTargetsAreExact) {
  const FixedPointTargets fixed(std::vector<double>{0.1, 0.1, 0.1}, 1);
  EXPECT_EQ(fixed.value(2, 0), 0);
  EXPECT_EQ(fixed.centre(0), 0.1);
}

TEST(FixedPointTargets, ExtremesStayInRange) {
  for (const double scale : {1e308, 1e-300, 1e-310, 5e-324}) {
    const FixedPointTargets fixed(std::vector<double>{-scale, scale}, 1);
    EXPECT_GT(fixed.unit(0), 0);
    EXPECT_LE(std::abs(fixed.value(0, 0)), std::int64_t{1} << 30);
    EXPECT_EQ(fixed.value(0, 0), -fixed.value(1, 0));
  }
}

}  // namespace
}  // namespace coppice
