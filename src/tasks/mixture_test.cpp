// Mixtures against Gaussians whose quantiles are known.
#include "tasks/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice {
namespace {

TEST(Mixture, OnePartIsAGaussian) {
  const Mixture mixture({{3, 2, 7}}, 1);
  EXPECT_NEAR(mixture.quantile(0.5), 3, 1e-9);
  EXPECT_NEAR(mixture.quantile(0.975), 3 + 2 * 1.959963984540054, 1e-8);
  EXPECT_NEAR(mixture.quantile(0.001), 3 - 2 * 3.090232306167813, 1e-8);
  EXPECT_NEAR(mixture.density(3), 1 / (2 * std::sqrt(2 * std::acos(-1.0))), 1e-12);
  EXPECT_NEAR(mixture.mode(), 3, 1e-9);
}

TEST(Mixture, QuantilesInvertTheDistribution) {
  const Mixture mixture({{0, 1, 1}, {10, 0.5, 2}, {4, 3, 1}}, 1000);
  for (double level = 0.01; level < 1; level += 0.07)
    EXPECT_NEAR(mixture.below(mixture.quantile(level)), level, 1e-9);
}

TEST(Mixture, TreesThatDisagreeMakeTwoModes) {
  std::vector<Mixture::Part> parts;
  for (int tree = 0; tree < 60; ++tree) parts.push_back({tree < 40 ? 1.0 : 9.0, 0.5, 1});
  const Mixture mixture(parts, parts.size());
  EXPECT_NEAR(mixture.mode(), 1, 0.1);
  EXPECT_GT(mixture.density(9), 3 * mixture.density(5));
  EXPECT_GT(mixture.density(1), mixture.density(9));
}

TEST(Mixture, SamplesHaveTheirOwnQuantiles) {
  std::vector<Mixture::Part> parts;
  for (int i = 1; i <= 5; ++i) parts.push_back({10.0 * i, 0, 1});
  const Mixture mixture(parts, parts.size());
  EXPECT_NEAR(mixture.quantile(0.5), 30, 1e-12);
  EXPECT_NEAR(mixture.quantile(0.4), 25, 1e-12);
  EXPECT_NEAR(mixture.quantile(0.01), 10, 1e-12);
  EXPECT_NEAR(mixture.quantile(0.99), 50, 1e-12);
}

TEST(Mixture, OneValueAloneIsNoProblem) {
  const Mixture mixture({{5, 0, 1}, {5, 0, 1}}, 2);
  EXPECT_EQ(mixture.quantile(0.3), 5);
  EXPECT_EQ(mixture.mode(), 5);
  EXPECT_TRUE(std::isfinite(mixture.density(5)));
  EXPECT_EQ(mixture.density(6), 0);
}

TEST(Mixture, TheDensityIntegratesToOne) {
  const Mixture mixture({{0, 1, 1}, {4, 0.3, 3}, {2, 0, 1}}, 3);
  double sum = 0;
  for (double y = -20; y < 20; y += 0.001) sum += 0.001 * mixture.density(y);
  EXPECT_NEAR(sum, 1, 1e-6);
}

}  // namespace
}  // namespace coppice
