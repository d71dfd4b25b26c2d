// Products with the matrix of leaves against sums written out.
#include "refine/constant_leaves.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/cholesky.h"
#include "refine/test_rows.h"

namespace coppice {
namespace {

OutputBlock random_block(std::uint64_t seed, std::size_t rows, std::size_t outputs) {
  RandomStream random(seed);
  OutputBlock block(rows, outputs);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < outputs; ++k)
      block.row(row)[k] = static_cast<float>(standard_normal(random));
  return block;
}

TEST(ConstantLeaves, ProductsAreSumsOverTreesAndRows) {
  for (const std::size_t outputs : {1, 3, 4, 10, 16, 17, 26})
    for (const std::size_t trees : {1, 3, 4, 9}) {
      const test::RandomRows made(trees, 2500, trees, outputs);
      const ConstantLeaves leaves = made.leaves();
      const OutputBlock w = random_block(1, leaves.unknowns(), outputs);
      OutputBlock z(2500, outputs), g(leaves.unknowns(), outputs);
      leaves.predict(w, z, 2);
      leaves.collect(made.targets, g, 2);
      std::vector<double> sums(g.values.size());
      for (std::size_t row = 0; row < 2500; ++row)
        for (std::size_t k = 0; k < outputs; ++k) {
          double expected = 0;
          for (std::size_t tree = 0; tree < trees; ++tree) {
            expected += w.row(made.leaf(tree, row))[k];
            sums[made.leaf(tree, row) * g.stride + k] += made.targets.row(row)[k];
          }
          ASSERT_NEAR(z.row(row)[k], expected, 1e-5);
        }
      for (std::size_t n = 0; n < sums.size(); ++n)
        ASSERT_NEAR(g.values[n], sums[n], 1e-6 * (1000 + std::abs(sums[n])));
    }
}

// Rows are summed by parts if there are many per leaf, by trees if there are few; ids take one, two
// or four bytes.
TEST(ConstantLeaves, APassIsBothProductsForAnyNumberOfRowsAndLeaves) {
  for (const std::size_t outputs : {1, 5})
    for (const std::uint32_t leaves_of_tree : {3, 256, 257, 65536, 65537}) {
      const std::size_t rows = 20000, trees = 5;
      RandomStream random(leaves_of_tree);
      LeafIds ids(rows, trees);
      std::vector<std::size_t> first_leaf{0};
      for (std::size_t tree = 0; tree < trees; ++tree) {
        first_leaf.push_back(first_leaf.back() + leaves_of_tree);
        for (std::size_t row = 0; row < rows; ++row)
          ids.set(tree, row, row == 7 ? leaves_of_tree - 1 : random.below(leaves_of_tree), false);
      }
      const ConstantLeaves leaves(ids, first_leaf, {});
      const std::vector<std::uint32_t> by_row = leaves.leaves_by_row();
      const OutputBlock w = random_block(1, leaves.unknowns(), outputs);
      OutputBlock z(rows, outputs), g(leaves.unknowns(), outputs);
      const auto change = [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) z.row(row)[0] *= 1 + float(row % 3);
      };
      leaves.pass(w, z, change, g, 1);
      std::vector<double> sums(g.values.size());
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t k = 0; k < outputs; ++k) {
          double expected = 0;
          for (std::size_t t = 0; t < trees; ++t) {
            EXPECT_EQ(by_row[row * trees + t], first_leaf[t] + ids.leaf(t, row));
            expected += w.row(by_row[row * trees + t])[k];
          }
          if (k == 0) expected *= double(1 + row % 3);
          ASSERT_NEAR(z.row(row)[k], expected, 1e-5);
          for (std::size_t t = 0; t < trees; ++t)
            sums[by_row[row * trees + t] * g.stride + k] += expected;
        }
      for (std::size_t n = 0; n < sums.size(); ++n)
        ASSERT_NEAR(g.values[n], sums[n], 1e-5 * (10 + std::abs(sums[n]))) << leaves_of_tree;
      const OutputBlock alone = g;
      leaves.pass(w, z, change, g, 3);
      EXPECT_EQ(g.values, alone.values);
    }
}

// With D the diagonal of A = I + s Phi' V Phi and P that adds a tree's number to all its leaves:
// D^-1 + P ((P'A P)^-1 - (P'D P)^-1) P'.
TEST(ConstantLeaves, BlocksAreSolvedByLeafAndForWholeTrees) {
  constexpr std::size_t kRows = 500, kTrees = 6;
  constexpr double kScale = 0.3;
  const test::RandomRows made(3, kRows, kTrees, 2);
  std::vector<float> weights;
  for (std::size_t row = 0; row < kRows; ++row) weights.push_back(0.5f + float(row % 3));
  ConstantLeaves leaves = made.leaves(weights);
  const OutputBlock r = random_block(4, leaves.unknowns(), 2);
  OutputBlock z(r);
  leaves.set_block_scale(kScale);
  leaves.solve_blocks(r, z, 1);

  std::vector<double> diagonal(leaves.unknowns(), 1), whole(kTrees * (kTrees + 1) / 2);
  std::vector<double> of_tree(kTrees), sums(kTrees);
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t t = 0; t < kTrees; ++t) {
      diagonal[made.leaf(t, row)] += kScale * double{weights[row]};
      for (std::size_t u = 0; u <= t; ++u)
        whole[triangle_index(t, u)] += kScale * double{weights[row]};
    }
  for (std::size_t t = 0; t < kTrees; ++t)
    for (std::size_t leaf = made.first_leaf[t]; leaf < made.first_leaf[t + 1]; ++leaf) {
      whole[triangle_index(t, t)] += 1;
      of_tree[t] += diagonal[leaf];
      sums[t] += double{r.row(leaf)[1]};
    }
  std::vector<double> x = sums;
  ASSERT_TRUE(factorise(whole, kTrees, 1e-14));
  solve_factored(whole, x);
  for (std::size_t t = 0; t < kTrees; ++t)
    for (std::size_t leaf = made.first_leaf[t]; leaf < made.first_leaf[t + 1]; ++leaf)
      EXPECT_NEAR(z.row(leaf)[1],
                  double{r.row(leaf)[1]} / diagonal[leaf] + x[t] - sums[t] / of_tree[t], 1e-5);
}

TEST(ConstantLeaves, SubsetsAndNewLabelsKeepTheRows) {
  const test::RandomRows made(5, 300, 6, 2);
  std::vector<float> weights;
  for (std::size_t row = 0; row < 300; ++row) weights.push_back(static_cast<float>(row % 3));
  ConstantLeaves leaves = made.leaves(weights);
  const std::vector<std::uint32_t> rows{3, 17, 299};
  const auto part = leaves.subset(rows);
  const OutputBlock w = random_block(2, leaves.unknowns(), 2);
  OutputBlock all(300, 2), some(3, 2);
  leaves.predict(w, all, 1);
  part->predict(w, some, 1);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(some.row(n)[1], all.row(rows[n])[1]);
    EXPECT_EQ(part->weight(n), weights[rows[n]]);
  }

  // All leaves of a tree become one.
  std::vector<std::uint32_t> new_leaf;
  std::vector<std::size_t> first_leaf;
  for (std::size_t tree = 0; tree < 6; ++tree) {
    first_leaf.push_back(tree);
    new_leaf.resize(made.first_leaf[tree + 1], static_cast<std::uint32_t>(tree));
  }
  first_leaf.push_back(6);
  leaves.relabel(new_leaf, first_leaf);
  EXPECT_EQ(leaves.leaf_weights(), std::vector<double>(6, 300));
}

}  // namespace
}  // namespace coppice
