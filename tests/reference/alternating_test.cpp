// Alternating and boosted regression against plain code, and against what they come down to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "grow/sampling.h"
#include "tests/reference/alternating_reference.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 150, kFeatures = 3;

struct Shape {
  std::size_t outputs;
  std::uint32_t levels;
  Bagging bagging;
};

Dataset smooth_problem(std::uint64_t seed, std::size_t outputs) {
  RandomStream random(seed);
  Dataset data;
  data.rows = kRows;
  data.columns.assign(kFeatures, {});
  for (std::size_t f = 0; f < kFeatures; ++f) {
    data.schema.features.push_back({"x" + std::to_string(f), FeatureKind::numeric});
    for (std::size_t row = 0; row < kRows; ++row)
      data.columns[f].push_back(static_cast<float>(random.uniform()));
  }
  for (std::size_t k = 0; k < outputs; ++k) data.schema.targets.push_back("y" + std::to_string(k));
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t k = 0; k < outputs; ++k) {
      const double a = data.columns[k % kFeatures][row], b = data.columns[(k + 1) % kFeatures][row];
      data.targets.push_back(1000 + (static_cast<double>(k) + 1) * 50 *
                                        (a * a + a * b + 0.1 * random.uniform()));
    }
  return data;
}

FitOptions alternating(const Shape& shape) {
  FitOptions options;
  options.task = Regression{};
  options.method = AlternatingForest{};
  options.forest = {3, 11};
  options.sampling.bagging = shape.bagging;
  options.split.thresholds = ExactThresholds{};
  options.split.max_features = AllFeatures{};
  options.growth.max_depth = shape.levels;
  options.growth.min_samples_split = 30;
  return options;
}

reference::AlternatingProblem same_problem(const Dataset& data, const FitOptions& options) {
  reference::AlternatingProblem problem;
  problem.levels = *options.growth.max_depth;
  problem.min_samples_split = options.growth.min_samples_split;
  for (const auto& column : data.columns)
    problem.features.emplace_back(column.begin(), column.end());
  const std::size_t outputs = data.schema.targets.size();
  problem.targets.resize(outputs);
  for (std::size_t i = 0; i < data.targets.size(); ++i)
    problem.targets[i % outputs].push_back(data.targets[i]);
  const std::vector<std::uint32_t> ones(data.rows, 1);
  for (std::size_t tree = 0; tree < options.forest.trees; ++tree) {
    const RandomStream random = RandomStream(options.forest.seed).child(tree).child(0);
    const Bag bag = draw_bag(ones, options.sampling, random);
    problem.draws.emplace_back(bag.draws.begin(), bag.draws.end());
  }
  return problem;
}

std::vector<double> row_of(const Dataset& data, std::size_t row) {
  std::vector<double> values;
  for (const auto& column : data.columns) values.push_back(column[row]);
  return values;
}

class Alternating : public testing::TestWithParam<Shape> {};

TEST_P(Alternating, IsTheForestOfThePlainCode) {
  const std::size_t outputs = GetParam().outputs;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; compared < 8 && seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = smooth_problem(seed, outputs);
    const FitOptions options = alternating(GetParam());
    const auto expected = reference::grow_alternating(same_problem(data, options));
    if (expected.ambiguous) continue;
    ++compared;
    const FitResult result = fit(data.view(), options, {.threads = 2});
    std::size_t leaves = 0;
    for (const auto& tree : expected.trees)
      for (const auto& node : tree) leaves += node.left < 0;
    EXPECT_EQ(result.report.leaves, leaves);
    const Dataset unseen = smooth_problem(seed + 1000, outputs);
    const Predictions answers = Predictor(result.forest).predict(unseen.view());
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::vector<double> truth = reference::predict(expected, row_of(unseen, row));
      for (std::size_t k = 0; k < outputs; ++k)
        EXPECT_NEAR(answers.mean[row * outputs + k], truth[k], 1e-3) << row;
    }
  }
  EXPECT_EQ(compared, 8u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Alternating,
                         testing::Values(Shape{1, 0, Bagging::with_replacement},
                                         Shape{1, 1, Bagging::with_replacement},
                                         Shape{1, 4, Bagging::with_replacement},
                                         Shape{1, 6, Bagging::none},
                                         Shape{3, 4, Bagging::with_replacement}),
                         [](const auto& tested) { return "case" + std::to_string(tested.index); });

// With one tree and no shrinkage boosting is a regression tree.
TEST(Boosted, OneWholeTreeIsAPlainTree) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Dataset data = smooth_problem(seed, 1), unseen = smooth_problem(seed + 50, 1);
    FitOptions options = alternating({1, 6, Bagging::with_replacement});
    options.forest.trees = 1;
    options.method = BoostedTrees{{}, 1};
    const Forest boosted = fit(data.view(), options).forest;
    options.method = PlainForest{};
    const Forest plain = fit(data.view(), options).forest;
    EXPECT_EQ(boosted.info().ensemble, Ensemble::sum);
    const Predictions a = Predictor(boosted).predict(unseen.view());
    const Predictions b = Predictor(plain).predict(unseen.view());
    for (std::size_t i = 0; i < a.mean.size(); ++i) {
      EXPECT_NEAR(a.mean[i], b.mean[i], 1e-3);
      EXPECT_NEAR(a.variance[i], b.variance[i], 1e-3 * (1 + b.variance[i]));
    }
  }
}

// The residuals of the first tree are what the second one learns: with trees of one leaf each, the
// prediction closes in on the mean of the bag by the share of the shrinkage.
TEST(Boosted, ShrinkageTakesAShareOfEveryCorrection) {
  const Dataset data = smooth_problem(3, 1);
  FitOptions options = alternating({1, 0, Bagging::none});
  options.forest.trees = 4;
  options.method = BoostedTrees{{.residual = ResidualLoss::absolute}, 0.25};
  const FitResult result = fit(data.view(), options);
  std::vector<double> sorted = data.targets;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[kRows / 2 - 1];
  double expected = 0;
  for (const double target : data.targets) expected += target / kRows;
  for (int tree = 0; tree < 4; ++tree) expected += 0.25 * (median - expected);
  EXPECT_NEAR(Predictor(result.forest).predict(data.view()).mean[0], expected, 1e-3);
}

}  // namespace
}  // namespace coppice
