// Regression: cost(S) = sum over targets of sum w (y - mean)^2, up to the constant sum w y^2, which
// a split does not change. So cost(S) = - sum over targets of (sum w y)^2 / sum w.
#pragma once

#include <cstdint>
#include <span>

#include "base/lanes.h"
#include "data/fixed_point.h"
#include "objective/objective.h"
#include "split/running_split.h"

namespace coppice {

// One target: a sample is one number.
struct Variance {
  struct Item {
    std::int64_t target;
    std::uint32_t weight;
  };
  using Sum = std::int64_t;  // [ sum w | sum w y ]
  static constexpr bool kOneNumber = true;

  const FixedPointTargets& targets;

  std::size_t statistics_size() const { return 2; }
  Item item(std::uint32_t row, std::uint32_t weight) const {
    return {targets.value(row, 0), weight};
  }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.weight;
    sums[1] += item.target * item.weight;
  }
  // Of lanes side by side, see split/lane_sums.h.
  [[gnu::always_inline]] void add_to_lanes(Lanes<Sum>* sums, const Item& item,
                                           const LaneMask& mask) const {
    add_masked(sums[0], mask, Sum{item.weight});
    add_masked(sums[1], mask, item.target * item.weight);
  }
  bool alike(const Item& a, const Item& b) const { return a.target == b.target; }
  std::uint64_t weight(const Sum* sums) const { return static_cast<std::uint64_t>(sums[0]); }
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

template <>
class RunningSplit<Variance> {
 public:
  using Sum = Variance::Sum;

  struct Start {
    const Variance& objective;
    Sum weight, sum;
    Start(const Variance& of, std::span<const Sum> sums)
        : objective(of), weight(sums[0]), sum(sums[1]) {}
  };
  static std::size_t scratch_size(const Variance&) { return 0; }

  RunningSplit(const Start& start, std::span<Sum>)
      : objective_(start.objective), right_weight_(start.weight), right_sum_(start.sum) {}

  void move(const Variance::Item& item) { move(item.weight, item.target * item.weight); }
  std::uint64_t move(const Sum* group) {
    move(group[0], group[1]);
    return static_cast<std::uint64_t>(group[0]);
  }

  // cost = -(S_l^2 / w_l + S_r^2 / w_r) in squared units.
  void set_bar(double bar) { bar_.set(0, bar / objective_.targets.squared_unit(0)); }
  bool may_clear_bar() const {
    const auto left = static_cast<double>(left_sum_), right = static_cast<double>(right_sum_);
    return bar_.may_clear(left * left, static_cast<double>(left_weight_), right * right,
                          static_cast<double>(right_weight_));
  }

  double children_cost() const {
    const Sum left[] = {left_weight_, left_sum_}, right[] = {right_weight_, right_sum_};
    return objective_.cost(left) + objective_.cost(right);
  }

 private:
  void move(std::int64_t weight, std::int64_t sum) {
    left_weight_ += weight, right_weight_ -= weight;
    left_sum_ += sum, right_sum_ -= sum;
  }

  const Variance& objective_;
  std::int64_t left_weight_ = 0, left_sum_ = 0, right_weight_, right_sum_;
  FractionBar bar_;
};

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
  bool alike(const Item& a, const Item& b) const { return targets.same_row(a.row, b.row); }
  std::uint64_t weight(const Sum* sums) const { return static_cast<std::uint64_t>(sums[0]); }
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
