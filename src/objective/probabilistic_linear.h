// Regression by lines: the information gain of probabilistic-linear models (Criminisi et al. 2012,
// eq. 4.2 and appendix A; Einfalt 2014, eq. 4.3 to 4.5, his variant OR).
//
// The regressor of a candidate is what it compares with its threshold. In a set of n samples with
// the residual sum of squares RSS of the least-squares line, y at x_i is predicted with the
// variance
//   v_i = s^2 (1 + h_i),   s^2 = RSS / (n - 2),   h_i = 1 / n + (x_i - mean x)^2 / sum (x - mean)^2
// and the entropy of the set, n times 1/2 mean log(2 pi e v_i), is up to constants
//   E(S) = sum over i of 1/2 log v_i, summed over independent targets.
// A split gains E(S) - E(left) - E(right). One that gains nothing is none, and so is one with a
// side whose x is constant or that has fewer than three samples: it has no line (Einfalt, 5.1).
// The variance is that of an observation, as in the leaves. That of the line alone, s^2 h_i (eq.
// 3.27), falls with 1 / n: it makes every even split lose, and trees become chains.
// Categories are no regressors: constants take the place of lines, h_i = 1 / n, s^2 = RSS / (n-1).
// A sample whose x is missing counts as one at the mean.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/fixed_point.h"
#include "objective/node_item.h"
#include "objective/node_targets.h"
#include "objective/objective.h"

namespace coppice {

class ProbabilisticLinear {
 public:
  // With more different x, h is so small that the sum of log(1 + h) is taken to be that of h.
  static constexpr std::size_t kMostPoints = 64;

  using Item = NodeItem;
  // x and y in steps of the node, k over targets, "known" over the samples that have an x:
  // [ w | known: w | w x | w x^2 | per k: w y | w y^2 | known: w y | w x y ]
  using Sum = std::int64_t;

  // `samples` is what one unit of weight stands for.
  ProbabilisticLinear(const FixedPointTargets& targets, double samples)
      : targets_(targets), samples_(samples) {}

  void begin_node(std::span<Item> items);
  // Values of the regressor by position; none: there is no regressor.
  void begin_candidate(std::span<const Item> items, std::span<const float> values);

  std::size_t statistics_size() const { return kShared + kPerTarget * targets_.outputs(); }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {row, weight}; }
  void add(Sum* sums, const Item& item) const {
    const Sum w = item.weight, x = x_[item.position];
    const bool known = x != kUnknown;
    sums[0] += w;
    if (known) {
      sums[1] += w;
      sums[2] += w * x;
      sums[3] += w * x * x;
    }
    Sum* of_target = sums + kShared;
    for (const Sum y : node_.row(item.position)) {
      of_target[0] += w * y;
      of_target[1] += w * y * y;
      if (known) {
        of_target[2] += w * y;
        of_target[3] += w * x * y;
      }
      of_target += kPerTarget;
    }
  }
  bool alike(const Item& a, const Item& b) const { return targets_.same_row(a.row, b.row); }
  std::uint64_t weight(const Sum* sums) const { return static_cast<std::uint64_t>(sums[0]); }
  double cost(const Sum*) const { return 0; }
  // REQUIRES: what is known on the left lies below what is known on the right.
  double children_cost(const Sum* left, const Sum* right) const;

  std::size_t mean_size() const { return targets_.outputs(); }
  void mean(const Sum* sums, double* point) const {
    for (std::size_t k = 0; k < targets_.outputs(); ++k)
      point[k] = static_cast<double>(sums[kShared + kPerTarget * k]) /
                 static_cast<double>(sums[0]) * node_.step(k) * targets_.unit(k);
  }

 private:
  static constexpr std::size_t kShared = 4, kPerTarget = 4;
  static constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::min();

  // Neighbours among points_.
  struct Range {
    std::size_t first = 0, last = 0;
  };
  struct Point {
    std::int32_t x;
    std::int64_t weight, weight_up_to;  // of the samples there, and up to there
  };

  void scale_values(std::span<const Item> items, std::span<const float> values);
  Range below(std::int64_t known_weight) const;
  // E(S), or infinity if the set has no line.
  double entropy(const Sum* sums, Range known) const;
  // Over samples, of log(1 + h).
  double sum_of_logs(const Sum* sums, double x_scatter, Range known) const;

  const FixedPointTargets& targets_;
  double samples_;
  NodeTargets node_;
  std::vector<double> least_variances_;  // per target: residuals below are rounding errors
  std::vector<std::int32_t> x_;          // by position
  std::vector<std::uint32_t> order_;     // positions of known x, by x
  std::vector<Point> points_;            // the different values of x, ascending
  bool has_regressor_ = false;
  double node_entropy_ = 0;
};
static_assert(Objective<ProbabilisticLinear> && LooksAtNodes<ProbabilisticLinear> &&
              LooksAtCandidates<ProbabilisticLinear>);

}  // namespace coppice
