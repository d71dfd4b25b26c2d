// Sums of distances to the median against sorting.
#include "objective/absolute_deviation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

struct Sides {
  double left = 0, right = 0;
};

// Costs of rows [0, cut) and of the others.
Sides costs(const std::vector<double>& values, const std::vector<std::uint32_t>& weights,
            std::size_t cut) {
  const FixedPointTargets targets(values, 1);
  AbsoluteDeviation objective(targets);
  std::vector<AbsoluteDeviation::Item> items;
  for (std::uint32_t row = 0; row < values.size(); ++row)
    items.push_back(objective.item(row, weights[row]));
  objective.begin_node(items);
  std::vector<std::int64_t> left(objective.statistics_size()), right = left;
  for (std::size_t i = 0; i < items.size(); ++i)
    objective.add((i < cut ? left : right).data(), items[i]);
  return {objective.cost(left.data()), objective.cost(right.data())};
}

double by_sorting(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::abs(value - values[values.size() / 2]);
  return sum;
}

TEST(AbsoluteDeviation, IsTheDistanceToTheMedian) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    const std::size_t rows = 1 + random.below(40), cut = random.below(41);
    std::vector<double> values, left, right;
    std::vector<std::uint32_t> weights;
    for (std::size_t i = 0; i < rows; ++i) {
      values.push_back(random.below(seed % 2 == 0 ? 5 : 1000) / 4.0);
      weights.push_back(1 + random.below(3));
      auto& side = i < cut ? left : right;
      side.insert(side.end(), weights.back(), values.back());
    }
    const Sides found = costs(values, weights, cut);
    EXPECT_NEAR(found.left, by_sorting(left), 1e-4);
    EXPECT_NEAR(found.right, by_sorting(right), 1e-4);
  }
}

// One value far out moves a mean, but not a median.
TEST(AbsoluteDeviation, OutlierCostsItsDistance) {
  EXPECT_NEAR(costs({1, 2, 3, 1000}, {1, 1, 1, 1}, 4).left, 1 + 0 + 1 + 998, 1e-4);
}

TEST(AbsoluteDeviation, MoreValuesThanRanksAreNearlyExact) {
  RandomStream random(1);
  std::vector<double> values;
  for (std::size_t i = 0; i < 3 * AbsoluteDeviation::kMostRanks; ++i)
    values.push_back(random.uniform() * random.uniform());
  const std::vector<std::uint32_t> weights(values.size(), 1);
  const std::size_t cut = 1000;
  const Sides found = costs(values, weights, cut);
  const auto middle = values.begin() + cut;
  EXPECT_NEAR(found.left / by_sorting({values.begin(), middle}), 1, 1e-6);
  EXPECT_NEAR(found.right / by_sorting({middle, values.end()}), 1, 1e-6);
}

}  // namespace
}  // namespace coppice
