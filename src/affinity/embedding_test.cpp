#include "coppice/embedding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "affinity/spectrum.h"
#include "affinity/test_affinities.h"
#include "base/symmetric_eigen.h"
#include "coppice/error.h"
#include "coppice/predict.h"

namespace coppice {
namespace {

// Trees that differ much.
Forest grown(const Dataset& data, std::uint32_t depth, std::uint32_t trees = 50) {
  FitOptions options;
  if (data.schema.classes.empty()) options.task.emplace<Regression>();
  options.forest.trees = trees;
  options.growth.max_depth = depth;
  options.split.thresholds = RandomThresholds{3};
  return fit(data.view(), options).forest;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / n, mb += b[i] / n;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  return ab / std::sqrt(aa * bb);
}

std::vector<double> coordinate(const Embedding& embedding, std::size_t j) {
  std::vector<double> values;
  for (std::size_t row = 0; row < embedding.rows; ++row)
    values.push_back(embedding.coordinates[row * embedding.dimensions + j]);
  return values;
}

TEST(Embed, FirstCoordinateFollowsTheCurve) {
  const Dataset data = test::toy(ToyShape::line, 1000);
  const Forest forest = grown(data, 6);
  const Embedding embedding = embed(forest, data.view(), {.dimensions = 1});
  std::vector<double> place(data.columns[0].begin(), data.columns[0].end());
  EXPECT_GT(std::abs(correlation(coordinate(embedding, 0), place)), 0.95);
  EXPECT_EQ(embedding.profile.pieces, 1);
  EXPECT_NEAR(embedding.profile.values[0], 0, 1e-9);
  EXPECT_TRUE(std::is_sorted(embedding.profile.values.begin(), embedding.profile.values.end()));
  EXPECT_EQ(embedding.profile.intrinsic_dimension, 1);
}

TEST(Embed, CoordinatesHaveMeanZeroAndVarianceOneByDegree) {
  const Dataset data = test::toy(ToyShape::moons, 400, 0.1);
  const Forest forest = grown(data, 4);
  const Embedding embedding = embed(forest, data.view(), {.dimensions = 3});
  const LeafIds ids = Predictor(forest).apply(data.view());
  const std::vector<double> w = test::dense_affinity(ids);
  for (std::size_t j = 0; j < 3; ++j) {
    double total = 0, mean = 0, squares = 0;
    for (std::size_t i = 0; i < data.rows; ++i) {
      double degree = 0;
      for (std::size_t k = 0; k < data.rows; ++k) degree += w[i * data.rows + k];
      const double value = embedding.coordinates[i * 3 + j];
      total += degree, mean += degree * value, squares += degree * value * value;
    }
    EXPECT_NEAR(mean / total, 0, 1e-6);
    EXPECT_NEAR(squares / total, 1, 1e-6);
  }
}

TEST(Embed, TheMappingGivesEmbeddedRowsTheirCoordinates) {
  for (const std::uint32_t depth : {5u, 20u}) {  // fewer leaves than rows, and more
    const Dataset data = test::toy(ToyShape::swiss_roll, 900);
    const Forest forest = grown(data, depth);
    const Embedding embedding =
        embed(forest, data.view(), {.dimensions = 3, .spectrum = {.tolerance = 1e-8}});
    const Forest mapping = embedding_forest(forest, data.view(), embedding);
    EXPECT_EQ(mapping.info().schema.targets[2], "embedding_3");
    const Predictions mapped = Predictor(mapping).predict(data.view());
    for (std::size_t n = 0; n < embedding.coordinates.size(); ++n)
      ASSERT_NEAR(mapped.mean[n], embedding.coordinates[n], 1e-5);
  }
}

TEST(Embed, TheMappingOfOtherRowsLiesAmongTheirNeighbours) {
  const Dataset data = test::toy(ToyShape::line, 1000),
                others = test::toy(ToyShape::line, 200, 0, 9);
  const Forest forest = grown(data, 6);
  const Embedding embedding = embed(forest, data.view(), {.dimensions = 1});
  const Forest mapping = embedding_forest(forest, data.view(), embedding);
  const Predictions mapped = Predictor(mapping).predict(others.view());
  std::vector<double> place(others.columns[0].begin(), others.columns[0].end());
  EXPECT_GT(std::abs(correlation(mapped.mean, place)), 0.95);
}

TEST(Embed, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = test::toy(ToyShape::s_curve, 3000);
  const Forest forest = grown(data, 8);
  for (const LeafAffinityChoice affinity :
       {LeafAffinityChoice(BinaryLeafAffinity{}), LeafAffinityChoice(GaussianLeafAffinity{})}) {
    const EmbeddingOptions options{.spectrum = {.affinity = affinity}};
    const Embedding one = embed(forest, data.view(), options, {.threads = 1});
    const Embedding three = embed(forest, data.view(), options, {.threads = 3});
    EXPECT_EQ(one.coordinates, three.coordinates);
    EXPECT_EQ(one.profile.values, three.profile.values);
  }
}

TEST(Embed, MissingValuesAreNoObstacle) {
  Dataset data = test::toy(ToyShape::line, 600);
  for (std::size_t row = 0; row < data.rows; row += 7) data.columns[0][row] = kMissing;
  const Forest forest = grown(data, 6);
  for (const LeafAffinityChoice affinity :
       {LeafAffinityChoice(BinaryLeafAffinity{}), LeafAffinityChoice(GaussianLeafAffinity{}),
        LeafAffinityChoice(MahalanobisLeafAffinity{})}) {
    const Embedding embedding = embed(forest, data.view(), {.spectrum = {.affinity = affinity}});
    std::vector<double> found, place;
    for (std::size_t row = 0; row < data.rows; ++row) {
      ASSERT_TRUE(std::isfinite(embedding.coordinates[2 * row]));
      if (row % 7 == 0) continue;
      found.push_back(embedding.coordinates[2 * row]);
      place.push_back(data.targets[row]);
    }
    EXPECT_GT(std::abs(correlation(found, place)), 0.9);
  }
}

// exp(-|a - b|^2 / length^2) in the same leaf, written down in full.
TEST(Embed, GaussianAffinityHasTheEigenvaluesOfItsMatrix) {
  const Dataset data = test::toy(ToyShape::moons, 120, 0.1);
  const Forest forest = grown(data, 3, 10);
  const Embedding embedding = embed(
      forest, data.view(),
      {.dimensions = 2,
       .spectrum = {.affinity = GaussianLeafAffinity{0.7}, .eigenvalues = 10, .tolerance = 1e-8}});
  double mean[2] = {}, square[2] = {};
  for (std::size_t f = 0; f < 2; ++f) {
    for (const float value : data.columns[f]) mean[f] += value / 120.0;
    for (const float value : data.columns[f])
      square[f] += (value - mean[f]) * (value - mean[f]) / 120;
  }
  const LeafIds ids = Predictor(forest).apply(data.view());
  std::vector<double> w = test::dense_affinity(ids);
  for (std::size_t i = 0; i < 120; ++i)
    for (std::size_t j = 0; j < 120; ++j) {
      double distance = 0;
      for (std::size_t f = 0; f < 2; ++f) {
        const double d = double{data.columns[f][i]} - double{data.columns[f][j]};
        distance += d * d / square[f];
      }
      w[i * 120 + j] *= std::exp(-distance / 0.49);
    }
  const SymmetricEigen expected = symmetric_eigen(test::dense_normalised(w, 120), 120);
  for (std::size_t n = 0; n < 10; ++n)
    EXPECT_NEAR(embedding.profile.values[n], 1 - expected.values[n], 1e-6);
}

// |L^-1 (a - b)|^2 with the covariance that a leaf of a density holds.
TEST(Embed, MahalanobisAffinityHasTheEigenvaluesOfItsMatrix) {
  const Dataset data = test::toy(ToyShape::moons, 100, 0.1);
  FitOptions density;
  density.task = Density{};
  density.forest.trees = 5;
  density.growth.max_depth = 2;
  const Forest forest = fit(data.view(), density).forest;
  const Embedding embedding = embed(
      forest, data.view(),
      {.dimensions = 2,
       .spectrum = {.affinity = MahalanobisLeafAffinity{}, .eigenvalues = 8, .tolerance = 1e-8}});
  const LeafIds ids = Predictor(forest).apply(data.view());
  std::vector<double> w(100 * 100);
  for (std::size_t tree = 0; tree < forest.trees(); ++tree)
    for (std::size_t i = 0; i < 100; ++i)
      for (std::size_t j = 0; j < 100; ++j) {
        if (ids.leaf(tree, i) != ids.leaf(tree, j)) continue;
        const auto payload =
            forest.arrays().payload_of(forest.arrays().first_leaf(tree) + ids.leaf(tree, i));
        const double xx = payload[2], yy = payload[3], xy = payload[4];
        const double dx = double{data.columns[0][i]} - double{data.columns[0][j]};
        const double dy = double{data.columns[1][i]} - double{data.columns[1][j]};
        const double distance =
            (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy);
        w[i * 100 + j] += std::exp(-distance) / double(forest.trees());
      }
  const SymmetricEigen expected = symmetric_eigen(test::dense_normalised(w, 100), 100);
  for (std::size_t n = 0; n < 8; ++n)
    EXPECT_NEAR(embedding.profile.values[n], 1 - expected.values[n], 1e-5);
}

// The task as a whole, with its own options.
TEST(Manifold, TheSwissRollHasTwoDimensions) {
  const Dataset roll = test::toy(ToyShape::swiss_roll, 2000);
  const Dataset data = manifold_dataset(roll.view());
  const FitResult trained = fit(data.view(), manifold_options());
  const Embedding embedding = embed(trained.forest, data.view());
  EXPECT_EQ(embedding.profile.intrinsic_dimension, 2);
  EXPECT_EQ(embedding.profile.pieces, 1);
}

// Two latent numbers in twelve features, one of them a category, some values missing.
TEST(Manifold, TargetsAreThereForAnyFeatures) {
  Dataset data;
  data.rows = 400;
  RandomStream random(3);
  for (std::size_t f = 0; f < 12; ++f) data.schema.features.push_back({fmt::format("x{}", f)});
  data.schema.features[11] = {"kind", FeatureKind::categorical, {"a", "b"}};
  data.columns.assign(12, std::vector<float>(data.rows));
  std::vector<double> first;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double u = random.uniform(), v = random.uniform();
    first.push_back(u);
    for (std::size_t f = 0; f < 11; ++f)
      data.columns[f][row] =
          static_cast<float>(3 * u * static_cast<double>(f + 1) + v * static_cast<double>(f % 3));
    data.columns[11][row] = u > 0.5 ? 1 : 0;
    if (row % 5 == 0) data.columns[row % 11][row] = kMissing;
  }
  const Dataset made = manifold_dataset(data.view());
  ASSERT_EQ(made.schema.targets.size(), kMostDirections);
  for (const double target : made.targets) ASSERT_TRUE(std::isfinite(target));
  std::vector<double> direction;
  for (std::size_t row = 0; row < data.rows; ++row)
    direction.push_back(made.targets[row * kMostDirections]);
  EXPECT_GT(std::abs(correlation(direction, first)), 0.9);
  const FitResult trained = fit(made.view(), manifold_options());
  const Embedding embedding = embed(trained.forest, data.view());
  EXPECT_GT(std::abs(correlation(coordinate(embedding, 0), first)), 0.8);
}

std::string refusal(const Forest& forest, const Dataset& data, const EmbeddingOptions& options,
                    const RunContext& context = {}) {
  try {
    (void)embed(forest, data.view(), options, context);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
    return error.what();
  }
  return "";
}

TEST(Embed, RefusesWhatCannotBe) {
  const Dataset data = test::toy(ToyShape::moons, 300, 0.1);
  const Forest forest = grown(data, 3, 10);
  EXPECT_NE(refusal(forest, data, {.dimensions = 0}), "");
  EXPECT_NE(refusal(forest, data, {.dimensions = 299}), "");
  EXPECT_NE(refusal(forest, data, {}, {.memory = 10000}).find("need about"), std::string::npos);
  EXPECT_NE(
      refusal(forest, data, {.spectrum = {.affinity = GaussianLeafAffinity{}}}, {.memory = 600000})
          .find("entries"),
      std::string::npos);
  EXPECT_NE(refusal(forest, data, {.spectrum = {.affinity = MahalanobisLeafAffinity{}}},
                    {.memory = 480000})
                .find("Mahalanobis"),
            std::string::npos);
}

// Weyl's law for a rectangle whose eigenvalues are known: (m / a)^2 + (n / b)^2.
TEST(EigenvalueProfile, GrowthOfARectangleIsTwo) {
  EigenvalueProfile profile;
  for (int m = 0; m < 20; ++m)
    for (int n = 0; n < 20; ++n) profile.values.push_back(2e-4 * (m * m + 2.2 * n * n));
  std::sort(profile.values.begin(), profile.values.end());
  profile.values.resize(40);
  measure_growth(profile);
  EXPECT_EQ(profile.intrinsic_dimension, 2);
  EXPECT_EQ(profile.pieces, 1);
}

TEST(Cluster, FindsTheBlobs) {
  const Dataset data = test::toy(ToyShape::blobs, 300, 0.05);
  const Forest forest = grown(data, 3);
  const Clustering found = cluster(forest, data.view(), {.clusters = 2});
  ASSERT_EQ(found.sizes.size(), 2);
  for (std::size_t row = 2; row < data.rows; ++row)
    EXPECT_EQ(found.cluster[row], found.cluster[row % 2]);  // labels alternate
  const Clustering guessed = cluster(forest, data.view());
  EXPECT_EQ(guessed.sizes.size(), 2);
  EXPECT_EQ(guessed.cluster, found.cluster);
}

TEST(NearestNeighbours, AreThoseOfEveryRow) {
  const LeafIds ids = test::random_leaves(200, 9, 12, 3);
  const NeighbourGraph graph = nearest_neighbours(ids, 6, {.threads = 2});
  for (std::size_t row = 0; row < 200; ++row) {
    std::size_t at = graph.first[row];
    for (const Neighbour& expected : nearest(ids, row, 6)) {
      if (expected.proximity == 0) break;
      ASSERT_LT(at, graph.first[row + 1]);
      EXPECT_EQ(graph.neighbours[at].row, expected.row);
      EXPECT_EQ(graph.neighbours[at++].proximity, expected.proximity);
    }
    EXPECT_EQ(at, graph.first[row + 1]);
  }
}

}  // namespace
}  // namespace coppice
