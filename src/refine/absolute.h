// Refinement under the absolute loss that forgives epsilon, LIBLINEAR's solver 13: for every output
// by itself
//   min_w 1/2 |w|^2 + C sum_i v_i max(0, |y_i - Phi_i w| - epsilon)
// by descent along the coordinates of the dual (Ho and Lin, JMLR 2012).
#pragma once

#include <cstdint>

#include "refine/constant_leaves.h"
#include "refine/solved.h"

namespace coppice {

struct AbsoluteProblem {
  const ConstantLeaves& leaves;
  const OutputBlock& targets;
  double cost = 1;  // C
  double epsilon = 0;
};

struct AbsoluteRules {
  double tolerance = 0.01;  // of the sum of violations, as a share of that at the beginning
  std::size_t most_passes = 1000;
  std::uint64_t seed = 1;  // of the order in which rows are visited
};

// Dual variables, outputs x rows: w = sum of beta_i phi_i. Empty: zero.
struct AbsoluteDual {
  std::vector<float> beta;
  double cost = 0;
};

Solved solve_absolute(const AbsoluteProblem&, const AbsoluteRules&, AbsoluteDual&, OutputBlock& w,
                      std::size_t workers);

}  // namespace coppice
