// Sums over long vectors of outputs, in the fixed order of base/row_sums.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/row_sums.h"
#include "refine/output_block.h"

namespace coppice {

// Per output: sum of a_i b_i.
inline std::vector<double> dot(const OutputBlock& a, const OutputBlock& b, std::size_t workers) {
  return sum_rows(a.rows, a.stride, workers, [&](std::size_t row, double* sums) {
    const float *x = a.row(row), *y = b.row(row);
    for (std::size_t k = 0; k < a.stride; ++k) sums[k] += double{x[k]} * double{y[k]};
  });
}

inline double total(std::span<const double> parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace coppice
