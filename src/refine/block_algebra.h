// Sums over long vectors of outputs, in the fixed order of base/row_sums.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/row_sums.h"
#include "refine/output_block.h"

namespace coppice {

inline double total(std::span<const double> parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

// Four sums side by side, which do not wait for each other.
inline double dot(std::span<const float> x, std::span<const float> y) {
  double sums[4] = {};
  const std::size_t whole = x.size() / 4 * 4;
  for (std::size_t n = 0; n < whole; n += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += double{x[n + k]} * double{y[n + k]};
  for (std::size_t n = whole; n < x.size(); ++n) sums[0] += double{x[n]} * double{y[n]};
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Calls body(place, factor) for the numbers of the rows [first, last), whose outputs have a factor
// each.
template <class Body>
void for_each_number(std::span<const float> factors, std::size_t first, std::size_t last,
                     Body&& body) {
  if (factors.size() == 1) {
    const float factor = factors.front();
    for (std::size_t n = first; n < last; ++n) body(n, factor);
    return;
  }
  for (std::size_t row = first; row < last; ++row)
    for (std::size_t k = 0; k < factors.size(); ++k) body(row * factors.size() + k, factors[k]);
}

// Per output: sum of a_i b_i.
inline std::vector<double> dot(const OutputBlock& a, const OutputBlock& b, std::size_t workers) {
  if (a.stride == 1) {
    std::vector<double> partial((a.rows + kRowsPerChunk - 1) / kRowsPerChunk);
    for_each_chunk(a.rows, workers, [&](std::size_t chunk, std::size_t first, std::size_t last) {
      partial[chunk] = dot(std::span(a.values).subspan(first, last - first),
                           std::span(b.values).subspan(first, last - first));
    });
    return {total(partial)};
  }
  return sum_rows(a.rows, a.stride, workers, [&](std::size_t row, double* sums) {
    const float *x = a.row(row), *y = b.row(row);
    for (std::size_t k = 0; k < a.stride; ++k) sums[k] += double{x[k]} * double{y[k]};
  });
}

}  // namespace coppice
