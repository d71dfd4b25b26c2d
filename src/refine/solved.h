// What a solver of this folder reports.
#pragma once

#include <cstddef>

namespace coppice {

struct Solved {
  double objective = 0;        // 1/2 |W|^2 + C sum of losses, over all outputs
  std::size_t iterations = 0;  // of conjugate gradients, or passes over the rows; 0: at once
  bool converged = true;
};

}  // namespace coppice
