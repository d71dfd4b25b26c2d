// Linear leaves and the products of small blocks behind them, against sums written out.
#include "refine/linear_leaves.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/cholesky.h"
#include "refine/block_products.h"
#include "refine/ridge.h"
#include "refine/test_rows.h"

namespace coppice {
namespace {

// Leaf n has 1 + n % 5 regressors; the first is 1.
class RandomRegressors final : public Regressors {
 public:
  explicit RandomRegressors(std::size_t most = 5) : most_(most) {}
  std::size_t count(std::size_t leaf) const override { return 1 + leaf % most_; }
  void fill(std::size_t leaf, std::span<const std::uint32_t> rows, float* values) const override {
    for (const std::uint32_t row : rows)
      for (std::size_t n = 0; n < count(leaf); ++n) *values++ = value(row, n);
  }
  static float value(std::size_t row, std::size_t n) {
    RandomStream random = RandomStream(row).child(n);
    return n == 0 ? 1 : static_cast<float>(standard_normal(random));
  }

 private:
  std::size_t most_;
};

std::vector<float> numbers(std::uint64_t seed, std::size_t count) {
  RandomStream random(seed);
  std::vector<float> values;
  for (std::size_t n = 0; n < count; ++n)
    values.push_back(static_cast<float>(standard_normal(random)));
  return values;
}

TEST(BlockProducts, AreSums) {
  for (const std::size_t stride : {1, 4, 8, 12, 24, 32, 88})
    for (const std::size_t rows : {1, 3, 4, 9, 130})
      for (const std::size_t count : {1, 2, 4, 7, 31}) {
        const std::vector<float> regressors = numbers(1, rows * count);
        const std::vector<float> w = numbers(2, count * stride), r = numbers(3, 200 * stride);
        std::vector<std::uint32_t> places(rows);
        std::iota(places.begin(), places.end(), 11u);
        std::reverse(places.begin(), places.end());
        const RowRun run{regressors.data(), places.data(), rows, count};
        std::vector<float> z(200 * stride, 1);
        std::vector<double> sums(count * stride, 2);
        add_products(run, w.data(), z.data(), stride);
        collect_products(run, r.data(), sums.data(), stride);
        std::vector<double> expected(count * stride, 2);
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t k = 0; k < stride; ++k) {
            double product = 1;
            for (std::size_t j = 0; j < count; ++j) {
              const double value = double{regressors[i * count + j]};
              product += value * double{w[j * stride + k]};
              expected[j * stride + k] += value * double{r[places[i] * stride + k]};
            }
            ASSERT_NEAR(z[places[i] * stride + k], product, 1e-4);
          }
        for (std::size_t n = 0; n < sums.size(); ++n) ASSERT_NEAR(sums[n], expected[n], 1e-3);
      }
}

TEST(LinearLeaves, WithOneRegressorAreConstantLeaves) {
  const test::RandomRows made(4, 3000, 6, 3);
  ConstantLeaves constant = made.leaves();
  LinearLeaves linear(made.ids, made.first_leaf, std::make_shared<RandomRegressors>(1), {}, 2);
  OutputBlock a(constant.unknowns(), 3), b(a);
  const auto solve = [&](LeafMatrix& matrix, OutputBlock& w, std::size_t workers) {
    solve_ridge({.matrix = matrix, .targets = made.targets, .cost = 0.1, .tolerance = 1e-9}, w,
                workers);
  };
  solve(constant, a, 1);
  solve(linear, b, 2);
  for (std::size_t n = 0; n < a.values.size(); ++n) EXPECT_NEAR(a.values[n], b.values[n], 2e-3);
}

// (I + 2 C Phi' V Phi) w = 2 C Phi' V y with the matrix written down.
TEST(LinearLeaves, SolveTheNormalEquations) {
  const test::RandomRows made(9, 500, 5, 2);
  const auto regressors = std::make_shared<RandomRegressors>();
  std::vector<float> weights;
  for (std::size_t row = 0; row < 500; ++row) weights.push_back(0.5f + 0.25f * float(row % 3));
  LinearLeaves leaves(made.ids, made.first_leaf, regressors, weights, 1);
  OutputBlock w(leaves.unknowns(), 2);
  const double cost = 0.2;
  solve_ridge({.matrix = leaves, .targets = made.targets, .cost = cost, .tolerance = 1e-11}, w, 2);

  const std::size_t size = leaves.unknowns();
  std::vector<double> triangle(size * (size + 1) / 2), b(size);
  for (std::size_t i = 0; i < size; ++i) triangle[triangle_index(i, i)] = 1;
  for (std::size_t row = 0; row < 500; ++row) {
    std::vector<double> phi(size);
    for (std::size_t tree = 0; tree < 5; ++tree) {
      const std::size_t leaf = made.leaf(tree, row);
      for (std::size_t n = 0; n < regressors->count(leaf); ++n)
        phi[leaves.first_unknown(leaf) + n] = double{RandomRegressors::value(row, n)};
    }
    const double scale = 2 * cost * double{weights[row]};
    for (std::size_t i = 0; i < size; ++i) {
      b[i] += scale * phi[i] * double{made.targets.row(row)[1]};
      for (std::size_t j = 0; j <= i; ++j)
        triangle[triangle_index(i, j)] += scale * phi[i] * phi[j];
    }
  }
  ASSERT_TRUE(factorise(triangle, size, 1e-14));
  solve_factored(triangle, b);
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(w.row(i)[1], b[i], 5e-3);
}

TEST(LinearLeaves, SubsetsAndThreadsKeepTheBits) {
  const test::RandomRows made(8, 5000, 7, 20);
  const LinearLeaves leaves(made.ids, made.first_leaf, std::make_shared<RandomRegressors>(), {}, 2);
  OutputBlock w(leaves.unknowns(), 20), z(5000, 20), again(5000, 20), g(w), same(w);
  RandomStream random(1);
  for (float& value : w.values) value = static_cast<float>(random.uniform());
  leaves.predict(w, z, 1);
  leaves.collect(z, g, 1);
  for (const std::size_t threads : {2, 3, 8}) {
    leaves.predict(w, again, threads);
    leaves.collect(z, same, threads);
    EXPECT_EQ(z.values, again.values);
    EXPECT_EQ(g.values, same.values);
  }
  const std::vector<std::uint32_t> rows{7, 2049, 4999};
  OutputBlock some(3, 20);
  leaves.subset(rows)->predict(w, some, 1);
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(some.row(n)[k], z.row(rows[n])[k]);
}

}  // namespace
}  // namespace coppice
