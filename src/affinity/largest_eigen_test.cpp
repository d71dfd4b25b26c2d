#include "affinity/largest_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/leaf_incidence.h"
#include "affinity/test_affinities.h"
#include "base/symmetric_eigen.h"

#ifdef COPPICE_SPECTRA
#include <Spectra/SymEigsSolver.h>
#endif

namespace coppice {
namespace {

// Any symmetric matrix with eigenvalues between 0 and 1, in full.
class DenseAffinity final : public AffinityOperator {
 public:
  DenseAffinity(std::vector<double> matrix, std::size_t size)
      : matrix_(std::move(matrix)), size_(size) {}

  std::size_t size() const override { return size_; }
  void apply(const Panel& x, Panel& y, std::size_t) const override {
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < kPanelWidth; ++k) {
        y.row(i)[k] = 0;
        for (std::size_t j = 0; j < size_; ++j) y.row(i)[k] += matrix_[i * size_ + j] * x.row(j)[k];
      }
  }

 private:
  std::vector<double> matrix_;
  std::size_t size_;
};

double residual(const AffinityOperator& affinity, const LargestEigen& found, std::size_t n) {
  Panel image(affinity.size());
  const Panel& vectors = found.vectors[n / kPanelWidth];
  affinity.apply(vectors, image, 1);
  double sum = 0;
  for (std::size_t row = 0; row < affinity.size(); ++row) {
    const double entry =
        image.row(row)[n % kPanelWidth] - found.values[n] * vectors.row(row)[n % kPanelWidth];
    sum += entry * entry;
  }
  return std::sqrt(sum);
}

TEST(LargestEigen, AgreesWithADenseSolver) {
  for (const std::size_t rows : {3, 8, 17, 60, 250}) {
    const LeafIds ids = test::random_leaves(rows, 12, 9, rows);
    const std::vector<double> dense = test::dense_normalised(test::dense_affinity(ids), rows);
    const SymmetricEigen expected = symmetric_eigen(dense, rows);
    const LeafIncidence leaves(ids);
    const BinaryAffinity affinity(leaves);
    const LargestEigen found =
        largest_eigen(affinity, {.values = 12, .exact = 12, .tolerance = 1e-9});
    EXPECT_TRUE(found.converged);
    ASSERT_EQ(found.values.size(), std::min<std::size_t>(12, affinity.size()));
    for (std::size_t n = 0; n < found.values.size(); ++n) {
      EXPECT_NEAR(found.values[n], expected.values[n], 1e-9) << rows << " rows, value " << n;
      EXPECT_LT(residual(affinity, found, n), 1e-8);
      EXPECT_NEAR(residual(affinity, found, n), found.residuals[n], 1e-8);
    }
  }
}

// More equal eigenvalues than a panel has vectors: every part of the data has an eigenvalue 1.
TEST(LargestEigen, FindsEqualEigenvalues) {
  constexpr std::size_t kRows = 240, kParts = 20;
  LeafIds ids(kRows, 3);
  for (std::size_t tree = 0; tree < 3; ++tree)
    for (std::size_t row = 0; row < kRows; ++row)
      ids.set(tree, row, static_cast<std::uint32_t>(row % kParts), false);
  const LeafIncidence leaves(ids);
  const std::vector<double> dense = test::dense_normalised(test::dense_affinity(ids), kRows);
  const DenseAffinity by_rows(dense, kRows);
  const BinaryAffinity by_leaves(leaves);
  for (const AffinityOperator* affinity : {static_cast<const AffinityOperator*>(&by_rows),
                                           static_cast<const AffinityOperator*>(&by_leaves)}) {
    const LargestEigen found = largest_eigen(*affinity, {.values = 22, .exact = 3});
    ASSERT_EQ(found.values.size(), 22);
    for (std::size_t n = 0; n < 22; ++n)
      EXPECT_NEAR(found.values[n], n < kParts ? 1 : 0, 1e-9) << n;
  }
}

TEST(LargestEigen, IsTheSameForAnyNumberOfWorkers) {
  const LeafIncidence leaves(test::random_leaves(40000, 10, 400, 5));
  const BinaryAffinity affinity(leaves);
  EigenRequest request{.values = 10, .exact = 3, .tolerance = 1e-4, .value_tolerance = 1e-2};
  const LargestEigen once = largest_eigen(affinity, request);
  request.workers = 3;
  const LargestEigen again = largest_eigen(affinity, request);
  EXPECT_EQ(once.values, again.values);
  EXPECT_EQ(once.vectors[0].values, again.vectors[0].values);
}

TEST(LargestEigen, StopsWhenTold) {
  const LeafIncidence leaves(test::random_leaves(500, 10, 100, 5));
  const BinaryAffinity affinity(leaves);
  const LargestEigen found = largest_eigen(
      affinity, {.tolerance = 1e-12, .go_on = [](std::size_t, double) { return false; }});
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.products, 4);
}

#ifdef COPPICE_SPECTRA

struct SpectraProduct {
  using Scalar = double;
  const AffinityOperator* affinity;

  Eigen::Index rows() const { return static_cast<Eigen::Index>(affinity->size()); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    Panel from(affinity->size()), to(affinity->size());
    for (std::size_t row = 0; row < from.rows; ++row) from.row(row)[0] = x[row];
    affinity->apply(from, to, 1);
    for (std::size_t row = 0; row < to.rows; ++row) y[row] = to.row(row)[0];
  }
};

TEST(LargestEigen, AgreesWithSpectraOnFiveThousandRows) {
  const Dataset data = test::toy(ToyShape::swiss_roll, 5000);
  FitOptions options;
  options.task.emplace<Regression>();
  options.forest.trees = 50;
  options.growth.max_depth = 7;
  options.report.leaf_ids = true;
  const FitResult trained = fit(data.view(), options);
  const LeafIncidence leaves(trained.report.leaf_ids);
  const BinaryAffinity affinity(leaves);
  constexpr std::size_t kValues = 20;
  const LargestEigen found = largest_eigen(affinity, {.values = kValues, .exact = kValues});
  SpectraProduct product{&affinity};
  Spectra::SymEigsSolver<SpectraProduct> solver(product, kValues, 3 * kValues);
  solver.init();
  ASSERT_EQ(solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-10), kValues);
  for (std::size_t n = 0; n < kValues; ++n)
    EXPECT_NEAR(found.values[n], solver.eigenvalues()[static_cast<Eigen::Index>(n)], 1e-6) << n;
}

#endif

}  // namespace
}  // namespace coppice
