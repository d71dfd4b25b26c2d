// The two sides of a threshold that moves from left to right through a node. This is the general
// form: any objective works. One that can update its cost faster than from scratch specialises it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "objective/objective.h"

namespace coppice {

template <Objective O>
class RunningSplit {
 public:
  using Sum = typename O::Sum;

  explicit RunningSplit(const O& objective)
      : objective_(objective),
        left_(objective.statistics_size()),
        right_(objective.statistics_size()) {}

  // Everything is on the right.
  void start(std::span<const Sum> parent) {
    parent_ = parent;
    std::fill(left_.begin(), left_.end(), Sum{0});
  }

  void move(const typename O::Item& item) { objective_.add(left_.data(), item); }
  void move(const Sum* group) {
    for (std::size_t k = 0; k < left_.size(); ++k) left_[k] += group[k];
  }

  double children_cost() {
    for (std::size_t k = 0; k < left_.size(); ++k) right_[k] = parent_[k] - left_[k];
    return objective_.cost(left_.data()) + objective_.cost(right_.data());
  }

 private:
  const O& objective_;
  std::span<const Sum> parent_;
  std::vector<Sum> left_, right_;
};

}  // namespace coppice
