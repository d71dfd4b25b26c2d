// Geodesics between leaves and labels that travel along them.
#include "transduce/transduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random_stream.h"
#include "coppice/error.h"
#include "coppice/fit.h"
#include "coppice/semi_supervised.h"
#include "coppice/toy_data.h"
#include "transduce/coordinates.h"
#include "transduce/leaf_graph.h"
#include "transduce/point_tree.h"
#include "transduce/row_graph.h"

namespace coppice {
namespace {

std::vector<double> random_points(std::size_t count, std::size_t dimensions) {
  RandomStream random(3);
  std::vector<double> points(count * dimensions);
  // Few different values, so that distances are often equal.
  for (double& x : points) x = static_cast<double>(random.below(12));
  return points;
}

TEST(PointTree, FindsTheNearestPointsOfAll) {
  for (const std::size_t dimensions : {1, 2, 5}) {
    const std::size_t count = 300;
    const std::vector<double> points = random_points(count, dimensions);
    const PointTree tree(points, dimensions);
    for (std::size_t centre = 0; centre < count; centre += 7) {
      std::vector<std::pair<double, std::uint32_t>> all;
      for (std::uint32_t other = 0; other < count; ++other) {
        double distance = 0;
        for (std::size_t k = 0; k < dimensions; ++k)
          distance += std::pow(points[centre * dimensions + k] - points[other * dimensions + k], 2);
        if (other != centre) all.emplace_back(distance, other);
      }
      std::sort(all.begin(), all.end());
      const auto found = tree.nearest(centre, 9);
      ASSERT_EQ(found.size(), 9u);
      for (std::size_t n = 0; n < found.size(); ++n) EXPECT_EQ(found[n], all[n].second);
    }
  }
  const std::vector<double> one{1.5};
  EXPECT_TRUE(PointTree(one, 1).nearest(0, 4).empty());
}

TEST(PointTree, ASearchThatIsCutShortFindsSomePoints) {
  const std::vector<double> points = random_points(300, 5);
  const PointTree tree(points, 5);
  const auto all = tree.nearest(11, 9), some = tree.nearest(11, 9, 40);
  EXPECT_EQ(tree.nearest(11, 9, 300), all);
  EXPECT_GE(some.size(), 1u);
  EXPECT_EQ(std::count(some.begin(), some.end(), 11u), 0);
}

TEST(RowGraph, JoinsEveryRowWithItsNearestInBothDirections) {
  const std::vector<double> points = random_points(200, 2);
  const PointTree tree(points, 2);
  const RowGraph graph = row_graph(points, 2, 6, 2);
  ASSERT_EQ(graph.size(), 200u);
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  std::set<Edge> expected, found;
  for (std::uint32_t row = 0; row < 200; ++row)
    for (const std::uint32_t other : tree.nearest(row, 6)) {
      expected.emplace(row, other);
      expected.emplace(other, row);
    }
  for (std::size_t node = 0; node < 200; ++node)
    for (std::size_t at = graph.first[node]; at < graph.first[node + 1]; ++at)
      found.emplace(graph.row[node], graph.row[graph.to[at]]);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(graph.to.size(), expected.size());  // none twice
}

// Leaves on a line, eight rows each, two of them at the same place.
struct Line {
  std::vector<double> values;
  LeafIds ids{64, 1};

  explicit Line(double scale) {
    RandomStream random(5);
    for (std::size_t row = 0; row < 64; ++row) {
      const std::size_t leaf = row / 8;
      const double place = leaf == 7 ? 6 : static_cast<double>(leaf);
      values.push_back(scale * (place + 0.1 * random.uniform()));
      values.push_back(scale * random.uniform());
      ids.set(0, row, static_cast<std::uint32_t>(leaf), false);
    }
    std::copy_n(values.end() - 32, 16, values.end() - 16);
  }
};

TEST(LeafGaussians, DistancesArePositiveAndFreeOfScale) {
  const Line usual(1);
  const FixedPointTargets space(usual.values, 2);
  const LeafGaussians leaves(space, usual.ids, 0, 8);
  for (const double scale : {1e-6, 1e6}) {
    const Line scaled(scale);
    const FixedPointTargets other_space(scaled.values, 2);
    const LeafGaussians others(other_space, scaled.ids, 0, 8);
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t b = 0; b < 8; ++b) {
        if (a == b) continue;
        EXPECT_GT(others.distance(a, b), 0);
        EXPECT_EQ(others.distance(a, b), others.distance(b, a));
        EXPECT_NEAR(others.distance(a, b), leaves.distance(a, b), 1e-6 * leaves.distance(a, b));
      }
  }
  EXPECT_EQ(leaves.distance(6, 7), LeafGaussians::kLeastDistance);
}

// One dimension: the covariance is a number that can be written down.
TEST(LeafGaussians, TheDistanceIsTheOneOfTheBook) {
  const std::vector<double> values{0, 2, 10, 14};
  LeafIds ids(4, 1);
  for (std::size_t row = 0; row < 4; ++row) ids.set(0, row, row < 2 ? 0 : 1, false);
  const LeafGaussians leaves(FixedPointTargets(values, 1), ids, 0, 2);
  const double pooled = (2 + 8) / 4.0, whole = (6.5 * 6.5 + 4.5 * 4.5 + 3.5 * 3.5 + 7.5 * 7.5) / 4;
  const double first = (2 + 2 * pooled) / 4 + LeafGaussians::kFloor * whole;
  const double second = (8 + 2 * pooled) / 4 + LeafGaussians::kFloor * whole;
  EXPECT_NEAR(leaves.distance(0, 1), 121 * (1 / first + 1 / second) / 2, 1e-6);
}

TEST(Coordinates, AreFreeOfScaleAndSkipWhatSaysNothing) {
  Dataset data;
  data.rows = 4;
  data.schema.features = {{"a"}, {"constant"}, {"colour", FeatureKind::categorical, {"x", "y"}}};
  data.columns = {{1e6f, 3e6f, kMissing, 5e6f}, {7, 7, 7, 7}, {0, 1, 0, 1}};
  const Coordinates found = coordinates_of(data.view(), 16);
  ASSERT_EQ(found.dimensions, 1u);
  const double step = std::sqrt(1.5);
  const std::vector<double> wanted{-step, 0, 0, step};
  for (std::size_t row = 0; row < 4; ++row) EXPECT_NEAR(found.values[row], wanted[row], 1e-6);
}

// A plane within ten dimensions is found again: distances stay.
TEST(Coordinates, OfManyFeaturesAreTheirPrincipalComponents) {
  RandomStream random(9);
  Dataset data;
  data.rows = 200;
  std::vector<double> mixing(20);
  for (double& entry : mixing) entry = random.uniform() - 0.5;
  data.columns.assign(10, std::vector<float>(200));
  for (std::size_t row = 0; row < 200; ++row) {
    const double u = random.uniform(), v = random.uniform();
    for (std::size_t f = 0; f < 10; ++f)
      data.columns[f][row] = static_cast<float>(mixing[2 * f] * u + mixing[2 * f + 1] * v);
  }
  for (int f = 0; f < 10; ++f) data.schema.features.push_back({"f" + std::to_string(f)});
  const Coordinates all = coordinates_of(data.view(), 10), few = coordinates_of(data.view(), 2);
  const auto distance = [](const Coordinates& at, std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < at.dimensions; ++k)
      sum += std::pow(at.values[a * at.dimensions + k] - at.values[b * at.dimensions + k], 2);
    return std::sqrt(sum);
  };
  for (std::size_t row = 1; row < 200; ++row)
    EXPECT_NEAR(distance(few, 0, row), distance(all, 0, row), 1e-4);
}

Dataset spiral(std::size_t labels) {
  ToyOptions options;
  options.shape = ToyShape::arms, options.classes = 4, options.noise = 0.02;
  options.labels = labels;
  return generate(options);
}

double wrong_share(const Dataset& data, const FitOptions& options) {
  const Dataset truth = spiral(0);
  const Forest forest = fit(data.view(), options).forest;
  const CompletedLabels found = complete_labels(Predictor(forest), data.view());
  double wrong = 0;
  for (std::size_t row = 0; row < truth.rows; ++row)
    wrong += found.labels[row] != truth.labels[row];
  return wrong / double(truth.rows - 8);
}

TEST(SemiSupervisedForest, FollowsTheArmsOfASpiral) {
  const Dataset data = spiral(8);
  FitOptions options = semi_supervised_options();
  EXPECT_LE(wrong_share(data, options), 0.02);
}

TEST(SemiSupervisedForest, GivenLabelsStayAndTheOthersAreFilledIn) {
  const Dataset data = spiral(8);
  FitOptions options = semi_supervised_options();
  options.forest.trees = 5;
  const Forest forest = fit(data.view(), options).forest;
  EXPECT_EQ(forest.info().facts.at("labelled_rows"), "8");
  const CompletedLabels found = complete_labels(Predictor(forest), data.view());
  for (std::size_t row = 0; row < data.rows; ++row) {
    EXPECT_EQ(found.given[row], row < 8);
    if (row < 8) {
      EXPECT_EQ(found.labels[row], data.labels[row]);
    }
    EXPECT_LT(found.labels[row], 4u);
    EXPECT_GE(found.confidence[row], 0.25);
  }
}

TEST(SemiSupervisedForest, ScaleChangesNothing) {
  const Dataset data = spiral(8);
  FitOptions options = semi_supervised_options();
  options.forest.trees = 10;
  const Predictions usual = Predictor(fit(data.view(), options).forest).predict(data.view());
  for (const float scale : {0x1.0p-20f, 0x1.0p20f}) {  // exact, near 1e-6 and 1e6
    Dataset scaled = data;
    for (auto& column : scaled.columns)
      for (float& value : column) value *= scale;
    const Forest forest = fit(scaled.view(), options).forest;
    const Predictions says = Predictor(forest).predict(scaled.view());
    EXPECT_EQ(says.labels, usual.labels);
  }
}

TEST(SemiSupervisedForest, NumbersTravelAlongACurve) {
  ToyOptions toy;
  toy.shape = ToyShape::s_curve, toy.rows = 600, toy.noise = 0, toy.labels = 60;
  const Dataset data = generate(toy);
  toy.labels = 0;
  const Dataset truth = generate(toy);
  const Forest forest = fit(data.view(), semi_supervised_options()).forest;
  EXPECT_EQ(forest.info().payload_kind, PayloadKind::mean_variance);
  const CompletedLabels found = complete_labels(Predictor(forest), data.view());
  double errors = 0, variance = 0, mean = 0;
  for (const double target : truth.targets) mean += target / 600;
  for (std::size_t row = 0; row < truth.rows; ++row) {
    errors += std::pow(found.targets[row] - truth.targets[row], 2);
    variance += std::pow(truth.targets[row] - mean, 2);
  }
  EXPECT_LT(errors, 0.1 * variance);
}

TEST(SemiSupervisedForest, MissingValuesAndCategoriesTakePart) {
  Dataset data = spiral(40);
  data.schema.features.push_back({"colour", FeatureKind::categorical, {"a", "b"}});
  data.columns.emplace_back();
  for (std::size_t row = 0; row < data.rows; ++row)
    data.columns[2].push_back(row % 4 < 2 ? 0.0f : 1.0f);
  for (std::size_t row = 5; row < data.rows; row += 10) data.columns[row % 3][row] = kMissing;
  FitOptions options = semi_supervised_options();
  options.forest.trees = 10;
  const FitResult one = fit(data.view(), options, {.threads = 1});
  const FitResult two = fit(data.view(), options, {.threads = 3});
  EXPECT_EQ(Predictor(one.forest).predict(data.view()).mean,
            Predictor(two.forest).predict(data.view()).mean);
}

TEST(SemiSupervisedForest, RefusesWhatMakesNoSense) {
  Dataset data = spiral(8);
  FitOptions options = semi_supervised_options();
  options.report.permutation_importance = true;
  EXPECT_THROW(fit(data.view(), options), Error);
  options = semi_supervised_options();
  options.split.learners = {{WeakLearnerKind::canonical, 1}};
  EXPECT_THROW(fit(data.view(), options), Error);
  options = semi_supervised_options();
  std::get<SemiSupervised>(options.task).alpha = -1;
  EXPECT_THROW(fit(data.view(), options), Error);
  try {
    fit(data.view(), FitOptions{});
    FAIL() << "classification took rows without a label";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--task semi-supervised"), std::string::npos);
  }
  std::fill(data.labels.begin(), data.labels.end(), kNoLabel);
  EXPECT_THROW(fit(data.view(), semi_supervised_options()), Error);
}

}  // namespace
}  // namespace coppice
