// The order of categories against exhaustive search over all subsets, and against an eigenvector
// found in another way.
#include "split/category_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

using Order = std::vector<std::uint32_t>;

Order order_of(std::vector<double> means, std::size_t size, const Order& samples) {
  CategoryOrder order;
  const auto found = order.along_main_axis(means, size, samples);
  return {found.begin(), found.end()};
}

TEST(CategoryOrder, OneOutputIsOrderedByMean) {
  EXPECT_EQ(order_of({3, -1, 2, 2.5}, 1, {1, 5, 2, 9}), (Order{1, 2, 3, 0}));
}

TEST(CategoryOrder, TiesGoToTheLowerGroup) {
  EXPECT_EQ(order_of({2, 1, 2, 1}, 1, {1, 1, 1, 1}), (Order{1, 3, 0, 2}));
  EXPECT_EQ(order_of({0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 2, {3, 1, 2}), (Order{0, 1, 2}));
}

TEST(CategoryOrder, NoGroupsHaveNoOrder) { EXPECT_TRUE(order_of({}, 3, {}).empty()); }

struct Category {
  double first, second;  // weights of two classes
};

double gini(double a, double b) { return a + b == 0 ? 0 : a + b - (a * a + b * b) / (a + b); }

double cost_of_set(const std::vector<Category>& categories, std::size_t left_set) {
  double left[2] = {0, 0}, right[2] = {0, 0};
  for (std::size_t c = 0; c < categories.size(); ++c) {
    double* side = left_set >> c & 1 ? left : right;
    side[0] += categories[c].first;
    side[1] += categories[c].second;
  }
  return gini(left[0], left[1]) + gini(right[0], right[1]);
}

// Breiman et al. 1984: with two classes some cut along the order is the best of all 2^k subsets.
TEST(CategoryOrder, TwoClassesContainTheBestSubset) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    const std::size_t count = 2 + random.below(8);
    std::vector<Category> categories;
    std::vector<double> means;
    Order samples;
    for (std::size_t c = 0; c < count; ++c) {
      const std::uint32_t first = random.below(6), second = random.below(6) + (first == 0);
      categories.push_back({static_cast<double>(first), static_cast<double>(second)});
      samples.push_back(first + second);
      means.push_back(static_cast<double>(first) / (first + second));
      means.push_back(static_cast<double>(second) / (first + second));
    }
    double best = INFINITY, best_along = INFINITY;
    for (std::size_t set = 1; set + 1 < std::size_t{1} << count; ++set)
      best = std::min(best, cost_of_set(categories, set));
    std::size_t left = 0;
    for (const std::uint32_t c : order_of(means, 2, samples)) {
      left |= std::size_t{1} << c;
      if (left + 1 < std::size_t{1} << count)
        best_along = std::min(best_along, cost_of_set(categories, left));
    }
    EXPECT_NEAR(best_along, best, 1e-9) << "seed " << seed;
  }
}

// The main axis by Jacobi rotations of the 3 x 3 covariance.
std::array<double, 3> main_axis(std::array<std::array<double, 3>, 3> a) {
  std::array<std::array<double, 3>, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 50; ++sweep)
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = p + 1; q < 3; ++q) {
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
          const double m = v[k][p], n = v[k][q];
          v[k][p] = c * m - s * n, v[k][q] = s * m + c * n;
        }
      }
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (a[i][i] > a[largest][largest]) largest = i;
  return {v[0][largest], v[1][largest], v[2][largest]};
}

TEST(CategoryOrder, SeveralOutputsAreOrderedAlongTheMainAxis) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    const std::size_t count = 3 + random.below(20);
    std::vector<double> means;
    Order samples;
    for (std::size_t c = 0; c < count; ++c) {
      const double along = random.uniform() * 20;  // one axis dominates
      means.insert(means.end(),
                   {along + random.uniform(), 2 * along + random.uniform(), random.uniform()});
      samples.push_back(1 + random.below(9));
    }
    double total = 0;
    std::array<double, 3> centre{};
    for (std::size_t c = 0; c < count; ++c) {
      total += samples[c];
      for (std::size_t k = 0; k < 3; ++k) centre[k] += samples[c] * means[c * 3 + k];
    }
    std::array<std::array<double, 3>, 3> covariance{};
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          covariance[i][j] += samples[c] * (means[c * 3 + i] - centre[i] / total) *
                              (means[c * 3 + j] - centre[j] / total);
    const std::array<double, 3> axis = main_axis(covariance);
    const Order order = order_of(means, 3, samples);
    std::vector<double> keys;
    for (const std::uint32_t c : order)
      keys.push_back(axis[0] * means[c * 3] + axis[1] * means[c * 3 + 1] +
                     axis[2] * means[c * 3 + 2]);
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()) ||
                std::is_sorted(keys.rbegin(), keys.rend()))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace coppice
