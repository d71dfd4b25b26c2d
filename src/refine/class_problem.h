// What the solvers about classes share: rows in leaves, their labels, and scores to start from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "refine/constant_leaves.h"

namespace coppice {

struct ClassProblem {
  const ConstantLeaves& leaves;
  std::span<const std::uint32_t> labels;
  std::size_t classes = 0;
  const OutputBlock* offset = nullptr;  // rows x classes: scores that are there already
  double cost = 1;                      // C
};

}  // namespace coppice
