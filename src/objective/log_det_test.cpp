// Gaussian entropies against closed forms.
#include "objective/log_det.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace coppice {
namespace {

// Gain of splitting rows [0, cut) from the others.
double gain(const std::vector<double>& values, std::size_t outputs, std::size_t cut) {
  const FixedPointTargets targets(values, outputs);
  LogDet objective(targets);
  std::vector<LogDet::Item> items;
  for (std::uint32_t row = 0; row < values.size() / outputs; ++row)
    items.push_back(objective.item(row, 1));
  objective.begin_node(items);
  std::vector<std::int64_t> left(objective.statistics_size()), right = left, both = left;
  for (std::size_t i = 0; i < items.size(); ++i) {
    objective.add((i < cut ? left : right).data(), items[i]);
    objective.add(both.data(), items[i]);
  }
  return objective.cost(both.data()) - objective.cost(left.data()) - objective.cost(right.data());
}

// Variances 1 (within), 1 + d^2 (together), both with the ridge of the node.
TEST(LogDet, OneTargetIsTheLogOfTheVariance) {
  const double d = 3, whole = 1 + d * d, ridge = LogDet::kRidge * whole;
  EXPECT_NEAR(gain({-d - 1, -d + 1, d - 1, d + 1}, 1, 2),
              4 * std::log((whole + ridge) / (1 + ridge)), 1e-7);
}

// Two targets that are one: the determinant of their covariance would be 0.
TEST(LogDet, DependentTargetsAreFinite) {
  const double found = gain({1, 2, 2, 4, 5, 10, 6, 12}, 2, 2);
  EXPECT_TRUE(std::isfinite(found));
  EXPECT_GT(found, 0);
}

TEST(LogDet, UnitsOfTargetsDoNotMatter) {
  const std::vector<double> values{1, 7, 2, 9, 5, 1, 6, 3, 2, 2};
  std::vector<double> scaled;
  for (std::size_t i = 0; i < values.size(); ++i)
    scaled.push_back(i % 2 == 0 ? values[i] * 1e6 + 3e6 : values[i] / 1024);
  EXPECT_NEAR(gain(values, 2, 2), gain(scaled, 2, 2), 1e-5);
}

// Deep in a tree, targets differ by little: they are measured in the range of their node.
TEST(LogDet, NarrowNodesKeepTheirDigits) {
  const std::vector<double> values{-3, -1, 1, 3};
  std::vector<double> narrow;
  for (const double value : values) narrow.push_back(1e-9 * value);
  EXPECT_NEAR(gain(values, 1, 2), gain(narrow, 1, 2), 1e-5);
}

TEST(LogDet, ConstantTargetAddsNothing) {
  EXPECT_NEAR(gain({1, 5, 2, 5, 7, 5, 8, 5}, 2, 2), gain({1, 2, 7, 8}, 1, 2), 1e-7);
}

}  // namespace
}  // namespace coppice
