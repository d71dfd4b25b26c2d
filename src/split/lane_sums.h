// The sums of what lies left of a cut, for several cuts of a node side by side: a lane per cut, so
// that a sample is added to all of them by a few vector operations.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "objective/objective.h"

namespace coppice {

// Objectives that know what the children of all lanes cost, and their left ones weigh, faster than
// lane by lane.
template <class O>
concept CostsLanes = requires(const O& objective, const typename O::Sum* parent,
                              const Lanes<typename O::Sum>* left, double* costs,
                              std::uint64_t* weights) {
  objective.cost_of_lanes(parent, left, costs, weights);
};

template <Objective O>
class LaneSums {
 public:
  using Sum = typename O::Sum;

  [[gnu::always_inline]] void clear(const O& objective) {
    const std::size_t size = objective.statistics_size();
    if (left_.size() != size) left_.resize(size), of_one_.resize(2 * size);
    for (std::size_t k = 0; k < size; ++k) left_[k].all = typename Lanes<Sum>::All{};
  }

  // To the lanes whose mask is set.
  [[gnu::always_inline]] void add(const O& objective, const typename O::Item& item,
                                  const LaneMask& mask) {
    if constexpr (requires { objective.add_to_lanes(left_.data(), item, mask); }) {
      objective.add_to_lanes(left_.data(), item, mask);
    } else {
      add_one_by_one(objective, item, mask);
    }
  }

  // costs[lane] = cost(left) + cost(right) of it; weight() can then tell.
  [[gnu::always_inline]] void costs(const O& objective, std::span<const Sum> parent,
                                    std::span<double, kLanes> costs) {
    if constexpr (CostsLanes<O>) {
      objective.cost_of_lanes(parent.data(), left_.data(), costs.data(), weights_.data());
    } else {
      Sum* const left = of_one_.data();
      Sum* const right = left + parent.size();
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t k = 0; k < parent.size(); ++k) {
          left[k] = left_[k][lane];
          right[k] = parent[k] - left[k];
        }
        costs[lane] = children_cost(objective, left, right);
        weights_[lane] = objective.weight(left);
      }
    }
  }

  // What lies left of the cut of a lane weighs.
  std::uint64_t weight(std::size_t lane) const { return weights_[lane]; }

 private:
  void add_one_by_one(const O& objective, const typename O::Item& item, const LaneMask& mask) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (!mask[lane]) continue;
      for (std::size_t k = 0; k < left_.size(); ++k) of_one_[k] = left_[k][lane];
      objective.add(of_one_.data(), item);
      for (std::size_t k = 0; k < left_.size(); ++k) left_[k].set(lane, of_one_[k]);
    }
  }

  std::vector<Lanes<Sum>> left_;  // per statistic
  std::array<std::uint64_t, kLanes> weights_;
  std::vector<Sum> of_one_;  // scratch: both sides of a lane
};

}  // namespace coppice
