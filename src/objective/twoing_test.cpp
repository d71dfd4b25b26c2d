// The twoing rule against Gini where both say the same, and where it alone groups classes.
#include "objective/twoing.h"

#include <gtest/gtest.h>

#include <vector>

#include "objective/class_impurity.h"

namespace coppice {
namespace {

using Counts = std::vector<std::uint32_t>;

double gain(const Counts& left, const Counts& right) {
  return -Twoing{{{}, left.size()}}.children_cost(left.data(), right.data());
}

TEST(Twoing, IsHalfTheGainOfGiniForTwoClasses) {
  const GiniImpurity gini{{{}, 2}};
  for (const auto& [left, right] : std::vector<std::pair<Counts, Counts>>{
           {{3, 1}, {2, 8}}, {{5, 0}, {0, 7}}, {{1, 1}, {4, 4}}, {{100, 3}, {1, 200}}}) {
    const Counts both{left[0] + right[0], left[1] + right[1]};
    const double of_gini =
        gini.cost(both.data()) - gini.cost(left.data()) - gini.cost(right.data());
    EXPECT_NEAR(gain(left, right), of_gini / 2, 1e-9);
  }
}

// n p_l p_r / 4 (sum of four distances of 1/2)^2 = 8 * 1/4 / 4 * 4
TEST(Twoing, IsTheFormula) { EXPECT_DOUBLE_EQ(gain({2, 2, 0, 0}, {0, 0, 2, 2}), 2); }

// Gini prefers to cut off the pure class, twoing two groups of classes of the same size.
TEST(Twoing, PrefersEvenGroupsOfClasses) {
  const Counts even_left{10, 10, 0, 0}, even_right{0, 0, 10, 10};
  const Counts pure_left{10, 0, 0, 0}, pure_right{0, 10, 10, 10};
  EXPECT_GT(gain(even_left, even_right), 1.3 * gain(pure_left, pure_right));
}

TEST(Twoing, OneSideAloneGainsNothing) {
  EXPECT_EQ(gain({3, 4, 1}, {0, 0, 0}), 0);
  EXPECT_EQ(gain({0, 0, 0}, {3, 4, 1}), 0);
}

TEST(Twoing, HeaviestWeightsDoNotOverflow) {
  const std::uint32_t half = 1u << 30;
  EXPECT_NEAR(gain({half - 1, 0}, {0, half}) / (2.0 * half), 0.25, 1e-6);
}

}  // namespace
}  // namespace coppice
