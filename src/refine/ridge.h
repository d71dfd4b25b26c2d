// Refinement under the squared loss (Grabner 2016, eq. 2.18): for every output by itself
//   min_w 1/2 |w|^2 + C sum_i v_i (y_i - Phi_i w)^2
// which is LIBLINEAR's solver 11 with epsilon 0; its C is C / N of eq. 2.18.
#pragma once

#include <cstddef>
#include <span>

#include "refine/gram.h"
#include "refine/leaf_matrix.h"
#include "refine/solved.h"

namespace coppice {

struct RidgeProblem {
  LeafMatrix& matrix;
  const OutputBlock& targets;
  double cost = 1;  // C
  // Stop where further iterations would improve the objective by about this share.
  double tolerance = 1e-3;
  std::size_t most_iterations = 500;
};

// By conjugate gradients. Goes on from w.
Solved solve_ridge(const RidgeProblem&, OutputBlock& w, std::size_t workers);
// At once, with the matrix Phi' V Phi of the problem.
Solved solve_ridge(const RidgeProblem&, const LeafGram&, OutputBlock& w, std::size_t workers);

}  // namespace coppice
