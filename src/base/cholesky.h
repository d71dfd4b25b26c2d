// Small symmetric systems in a fixed order of operations: the same bits on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

// Entry (i, j), j <= i, of a lower triangle kept row by row.
inline std::size_t triangle_index(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

// M = L L' in place of the lower triangle of M. False if a pivot is not above `tolerance` times its
// diagonal entry: then M is singular to working precision, and spoilt.
bool factorise(std::span<double> triangle, std::size_t size, double tolerance);

// x with L L' x = b, in place of b.
void solve_factored(std::span<const double> triangle, std::span<double> b);

// The lower triangle of L^-1.
std::vector<double> inverse_of_factor(std::span<const double> triangle, std::size_t size);

}  // namespace coppice
