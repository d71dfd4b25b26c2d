// Classification: the twoing rule (Breiman et al. 1984, 4.3.2; Grabner 2016, 2.2.2.1).
//   gain = n p_l p_r / 4 (sum over classes of |p(c | left) - p(c | right)|)^2
// It looks for two groups of classes rather than for one pure class; with two classes it is half
// the gain of Gini.
#pragma once

#include <cstdint>

#include "objective/class_counts.h"
#include "objective/objective.h"

namespace coppice {

struct Twoing : ClassCounts {
  double cost(const Sum*) const { return 0; }

  // With l_c, r_c the weights of a class and l, r their sums, the distance is
  // sum |r l_c - l r_c| / (l r): a whole number below 2^62 over another.
  double children_cost(const Sum* left, const Sum* right) const {
    const std::uint64_t on_left = weight(left), on_right = weight(right);
    if (on_left == 0 || on_right == 0) return 0;
    std::uint64_t distance = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const std::uint64_t a = left[c] * on_right, b = right[c] * on_left;
      distance += a > b ? a - b : b - a;
    }
    const auto d = static_cast<double>(distance), l = static_cast<double>(on_left),
               r = static_cast<double>(on_right);
    return -(d / l) * (d / r) / (4 * (l + r));
  }
};
static_assert(Objective<Twoing>);

}  // namespace coppice
