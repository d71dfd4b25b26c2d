// Gains of the variance against sums of squared distances computed directly.
#include "objective/variance.h"

#include <gtest/gtest.h>

#include <vector>

#include "split/running_split.h"

namespace coppice {
namespace {

const std::vector<double> kTargets{1, 3, 3, -2, 8, 0.5};

template <class O>
double cost_of_rows(const FixedPointTargets& targets, const std::vector<std::uint32_t>& rows,
                    std::uint32_t weight = 1) {
  const O objective{targets};
  std::vector<std::int64_t> sums(objective.statistics_size());
  for (const std::uint32_t row : rows) objective.add(sums.data(), objective.item(row, weight));
  return objective.cost(sums.data());
}

// The gain of a split is the fall of the sum of squared distances to the means.
double squares_about_mean(const std::vector<std::uint32_t>& rows) {
  double sum = 0, squares = 0;
  for (const std::uint32_t row : rows) sum += kTargets[row];
  for (const std::uint32_t row : rows) {
    const double distance = kTargets[row] - sum / static_cast<double>(rows.size());
    squares += distance * distance;
  }
  return squares;
}

TEST(Variance, GainIsTheFallOfSquaredDistances) {
  const FixedPointTargets targets(kTargets, 1);
  const std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5}, left{0, 3, 5}, right{1, 2, 4};
  const double gain = cost_of_rows<Variance>(targets, all) - cost_of_rows<Variance>(targets, left) -
                      cost_of_rows<Variance>(targets, right);
  EXPECT_NEAR(gain, squares_about_mean(all) - squares_about_mean(left) - squares_about_mean(right),
              1e-6);
}

TEST(Variance, NothingCostsNothing) {
  EXPECT_EQ(cost_of_rows<Variance>(FixedPointTargets(kTargets, 1), {}), 0);
  EXPECT_EQ(cost_of_rows<MultiVariance>(FixedPointTargets(kTargets, 2), {}), 0);
}

TEST(Variance, OneTargetIsTheCaseOfOneOfMany) {
  const FixedPointTargets targets(kTargets, 1);
  EXPECT_EQ(cost_of_rows<Variance>(targets, {0, 1, 4}, 3),
            cost_of_rows<MultiVariance>(targets, {0, 1, 4}, 3));
}

TEST(MultiVariance, GainsOfTargetsAddUp) {
  const FixedPointTargets both(kTargets, 2);  // three rows of two
  const FixedPointTargets first(std::vector<double>{1, 3, 8}, 1);
  const FixedPointTargets second(std::vector<double>{3, -2, 0.5}, 1);
  const auto gain = [&](auto objective_of, const FixedPointTargets& targets) {
    return objective_of(targets, {0, 1, 2}) - objective_of(targets, {0, 1}) -
           objective_of(targets, {2});
  };
  using Rows = std::vector<std::uint32_t>;
  const auto one = [](const FixedPointTargets& t, const Rows& rows) {
    return cost_of_rows<Variance>(t, rows);
  };
  const auto many = [](const FixedPointTargets& t, const Rows& rows) {
    return cost_of_rows<MultiVariance>(t, rows);
  };
  EXPECT_NEAR(gain(many, both), gain(one, first) + gain(one, second), 1e-6);
}

TEST(MultiVariance, AlikeMeansEveryTarget) {
  const FixedPointTargets targets(std::vector<double>{1, 2, 1, 2, 1, 3}, 2);
  const MultiVariance objective{targets};
  EXPECT_TRUE(objective.alike(objective.item(0, 1), objective.item(1, 5)));
  EXPECT_FALSE(objective.alike(objective.item(0, 1), objective.item(2, 1)));
}

TEST(Variance, MeanIsInUnitsOfTheTargets) {
  const FixedPointTargets targets(kTargets, 1);
  const Variance objective{targets};
  std::vector<std::int64_t> sums(2);
  for (const std::uint32_t row : {0u, 1u, 4u}) objective.add(sums.data(), objective.item(row, 1));
  double mean = 0;
  objective.mean(sums.data(), &mean);
  EXPECT_NEAR(targets.centre(0) + mean * targets.unit(0), (1 + 3 + 8) / 3.0, 1e-7);
}

}  // namespace
}  // namespace coppice
