#include "base/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random_stream.h"

namespace coppice {
namespace {

TEST(SymmetricEigen, SolvesTwoByTwo) {
  const double matrix[] = {2, 1, 1, 2};
  const SymmetricEigen found = symmetric_eigen(matrix, 2);
  EXPECT_NEAR(found.values[0], 3, 1e-14);
  EXPECT_NEAR(found.values[1], 1, 1e-14);
  EXPECT_NEAR(std::abs(found.vectors[0]), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(found.vectors[0], found.vectors[1], 1e-14);
}

TEST(SymmetricEigen, VectorsAreOrthonormalAndMeetTheirEquation) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed);
    const std::size_t n = 1 + random.below(12);
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        matrix[i * n + j] = matrix[j * n + i] = random.uniform() - 0.5;
    const SymmetricEigen found = symmetric_eigen(matrix, n);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_GE(found.values[k == 0 ? 0 : k - 1], found.values[k]);
      for (std::size_t i = 0; i < n; ++i) {
        double product = 0;
        for (std::size_t j = 0; j < n; ++j) product += matrix[i * n + j] * found.vectors[k * n + j];
        EXPECT_NEAR(product, found.values[k] * found.vectors[k * n + i], 1e-12);
      }
      for (std::size_t other = 0; other <= k; ++other) {
        double dot = 0;
        for (std::size_t i = 0; i < n; ++i)
          dot += found.vectors[k * n + i] * found.vectors[other * n + i];
        EXPECT_NEAR(dot, k == other ? 1 : 0, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace coppice
