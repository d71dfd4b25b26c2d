// The numbers behind the pictures against forests that were trained differently, and closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/coppice.h"
#include "draw/density_plot.h"
#include "draw/learning_curve.h"
#include "draw/node_summary.h"
#include "draw/score_plots.h"
#include "known_rows.h"

namespace coppice {
namespace {

FitResult trained(const Dataset& data, std::optional<std::uint32_t> depth, std::uint32_t trees) {
  FitOptions options;
  if (data.schema.classes.empty()) options.task = Regression{};
  options.growth.max_depth = depth;
  options.forest.trees = trees;
  return fit(data.view(), options);
}

class Curves : public testing::TestWithParam<ToyShape> {};

TEST_P(Curves, CutTreesAnswerLikeShallowForests) {
  const Dataset data = generate({.shape = GetParam(), .rows = 300, .classes = 3, .noise = 0.2});
  const Dataset fresh =
      generate({.shape = GetParam(), .rows = 500, .classes = 3, .noise = 0.2, .seed = 2});
  const FitResult deep = trained(data, {}, 7);
  const std::vector<double> errors = error_by_depth(deep.forest, fresh);
  ASSERT_EQ(errors.size(), deep.report.max_depth + 1);
  for (const std::uint32_t depth : {0u, 1u, 2u, 4u}) {
    EXPECT_NEAR(errors[depth], error_on(trained(data, depth, 7).forest, fresh), 1e-6) << depth;
  }
  EXPECT_NEAR(errors.back(), error_on(deep.forest, fresh), 1e-9);
}

TEST_P(Curves, FirstTreesAnswerLikeSmallForests) {
  const Dataset data = generate({.shape = GetParam(), .rows = 300, .classes = 3, .noise = 0.2});
  const Dataset fresh =
      generate({.shape = GetParam(), .rows = 500, .classes = 3, .noise = 0.2, .seed = 2});
  const FitResult made = trained(data, {}, 7);
  const std::vector<double> errors = error_by_trees(Predictor(made.forest), fresh);
  ASSERT_EQ(errors.size(), 7u);
  for (const std::uint32_t trees : {1u, 3u, 7u}) {
    EXPECT_NEAR(errors[trees - 1], error_on(trained(data, {}, trees).forest, fresh), 1e-6);
  }
}

TEST_P(Curves, CountRowsByTheirWeight) {
  const Dataset data = generate({.shape = GetParam(), .rows = 200, .classes = 3, .noise = 0.3});
  Dataset heavy =
      generate({.shape = GetParam(), .rows = 100, .classes = 3, .noise = 0.3, .seed = 2});
  const Forest forest = trained(data, {}, 5).forest;
  const std::vector<double> plain = error_by_depth(forest, heavy);
  heavy.weights.assign(heavy.rows, 0);
  heavy.weights[7] = 3;
  const std::vector<double> weighted = error_by_depth(forest, heavy);
  Dataset alone = heavy;
  alone.rows = 1;
  for (auto& column : alone.columns) column = {column[7]};
  if (!heavy.labels.empty()) alone.labels = {heavy.labels[7]};
  if (!heavy.targets.empty()) alone.targets = {heavy.targets[7]};
  alone.weights.clear();
  const std::vector<double> expected = error_by_depth(forest, alone);
  ASSERT_EQ(weighted.size(), expected.size());
  for (std::size_t depth = 0; depth < expected.size(); ++depth)
    EXPECT_NEAR(weighted[depth], expected[depth], 1e-9);
  EXPECT_NE(weighted, plain);
}

// Both curves end where the forest stands, however its trees become one.
TEST_P(Curves, EndWithTheAnswerOfTheEnsemble) {
  const Dataset data = generate({.shape = GetParam(), .rows = 300, .classes = 3, .noise = 0.2});
  const Dataset fresh =
      generate({.shape = GetParam(), .rows = 500, .classes = 3, .noise = 0.2, .seed = 2});
  const bool classes = !data.schema.classes.empty();
  const auto check = [&](const FitOptions& options) {
    const Forest forest = fit(data.view(), options).forest;
    const double error = error_on(forest, fresh);
    EXPECT_NEAR(error_by_trees(Predictor(forest), fresh).back(), error, 1e-9);
    EXPECT_NEAR(error_by_depth(forest, fresh).back(), error, 1e-9);
  };
  FitOptions options;
  if (!classes) options.task = Regression{};
  options.forest.trees = 9;
  for (const Ensemble ensemble : {Ensemble::mean, Ensemble::product, Ensemble::confidence}) {
    options.forest.ensemble = ensemble;
    check(options);
  }
  options.forest.ensemble = Ensemble::mean;
  const MethodChoice sum = classes ? MethodChoice(NewtonTrees{}) : MethodChoice(BoostedTrees{});
  choose_method(options, sum);
  check(options);
}

INSTANTIATE_TEST_SUITE_P(Tasks, Curves, testing::Values(ToyShape::spirals, ToyShape::friedman1));

TEST(NodeSummaries, TheRootSumsUpTheTree) {
  const Dataset data = generate({.shape = ToyShape::friedman1, .rows = 200, .noise = 0.2});
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 1;
  options.sampling.bagging = Bagging::none;
  const FitResult made = fit(data.view(), options);
  const NodeSummaries summaries = summarize(made.forest, 0);
  double mean = 0, squares = 0;
  for (const double y : data.targets) mean += y / 200;
  for (const double y : data.targets) squares += (y - mean) * (y - mean) / 200;
  EXPECT_EQ(summaries.support[0], 200);
  EXPECT_EQ(summaries.leaves[0], made.report.leaves);
  EXPECT_EQ(summaries.first_leaf[0], 0u);
  EXPECT_NEAR(summaries.of(0)[0], mean, 1e-5);
  EXPECT_NEAR(summaries.of(0)[1], squares, 1e-4);
}

TEST(Density, IsAMixtureThatIntegratesToOne) {
  const std::vector<Gaussian> leaves{{0, 1}, {0, 1}, {3, 0.5}, {-2, 0}};
  const double least = 0.1, step = 0.001;
  double sum = 0;
  for (double y = -12; y < 12; y += step) sum += step * mixture_density(leaves, y, least);
  EXPECT_NEAR(sum, 1, 1e-6);
  const double root = std::sqrt(2 * std::acos(-1.0));
  const double expected = (2 * std::exp(-0.5) / root + std::exp(-8.0) / (0.5 * root)) / 4;
  EXPECT_NEAR(mixture_density(leaves, 1, least), expected, 1e-9);
}

TEST(Density, MeanOfTheLeavesIsThePrediction) {
  const Dataset data = generate({.shape = ToyShape::two_piece_line, .rows = 60, .noise = 0.1});
  const FitResult made = trained(data, 3, 9);
  const Predictor predictor(made.forest);
  const std::vector<float> xs{0.1f, 0.5f, 0.9f};
  const std::vector<Gaussian> leaves = leaf_gaussians(predictor, xs);
  ASSERT_EQ(leaves.size(), 27u);
  const Predictions answers = predictor.predict_rows(xs);
  for (std::size_t n = 0; n < 3; ++n) {
    double mean = 0, squares = 0;
    for (std::size_t tree = 0; tree < 9; ++tree) {
      const Gaussian& leaf = leaves[n * 9 + tree];
      mean += leaf.mean / 9;
      squares += (leaf.deviation * leaf.deviation + leaf.mean * leaf.mean) / 9;
    }
    EXPECT_NEAR(answers.mean[n], mean, 1e-6);
    EXPECT_NEAR(answers.variance[n], squares - mean * mean, 1e-6);
  }
}

TEST(Calibration, CountsByHand) {
  Predictions answers{.rows = 4, .outputs = 2};
  answers.mean = {0.95, 0.05, 0.97, 0.03, 0.4, 0.6, 0.35, 0.65};
  answers.labels = {0, 0, 1, 1};
  const std::vector<std::uint32_t> truth{0, 1, 1, 1};
  const Calibration made = calibration(answers, truth);
  EXPECT_EQ(made.bins[9].rows, 2u);
  EXPECT_DOUBLE_EQ(made.bins[9].confidence, 0.96);
  EXPECT_DOUBLE_EQ(made.bins[9].accuracy, 0.5);
  EXPECT_EQ(made.bins[6].rows, 2u);
  EXPECT_DOUBLE_EQ(made.bins[6].accuracy, 1);
  EXPECT_NEAR(made.error, (2 * 0.46 + 2 * 0.375) / 4, 1e-12);
}

}  // namespace
}  // namespace coppice
