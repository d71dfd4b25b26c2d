#include "affinity/leaf_incidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/test_affinities.h"

namespace coppice {
namespace {

Panel random_panel(std::size_t rows, std::uint64_t seed) {
  Panel panel(rows);
  RandomStream random(seed);
  for (double& value : panel.values) value = random.uniform() - 0.5;
  return panel;
}

TEST(BinaryAffinity, ProductsAreThoseOfTheMatrixWrittenDown) {
  constexpr std::size_t kRows = 90;
  const LeafIds ids = test::random_leaves(kRows, 20, 15, 3);  // more leaves than rows
  const LeafIncidence leaves(ids);
  const BinaryAffinity affinity(leaves);
  ASSERT_FALSE(affinity.by_leaves());
  const std::vector<double> dense = test::dense_normalised(test::dense_affinity(ids), kRows);
  const Panel x = random_panel(kRows, 1);
  Panel y(kRows);
  affinity.apply(x, y, 2);
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t k = 0; k < kPanelWidth; ++k) {
      double expected = 0;
      for (std::size_t j = 0; j < kRows; ++j) expected += dense[i * kRows + j] * x.row(j)[k];
      EXPECT_NEAR(y.row(i)[k], expected, 1e-13);
    }
}

// A' A v = value v, and A v is an eigenvector of A A': products with both agree.
TEST(BinaryAffinity, FewLeavesAreUsedInsteadOfManyRows) {
  constexpr std::size_t kRows = 300;
  const LeafIds ids = test::random_leaves(kRows, 5, 6, 4);
  const LeafIncidence leaves(ids);
  const BinaryAffinity affinity(leaves);
  ASSERT_TRUE(affinity.by_leaves());
  ASSERT_EQ(affinity.size(), leaves.leaves());
  const std::vector<double> dense = test::dense_normalised(test::dense_affinity(ids), kRows);
  const Panel v = random_panel(leaves.leaves(), 2);
  Panel image(leaves.leaves());
  affinity.apply(v, image, 2);
  const std::vector<double> ones(kPanelWidth, 1);
  const Panel rows = affinity.row_vectors(v, ones, 1),
              expected = affinity.row_vectors(image, ones, 1);
  for (std::size_t i = 0; i < kRows; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < kRows; ++j) sum += dense[i * kRows + j] * rows.row(j)[0];
    EXPECT_NEAR(sum, expected.row(i)[0], 1e-13);
  }
}

TEST(LeafIncidence, DegreesAreSumsOfTheAffinity) {
  const LeafIds ids = test::random_leaves(50, 7, 5, 8);
  const std::vector<double> dense = test::dense_affinity(ids);
  const LeafIncidence leaves(ids);
  for (std::size_t i = 0; i < 50; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 50; ++j) sum += dense[i * 50 + j];
    EXPECT_NEAR(leaves.degrees()[i], sum, 1e-12);
  }
}

TEST(LeafIncidence, TreesOfMoreThan65536LeavesHaveWideIds) {
  constexpr std::size_t kRows = 70000;
  LeafIds ids(kRows, 2);
  for (std::size_t row = 0; row < kRows; ++row) {
    ids.set(0, row, static_cast<std::uint32_t>(row), false);
    ids.set(1, row, static_cast<std::uint32_t>(row / 2), false);
  }
  const LeafIncidence leaves(ids);
  EXPECT_EQ(leaves.leaves(), kRows + kRows / 2);
  EXPECT_EQ(leaves.leaf(0, 69999), 69999);
  EXPECT_EQ(leaves.leaf(1, 69999), kRows + 34999);
  EXPECT_EQ(leaves.degrees()[5], 1.5);
}

}  // namespace
}  // namespace coppice
