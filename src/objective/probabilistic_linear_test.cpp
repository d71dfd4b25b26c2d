// Entropies of lines in cases with a known answer; tests/reference compares all splits of random
// data with the textbook.
#include "objective/probabilistic_linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace coppice {
namespace {

struct Node {
  std::vector<double> y;
  std::vector<float> x;
  std::vector<std::uint32_t> weights;

  // Gain of splitting positions [0, cut) from the others; x must be ascending where it is known.
  double gain(std::size_t cut, double samples = 1) const {
    const FixedPointTargets targets(y, 1);
    ProbabilisticLinear objective(targets, samples);
    std::vector<ProbabilisticLinear::Item> items;
    for (std::uint32_t row = 0; row < y.size(); ++row)
      items.push_back(objective.item(row, weights.empty() ? 1 : weights[row]));
    objective.begin_node(items);
    objective.begin_candidate(items, x);
    std::vector<std::int64_t> left(objective.statistics_size()), right = left;
    for (std::size_t i = 0; i < items.size(); ++i)
      objective.add((i < cut ? left : right).data(), items[i]);
    return -objective.children_cost(left.data(), right.data());
  }
};

// Two lines that meet in the middle, with alternating residuals.
Node roof(std::size_t rows) {
  Node node;
  for (std::size_t i = 0; i < rows; ++i) {
    const double place = static_cast<double>(i) - static_cast<double>(rows) / 2;
    node.x.push_back(static_cast<float>(place));
    node.y.push_back(-std::abs(place) + (i % 3 == 0 ? 0.1 : -0.05));
  }
  return node;
}

TEST(ProbabilisticLinear, FindsTheKink) {
  const Node node = roof(40);
  for (const std::size_t cut : {8, 14, 28, 35}) EXPECT_GT(node.gain(20), node.gain(cut) + 1);
}

TEST(ProbabilisticLinear, OneLineIsNotSplit) {
  Node node;
  for (int i = 0; i < 30; ++i) {
    node.x.push_back(static_cast<float>(i));
    node.y.push_back(2 * i + (i % 3 == 0 ? 1 : -0.5) * (1 + i % 2));
  }
  for (std::size_t cut = 4; cut < 26; ++cut) EXPECT_LT(node.gain(cut), 3) << cut;
}

TEST(ProbabilisticLinear, SideWithoutALineIsRefused) {
  const Node node = roof(40);
  EXPECT_EQ(node.gain(2), -INFINITY);
  Node steps = node;
  for (std::size_t i = 0; i < 10; ++i) steps.x[i] = -20;  // constant
  EXPECT_EQ(steps.gain(10), -INFINITY);
  EXPECT_GT(steps.gain(20), 0);
}

// log(s^2 (1 + 1/n)) with s^2 = RSS / (n - 1).
TEST(ProbabilisticLinear, WithoutRegressorLinesAreConstants) {
  const Node node{{1, 2, 3, 11, 12, 13}, {}, {}};
  const double whole = 6 * std::log(154 / 5.0 * (1 + 1 / 6.0));
  const double side = 3 * std::log(2 / 2.0 * (1 + 1 / 3.0));
  EXPECT_NEAR(node.gain(3), 0.5 * (whole - 2 * side), 1e-6);
}

TEST(ProbabilisticLinear, RowTwiceIsWeightTwice) {
  Node weighted = roof(30), repeated = weighted;
  weighted.weights.assign(30, 1);
  weighted.weights[3] = 2;
  repeated.x.insert(repeated.x.begin() + 3, repeated.x[3]);
  repeated.y.insert(repeated.y.begin() + 3, repeated.y[3]);
  EXPECT_NEAR(weighted.gain(15), repeated.gain(16), 1e-9);
}

// Weights in other units stand for the same samples; the gain is in units.
TEST(ProbabilisticLinear, UnitOfWeightsDoesNotMatter) {
  Node one = roof(30), many = one;
  many.weights.assign(30, 1000);
  EXPECT_NEAR(one.gain(15), many.gain(15, 0.001) / 1000, 1e-3);  // coarser steps
}

TEST(ProbabilisticLinear, MissingValuesCountAtTheMean) {
  Node node = roof(30);
  node.x[2] = node.x[28] = NAN;
  EXPECT_TRUE(std::isfinite(node.gain(15)));
  EXPECT_GT(node.gain(15), 0);
}

// Beyond kMostPoints the logarithms are replaced by their arguments.
TEST(ProbabilisticLinear, LargeSidesAreNearlyExact) {
  const auto n = static_cast<double>(2 * ProbabilisticLinear::kMostPoints);
  const Node node = roof(2 * ProbabilisticLinear::kMostPoints + 40);
  double exact = 0;  // of the right side of a cut behind 40 rows
  const double scatter = n * (n * n - 1) / 12;
  for (double i = 0; i < n; ++i)
    exact += std::log1p(1 / n + (i - (n - 1) / 2) * (i - (n - 1) / 2) / scatter);
  EXPECT_NEAR(exact, 2, 0.05);
  EXPECT_TRUE(std::isfinite(node.gain(40)));
}

}  // namespace
}  // namespace coppice
