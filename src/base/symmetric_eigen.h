// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's rotations, in a fixed order
// of operations: the same bits on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

struct SymmetricEigen {
  std::vector<double> values;   // descending
  std::vector<double> vectors;  // vectors[k * size + i]: entry i of the vector of value k
};

// matrix: size x size, row by row.
SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t size);

}  // namespace coppice
