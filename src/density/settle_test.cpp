// How a density comes to its depth, its trees and its Gaussians.
#include <gtest/gtest.h>

#include <cmath>

#include "base/cholesky.h"
#include "coppice/density.h"
#include "coppice/error.h"
#include "coppice/fit.h"
#include "density/gaussian_table.h"
#include "density/test_points.h"
#include "infer/leaf_answer.h"

namespace coppice {
namespace {

FitOptions options_with(std::uint32_t trees) {
  FitOptions options = density_options();
  options.forest.trees = trees;
  return options;
}

// A tree of one leaf is a Gaussian with the moments of its bag: all rows, without bagging.
TEST(Settle, ARootHasTheMomentsOfTheData) {
  const Dataset data = test::two_clouds(300, 3, 1);
  FitOptions options = options_with(1);
  options.growth.max_depth = 0;
  options.sampling.bagging = Bagging::none;
  std::get<Density>(options.task).floor = 1e-9;
  const FitResult result = fit(data.view(), options);
  const PayloadLayout layout = layout_of(result.forest);
  const auto payload = result.forest.arrays().payload_of(0);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j <= k; ++j) {
      double mean_j = 0, mean_k = 0, product = 0;
      for (std::size_t row = 0; row < data.rows; ++row) {
        mean_j += double{data.columns[j][row]} / 300;
        mean_k += double{data.columns[k][row]} / 300;
      }
      for (std::size_t row = 0; row < data.rows; ++row)
        product += (data.columns[j][row] - mean_j) * (data.columns[k][row] - mean_k) / 299;
      EXPECT_NEAR(payload[layout.covariance(j, k)], product, 1e-4);
      EXPECT_NEAR(payload[k], mean_k, 1e-5);
    }
  EXPECT_FLOAT_EQ(payload[layout.log_weight()], 0);
  EXPECT_FLOAT_EQ(payload[layout.log_mass()], 0);
}

TEST(Settle, SharesOfATreeAddUpToOne) {
  const FitResult result = fit(test::s_shape(800, 1).view(), options_with(8));
  const ForestArrays& arrays = result.forest.arrays();
  const PayloadLayout layout = layout_of(result.forest);
  for (std::size_t t = 0; t < arrays.trees(); ++t) {
    double sum = 0;
    for (std::size_t leaf = arrays.first_leaf(t); leaf < arrays.first_leaf(t + 1); ++leaf) {
      const auto payload = arrays.payload_of(leaf);
      sum += std::exp(double{payload[layout.log_weight()]} + double{payload[layout.log_mass()]});
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST(Settle, ChoosesTheDepthThatOutOfBagRowsPrefer) {
  const FitResult result = fit(test::s_shape(1500, 1).view(), options_with(20));
  const DensityReport& report = result.report.density.value();
  ASSERT_GT(report.log_likelihood_by_depth.size(), report.depth);
  for (const double other : report.log_likelihood_by_depth)
    EXPECT_LE(other, report.log_likelihood_by_depth[report.depth]);
  EXPECT_GE(report.depth, 3u);
  // New rows are about as likely.
  double sum = 0;
  const std::vector<double> logs =
      DensityModel(result.forest).log_density(test::s_shape(2000, 99).view());
  for (const double log : logs) sum += log / 2000;
  EXPECT_NEAR(sum, report.log_likelihood.value(), 0.1);
}

TEST(Settle, KeepsTheDepthAndTheTreesThatAreGiven) {
  FitOptions options = options_with(30);
  options.growth.max_depth = 2;
  std::get<Density>(options.task).choose_trees = false;
  const FitResult result = fit(test::s_shape(500, 1).view(), options);
  EXPECT_EQ(result.report.max_depth, 2u);
  EXPECT_EQ(result.report.trees, 30u);
}

TEST(Settle, OneGaussianNeedsNoTree) {
  RandomStream random(4);
  std::vector<float> points;
  for (int i = 0; i < 4000; ++i) points.push_back(static_cast<float>(standard_normal(random)));
  const FitResult result = fit(test::rows_of(points, 2).view(), options_with(20));
  EXPECT_LE(result.report.max_depth, 2u);
  EXPECT_NEAR(*result.report.density->log_likelihood, -2.8379, 0.05);
}

TEST(Settle, DoesNotDependOnThreadsOrScale) {
  const Dataset data = test::s_shape(400, 1);
  const FitResult one = fit(data.view(), options_with(6), {.threads = 1});
  const FitResult three = fit(data.view(), options_with(6), {.threads = 3});
  const auto payload = one.forest.arrays().payload, other = three.forest.arrays().payload;
  EXPECT_TRUE(std::equal(payload.begin(), payload.end(), other.begin(), other.end()));
  Dataset scaled = data;
  for (auto& column : scaled.columns)
    for (float& x : column) x *= 1024;
  const FitResult larger = fit(scaled.view(), options_with(6));
  EXPECT_NEAR(*larger.report.density->log_likelihood,
              *one.report.density->log_likelihood - 2 * std::log(1024.0), 1e-3);
}

TEST(Settle, RefusesWhatHasNoDensity) {
  const auto refusal = [](const Dataset& data) -> std::string {
    try {
      fit(data.view(), density_options());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Dataset data = test::s_shape(50, 1);
  data.columns[1][7] = 2e18f;
  EXPECT_NE(refusal(data).find("row 8 has a value of 'x2' beyond"), std::string::npos);
  data = test::s_shape(50, 1);
  std::fill(data.columns[0].begin(), data.columns[0].end(), 1.0f);
  EXPECT_NE(refusal(data).find("same value in every row"), std::string::npos);
  data.columns.assign(900, data.columns[0]);
  data.schema.features.clear();
  for (std::size_t f = 0; f < 900; ++f) data.schema.features.push_back({"x" + std::to_string(f)});
  EXPECT_NE(refusal(data).find("; and 880 more"), std::string::npos) << refusal(data);
  data = test::s_shape(50, 1);
  data.schema.features[0] = {"colour", FeatureKind::categorical, {"red"}};
  std::fill(data.columns[0].begin(), data.columns[0].end(), 0.0f);
  EXPECT_NE(refusal(data).find("'colour' is a category"), std::string::npos);
}

// Two features that follow each other, a third of the second ones missing: the density still knows
// how they hang together, and the same draws are made whatever the threads.
TEST(Settle, LearnsFromRowsWithMissingValues) {
  constexpr std::size_t kRows = 900;
  Dataset data = test::two_clouds(kRows, 2, 3);
  for (std::size_t row = 0; row < kRows; ++row) {
    data.columns[1][row] = 2 * data.columns[0][row] + 0.1f * data.columns[1][row];
    if (row % 3 == 0) data.columns[1][row] = kMissing;
  }
  const FitOptions options = options_with(10);
  const FitResult one = fit(data.view(), options, {.threads = 1});
  const FitResult two = fit(data.view(), options, {.threads = 3});
  const DensityModel model(one.forest), other(two.forest);
  EXPECT_EQ(model.log_density(data.view()), other.log_density(data.view()));
  EXPECT_EQ(one.forest.info().facts.at("completed_rows"), "300");
  for (std::size_t row = 0; row < kRows; row += 30) {
    const float x = data.columns[0][row];
    const Conditional given = model.condition(std::vector<float>{x, kMissing});
    EXPECT_NEAR(given.moments().mean[0], 2 * x, 0.6);
    EXPECT_LT(given.moments().variance[0], 0.3);
  }
}

TEST(Settle, LearnsWithoutASingleCompleteRow) {
  Dataset data = test::two_clouds(200, 3, 4);
  for (std::size_t row = 0; row < 200; ++row) data.columns[row % 3][row] = kMissing;
  const FitResult result = fit(data.view(), options_with(5));
  for (const double log : DensityModel(result.forest).log_density(data.view()))
    EXPECT_TRUE(std::isfinite(log));
  data.columns[1].assign(200, kMissing);
  EXPECT_THROW(fit(data.view(), options_with(5)), Error);
}

}  // namespace
}  // namespace coppice
