// Factor, solution and inverse of a matrix that is known.
#include "base/cholesky.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Cholesky, SolvesASystemWorkedOutByHand) {
  std::vector<double> triangle{4, 12, 37, -16, -43, 98};  // L = 2; 6 1; -8 5 3
  ASSERT_TRUE(factorise(triangle, 3, 1e-12));
  EXPECT_EQ(triangle, (std::vector<double>{2, 6, 1, -8, 5, 3}));
  std::vector<double> b{4 + 24 - 48, 12 + 74 - 129, -16 - 86 + 294};  // M (1, 2, 3)'
  solve_factored(triangle, b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b[i], static_cast<double>(i + 1), 1e-10);
}

TEST(Cholesky, FactorTimesItsInverseIsOne) {
  const std::vector<double> factor{2, 6, 1, -8, 5, 3};
  const std::vector<double> inverse = inverse_of_factor(factor, 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = j; k <= i; ++k)
        sum += factor[triangle_index(i, k)] * inverse[triangle_index(k, j)];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12);
    }
}

TEST(Cholesky, SingularMatricesAreRefused) {
  std::vector<double> same{1, 1, 1};
  EXPECT_FALSE(factorise(same, 2, 1e-12));
  std::vector<double> zero{0};
  EXPECT_FALSE(factorise(zero, 1, 1e-12));
}

}  // namespace
}  // namespace coppice
