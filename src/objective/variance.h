// Regression: cost(S) = sum over targets of sum w (y - mean)^2, up to the constant sum w y^2, which
// a split does not change. So cost(S) = - sum over targets of (sum w y)^2 / sum w.
#pragma once

#include <cstdint>
#include <span>

#include "data/fixed_point.h"
#include "objective/objective.h"

namespace coppice {

// One target: a sample is one number.
struct Variance {
  struct Item {
    std::int64_t weighted_target, target;
    std::uint32_t weight;
  };
  using Sum = std::int64_t;  // [ sum w | sum w y ]

  const FixedPointTargets& targets;

  std::size_t statistics_size() const { return 2; }
  Item item(std::uint32_t row, std::uint32_t weight) const {
    const std::int64_t target = targets.value(row, 0);
    return {target * weight, target, weight};
  }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.weight;
    sums[1] += item.weighted_target;
  }
  bool alike(const Item& a, const Item& b) const { return a.target == b.target; }
  double cost(const Sum* sums) const {
    if (sums[0] == 0) return 0;
    const auto sum = static_cast<double>(sums[1]);
    return -sum * sum / static_cast<double>(sums[0]) * targets.squared_unit(0);
  }

  std::size_t mean_size() const { return 1; }
  void mean(const Sum* sums, double* point) const {
    *point = static_cast<double>(sums[1]) / static_cast<double>(sums[0]);
  }
};
static_assert(Objective<Variance>);

// Any number of targets: a sample is a row of them.
struct MultiVariance {
  struct Item {
    std::uint32_t row, weight;
  };
  using Sum = std::int64_t;  // [ sum w | sum w y_1 | ... | sum w y_q ]

  const FixedPointTargets& targets;

  std::size_t statistics_size() const { return 1 + targets.outputs(); }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {row, weight}; }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.weight;
    const std::span<const std::int64_t> row = targets.row(item.row);
    for (std::size_t k = 0; k < row.size(); ++k) sums[1 + k] += row[k] * item.weight;
  }
  bool alike(const Item& a, const Item& b) const {
    const std::span<const std::int64_t> row = targets.row(a.row), other = targets.row(b.row);
    return std::equal(row.begin(), row.end(), other.begin());
  }
  double cost(const Sum* sums) const {
    if (sums[0] == 0) return 0;
    double squares = 0;
    for (std::size_t k = 0; k < targets.outputs(); ++k) {
      const double sum = static_cast<double>(sums[1 + k]) * targets.unit(k);
      squares += sum * sum;
    }
    return -squares / static_cast<double>(sums[0]);
  }

  std::size_t mean_size() const { return targets.outputs(); }
  void mean(const Sum* sums, double* point) const {
    for (std::size_t k = 0; k < targets.outputs(); ++k)
      point[k] = static_cast<double>(sums[1 + k]) * targets.unit(k) / static_cast<double>(sums[0]);
  }
};
static_assert(Objective<MultiVariance>);

}  // namespace coppice
