#include "base/cholesky.h"

#include <cmath>

namespace coppice {

bool factorise(std::span<double> triangle, std::size_t size, double tolerance) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = triangle[triangle_index(i, j)];
      for (std::size_t k = 0; k < j; ++k)
        sum -= triangle[triangle_index(i, k)] * triangle[triangle_index(j, k)];
      if (j < i) {
        triangle[triangle_index(i, j)] = sum / triangle[triangle_index(j, j)];
      } else {
        if (!(sum > tolerance * triangle[triangle_index(i, i)])) return false;
        triangle[triangle_index(i, i)] = std::sqrt(sum);
      }
    }
  }
  return true;
}

void solve_factored(std::span<const double> triangle, std::span<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= triangle[triangle_index(i, k)] * b[k];
    b[i] /= triangle[triangle_index(i, i)];
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= triangle[triangle_index(k, i)] * b[k];
    b[i] /= triangle[triangle_index(i, i)];
  }
}

std::vector<double> inverse_of_factor(std::span<const double> triangle, std::size_t size) {
  std::vector<double> inverse(size * (size + 1) / 2);
  for (std::size_t j = 0; j < size; ++j) {
    inverse[triangle_index(j, j)] = 1 / triangle[triangle_index(j, j)];
    for (std::size_t i = j + 1; i < size; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k)
        sum -= triangle[triangle_index(i, k)] * inverse[triangle_index(k, j)];
      inverse[triangle_index(i, j)] = sum / triangle[triangle_index(i, i)];
    }
  }
  return inverse;
}

}  // namespace coppice
