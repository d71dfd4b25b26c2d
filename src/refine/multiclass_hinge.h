// Refinement under the loss of Crammer and Singer (2001), LIBLINEAR's solver 4: with s = offset +
// Phi W the scores of the classes,
//   min_W 1/2 |W|^2 + C sum_i v_i max_m (s_im - s_i,y_i + [m != y_i])
// by descent along the rows of the dual (Keerthi et al., KDD 2008).
#pragma once

#include <cstdint>

#include "refine/class_problem.h"
#include "refine/solved.h"

namespace coppice {

struct HingeRules {
  double tolerance = 0.05;  // of the violation of a row, as LIBLINEAR's -e (there 0.1)
  std::size_t most_passes = 1000;
  std::uint64_t seed = 1;  // of the order in which rows are visited
};

// Dual variables, rows x classes: W = sum of alpha_i phi_i. Kept from one cost to the next, they
// make the next solution cheap. Empty: zero.
struct HingeDual {
  OutputBlock alpha;
  double cost = 0;
};

Solved solve_hinge(const ClassProblem&, const HingeRules&, HingeDual&, OutputBlock& w);

}  // namespace coppice
