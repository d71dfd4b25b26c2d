// Solutions against closed forms, optimality conditions and each other; the same bits for any
// number of threads.
#include <gtest/gtest.h>

#include <cmath>

#include "base/cholesky.h"
#include "refine/absolute.h"
#include "refine/logistic.h"
#include "refine/multiclass_hinge.h"
#include "refine/ridge.h"
#include "refine/test_rows.h"

namespace coppice {
namespace {

std::vector<float> some_weights(std::size_t rows) {
  std::vector<float> weights;
  for (std::size_t row = 0; row < rows; ++row) weights.push_back(0.5f + 0.25f * float(row % 4));
  return weights;
}

// (I + 2 C Phi' V Phi) w = 2 C Phi' V y.
std::vector<double> normal_equations(const test::RandomRows& made,
                                     const std::vector<float>& weights, double cost,
                                     std::size_t output) {
  const std::size_t size = made.first_leaf.back(), trees = made.ids.trees();
  std::vector<double> triangle(size * (size + 1) / 2), b(size);
  for (std::size_t i = 0; i < size; ++i) triangle[triangle_index(i, i)] = 1;
  for (std::size_t row = 0; row < made.ids.rows(); ++row)
    for (std::size_t t = 0; t < trees; ++t) {
      const double scale = 2 * cost * double{weights[row]};
      b[made.leaf(t, row)] += scale * double{made.targets.row(row)[output]};
      for (std::size_t u = 0; u <= t; ++u)
        triangle[triangle_index(made.leaf(t, row), made.leaf(u, row))] += scale;
    }
  EXPECT_TRUE(factorise(triangle, size, 1e-14));
  solve_factored(triangle, b);
  return b;
}

TEST(Ridge, SolvesTheNormalEquations) {
  for (const std::size_t outputs : {1, 3, 20})
    for (const double cost : {0.001, 0.1, 10.0}) {
      const test::RandomRows made(outputs, 400, 8, outputs);
      const std::vector<float> weights = some_weights(400);
      ConstantLeaves leaves = made.leaves(weights);
      OutputBlock w(leaves.unknowns(), outputs);
      solve_ridge({.matrix = leaves,
                   .targets = made.targets,
                   .cost = cost,
                   .tolerance = 1e-12,
                   .most_iterations = 3000},
                  w, 2);
      for (std::size_t k = 0; k < outputs; ++k) {
        const std::vector<double> expected = normal_equations(made, weights, cost, k);
        for (std::size_t leaf = 0; leaf < expected.size(); ++leaf)
          EXPECT_NEAR(w.row(leaf)[k], expected[leaf], 5e-3) << cost;
      }
    }
}

TEST(Ridge, AtOnceIsWhatTheIterationsFind) {
  for (const std::size_t outputs : {1, 5}) {
    const test::RandomRows made(outputs, 3000, 30, outputs);
    const std::vector<float> weights = some_weights(3000);
    ConstantLeaves leaves = made.leaves(weights);
    ASSERT_GT(leaves.unknowns(), 100);
    const RidgeProblem problem{.matrix = leaves,
                               .targets = made.targets,
                               .cost = 0.05,
                               .tolerance = 1e-12,
                               .most_iterations = 3000};
    OutputBlock iterated(leaves.unknowns(), outputs), at_once(iterated), together(iterated);
    const Solved slow = solve_ridge(problem, iterated, 1);
    const Solved fast = solve_ridge(problem, LeafGram(leaves, 1), at_once, 1);
    solve_ridge(problem, LeafGram(leaves, 3), together, 3);
    EXPECT_EQ(at_once.values, together.values);
    EXPECT_NEAR(fast.objective, slow.objective, 1e-6 * slow.objective);
    for (std::size_t n = 0; n < iterated.values.size(); ++n)
      ASSERT_NEAR(at_once.values[n], iterated.values[n], 1e-3);
  }
}

TEST(Ridge, StopsWithinItsToleranceOfTheLeastValue) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double cost : {0.0003, 0.003, 0.03, 0.3, 3.0}) {
      const test::RandomRows made(seed, 2000, 40, 2);
      ConstantLeaves leaves = made.leaves();
      const RidgeProblem problem{.matrix = leaves, .targets = made.targets, .cost = cost};
      OutputBlock iterated(leaves.unknowns(), 2), at_once(iterated);
      const double least = solve_ridge(problem, LeafGram(leaves, 1), at_once, 1).objective;
      EXPECT_LE(solve_ridge(problem, iterated, 1).objective, 1.001 * least) << cost;
    }
}

TEST(Ridge, TheGramMatrixHoldsTheWeightThatLeavesShare) {
  const test::RandomRows made(4, 200, 5, 1);
  const std::vector<float> weights = some_weights(200);
  const ConstantLeaves leaves = made.leaves(weights);
  const LeafGram gram(leaves, 2);
  for (std::size_t t = 0; t < 5; ++t)
    for (std::size_t leaf = made.first_leaf[t]; leaf < made.first_leaf[t + 1]; ++leaf)
      for (std::size_t other = 0; other < leaves.unknowns(); ++other) {
        double shared = 0;
        for (std::size_t row = 0; row < 200; ++row)
          for (std::size_t u = 0; made.leaf(t, row) == leaf && u < 5; ++u)
            if (made.leaf(u, row) == other) shared += double{weights[row]};
        ASSERT_EQ(gram.at(leaf, other), shared);
      }
}

TEST(Ridge, IsSolvedAtOnceWhereThatIsCheaper) {
  const auto cheaper = [](std::size_t rows, std::size_t trees, std::uint32_t leaves_of_tree,
                          std::size_t outputs) {
    std::vector<std::size_t> first_leaf;
    for (std::size_t tree = 0; tree <= trees; ++tree) first_leaf.push_back(tree * leaves_of_tree);
    return gram_is_cheaper(ConstantLeaves(LeafIds(rows, trees), first_leaf, {}), outputs);
  };
  EXPECT_TRUE(cheaper(10000, 50, 8, 1));
  EXPECT_FALSE(cheaper(10000, 50, 64, 1));
  EXPECT_TRUE(cheaper(10000, 50, 20, 12));
  EXPECT_FALSE(cheaper(10000, 300, 8, 1));
}

TEST(Ridge, GoesOnFromWhereItIs) {
  const test::RandomRows made(1, 400, 8, 2);
  ConstantLeaves leaves = made.leaves();
  OutputBlock w(leaves.unknowns(), 2);
  const RidgeProblem problem{.matrix = leaves, .targets = made.targets, .cost = 1};
  const Solved first = solve_ridge(problem, w, 1);
  const Solved again = solve_ridge(problem, w, 1);
  EXPECT_LE(again.objective, first.objective * 1.000001);
  EXPECT_LT(again.iterations, first.iterations);
}

// With probabilities p: W = C Phi' V (e_y - p) at the optimum.
TEST(Logistic, TheGradientVanishes) {
  for (const bool with_offset : {false, true}) {
    const test::RandomRows made(2, 500, 7, 1);
    const std::vector<float> weights = some_weights(500);
    const ConstantLeaves leaves = made.leaves(weights);
    OutputBlock offset(500, made.classes);
    for (std::size_t n = 0; n < offset.values.size(); ++n)
      if (n % offset.stride < made.classes) offset.values[n] = float(n % 7) / 7;
    const double cost = 0.5;
    OutputBlock w(leaves.unknowns(), made.classes), scores(500, made.classes);
    solve_logistic({leaves, made.labels, made.classes, with_offset ? &offset : nullptr, cost},
                   {.tolerance = 1e-10}, w, 2);
    leaves.predict(w, scores, 1);
    std::vector<double> gradient(w.values.begin(), w.values.end());
    for (std::size_t row = 0; row < 500; ++row) {
      double sum = 0;
      std::vector<double> p(made.classes);
      for (std::size_t k = 0; k < p.size(); ++k)
        sum += p[k] =
            std::exp(double{scores.row(row)[k]} + (with_offset ? double{offset.row(row)[k]} : 0));
      for (std::size_t k = 0; k < p.size(); ++k)
        for (std::size_t tree = 0; tree < 7; ++tree)
          gradient[made.leaf(tree, row) * w.stride + k] +=
              cost * double{weights[row]} * (p[k] / sum - (k == made.labels[row] ? 1 : 0));
    }
    for (const double value : gradient) EXPECT_NEAR(value, 0, 2e-3);
  }
}

// Strong duality: 1/2 |W|^2 + C sum of losses = -1/2 |W|^2 - sum of alpha_im [m != y_i].
TEST(Hinge, PrimalAndDualMeet) {
  const test::RandomRows made(3, 300, 5, 1);
  const ConstantLeaves leaves = made.leaves();
  OutputBlock w(leaves.unknowns(), made.classes);
  HingeDual dual;
  const Solved solved =
      solve_hinge({.leaves = leaves, .labels = made.labels, .classes = made.classes, .cost = 0.3},
                  {.tolerance = 1e-4, .most_passes = 20000}, dual, w);
  double value = 0;
  for (const float x : w.values) value -= double{x} * double{x} / 2;
  for (std::size_t row = 0; row < 300; ++row)
    for (std::size_t k = 0; k < made.classes; ++k)
      if (k != made.labels[row]) value -= double{dual.alpha.row(row)[k]};
  EXPECT_NEAR(solved.objective, value, 1e-3 * value);
}

TEST(Solvers, GiveTheSameBitsForAnyNumberOfThreads) {
  const test::RandomRows made(6, 9000, 13, 3);
  const auto bits = [&](std::size_t threads) {
    ConstantLeaves leaves = made.leaves();
    std::vector<std::vector<float>> found;
    OutputBlock squared(leaves.unknowns(), 3), absolute(squared),
        logistic(leaves.unknowns(), made.classes);
    solve_ridge({.matrix = leaves, .targets = made.targets, .cost = 0.1}, squared, threads);
    AbsoluteDual dual;
    solve_absolute({leaves, made.targets, 0.01, 0.1}, {.most_passes = 20}, dual, absolute, threads);
    solve_logistic({.leaves = leaves, .labels = made.labels, .classes = made.classes, .cost = 0.1},
                   {}, logistic, threads);
    return std::vector{squared.values, absolute.values, logistic.values};
  };
  const auto alone = bits(1);
  for (const std::size_t threads : {2, 3, 8}) EXPECT_EQ(bits(threads), alone) << threads;
}

}  // namespace
}  // namespace coppice
