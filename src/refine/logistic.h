// Refinement under the multinomial logistic loss: with s = offset + Phi W the scores of the
// classes,
//   min_W 1/2 |W|^2 + C sum_i v_i (log sum_m exp(s_im) - s_i,y_i)
// by Newton's method, whose steps are found with conjugate gradients.
#pragma once

#include "refine/class_problem.h"
#include "refine/solved.h"

namespace coppice {

struct LogisticRules {
  double tolerance = 1e-4;  // stop where a step improves the objective by less than this share
  std::size_t most_steps = 50;
};

// Goes on from w.
Solved solve_logistic(const ClassProblem&, const LogisticRules&, OutputBlock& w,
                      std::size_t workers);

}  // namespace coppice
