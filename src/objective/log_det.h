// Regression, one or several targets: the differential entropy of a Gaussian (Criminisi et al.
// 2012, eq. 2.9 and 4.6) without its constants,
//   cost(S) = n log |C(S) + R|,   C the covariance of the targets (of n, not n - 1),
// R a diagonal of kRidge times the variances in the node: without it, a child of one sample or of
// dependent targets would be worth any price.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cholesky.h"
#include "base/portable_math.h"
#include "data/fixed_point.h"
#include "objective/node_item.h"
#include "objective/node_targets.h"
#include "objective/objective.h"

namespace coppice {

class LogDet {
 public:
  static constexpr double kRidge = 0.01;

  using Item = NodeItem;
  // [ sum w | sum w y_k | sum w y_k y_l, l <= k, row by row ], y in steps of the node
  using Sum = std::int64_t;

  explicit LogDet(const FixedPointTargets& targets) : targets_(targets) {}

  void begin_node(std::span<Item> items) {
    number_items(items);
    node_.load(targets_, std::span<const Item>(items));
    std::vector<Sum> sums(statistics_size());
    for (const Item& item : items) add(sums.data(), item);
    ridge_.assign(outputs(), 1);
    for (std::size_t k = 0; k < outputs(); ++k)
      if (const double variance = covariance(sums.data(), k, k); variance > 0)
        ridge_[k] = kRidge * variance;
  }

  std::size_t statistics_size() const { return products() + outputs() * (outputs() + 1) / 2; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {row, weight}; }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.weight;
    const std::span<const std::int32_t> row = node_.row(item.position);
    Sum* product = sums + products();
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Sum weighted = Sum{row[k]} * item.weight;
      sums[1 + k] += weighted;
      for (std::size_t l = 0; l <= k; ++l) *product++ += weighted * row[l];
    }
  }
  bool alike(const Item& a, const Item& b) const { return targets_.same_row(a.row, b.row); }
  std::uint64_t weight(const Sum* sums) const { return static_cast<std::uint64_t>(sums[0]); }

  double cost(const Sum* sums) const {
    if (sums[0] == 0) return 0;
    if (outputs() == 1)
      return static_cast<double>(sums[0]) * portable_log(covariance(sums, 0, 0) + ridge_[0]);
    triangle_.resize(outputs() * (outputs() + 1) / 2);
    for (std::size_t k = 0; k < outputs(); ++k)
      for (std::size_t l = 0; l <= k; ++l)
        triangle_[triangle_index(k, l)] = covariance(sums, k, l) + (k == l ? ridge_[k] : 0);
    factorise(triangle_, outputs(), 0);  // the ridge makes it regular
    double log_of_root = 0;
    for (std::size_t k = 0; k < outputs(); ++k)
      log_of_root += portable_log(triangle_[triangle_index(k, k)]);
    return static_cast<double>(sums[0]) * 2 * log_of_root;
  }

  std::size_t mean_size() const { return outputs(); }
  void mean(const Sum* sums, double* point) const {
    for (std::size_t k = 0; k < outputs(); ++k)
      point[k] = static_cast<double>(sums[1 + k]) / static_cast<double>(sums[0]) * node_.step(k) *
                 targets_.unit(k);
  }

 private:
  std::size_t outputs() const { return targets_.outputs(); }
  std::size_t products() const { return 1 + outputs(); }
  double covariance(const Sum* sums, std::size_t k, std::size_t l) const {
    return scatter(sums[0], sums[products() + triangle_index(k, l)], sums[1 + k], sums[1 + l]) /
           static_cast<double>(sums[0]);
  }

  const FixedPointTargets& targets_;
  NodeTargets node_;
  std::vector<double> ridge_;
  mutable std::vector<double> triangle_;  // scratch; every worker has an objective of its own
};
static_assert(Objective<LogDet> && LooksAtNodes<LogDet>);

}  // namespace coppice
