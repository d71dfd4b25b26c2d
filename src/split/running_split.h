// The two sides of a threshold that moves from left to right through a node. This is the general
// form: any objective works. One that can update its cost faster than from scratch specialises it.
// It is a value that a scan keeps in registers; arrays are scratch of the caller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "objective/objective.h"

namespace coppice {

template <Objective O>
class RunningSplit {
 public:
  using Sum = typename O::Sum;

  // What all scans of a node start from.
  struct Start {
    const O& objective;
    std::span<const Sum> parent;
    Start(const O& of, std::span<const Sum> sums) : objective(of), parent(sums) {}
  };
  // Entries of scratch that it needs.
  static std::size_t scratch_size(const O& objective) { return 2 * objective.statistics_size(); }

  // Everything is on the right.
  RunningSplit(const Start& start, std::span<Sum> scratch)
      : objective_(start.objective),
        parent_(start.parent),
        left_(scratch.first(parent_.size())),
        right_(scratch.last(parent_.size())) {
    std::fill(left_.begin(), left_.end(), Sum{0});
  }

  void move(const typename O::Item& item) { objective_.add(left_.data(), item); }
  // Returns the weight of the group.
  std::uint64_t move(const Sum* group) {
    for (std::size_t k = 0; k < left_.size(); ++k) left_[k] += group[k];
    return objective_.weight(group);
  }

  // A quick test that spares most boundaries their cost: false only if children_cost() is above the
  // bar.
  void set_bar(double) {}
  bool may_clear_bar() const { return true; }

  double children_cost() const {
    for (std::size_t k = 0; k < left_.size(); ++k) right_[k] = parent_[k] - left_[k];
    return coppice::children_cost(objective_, left_.data(), right_.data());
  }

 private:
  const O& objective_;
  std::span<const Sum> parent_;
  std::span<Sum> left_, right_;
};

// For costs of the form  whole - (a / m + b / n)  with a, b >= 0 and m, n > 0 of the two sides:
// whether the cost can be at or below a bar, without a division. The slack covers rounding.
class FractionBar {
 public:
  void set(double whole, double bar) { least_ = (whole - bar) * (1 - 1e-9); }
  bool may_clear(double a, double m, double b, double n) const {
    return a * n + b * m >= least_ * (m * n);
  }

 private:
  double least_ = 0;
};

}  // namespace coppice
