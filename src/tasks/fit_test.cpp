// fit() end to end: what it learns, what it writes down, what it refuses.
#include "coppice/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "coppice/error.h"
#include "coppice/metrics.h"
#include "coppice/predict.h"
#include "coppice/toy_data.h"
#include "coppice/version.h"

namespace coppice {
namespace {

Dataset toy(ToyShape shape, std::size_t rows, std::uint64_t seed = 1, double noise = 0.05) {
  ToyOptions options;
  options.shape = shape;
  options.rows = rows;
  options.seed = seed;
  options.noise = noise;
  return generate(options);
}

FitOptions options_for(const Dataset& data, std::uint32_t trees = 30) {
  FitOptions options;
  if (data.labels.empty()) options.task = Regression{};
  options.forest.trees = trees;
  return options;
}

double fresh_error(const Dataset& data, const FitOptions& options, ToyShape shape) {
  const Forest forest = fit(data.view(), options).forest;
  const Dataset fresh = toy(shape, 2000, 99);
  return class_metrics(Predictor(forest).predict(fresh.view()), fresh.labels).error;
}

// Criminisi 2012, section 3.4: p(c|x) is a straight line across the gap between two classes.
TEST(Fit, RandomThresholdsMaximiseTheMargin) {
  const Dataset data = toy(ToyShape::bars, 100, 1, 0);
  FitOptions options = options_for(data, 2000);
  options.split.thresholds = RandomThresholds{50};
  options.split.max_features = AllFeatures{};
  options.sampling.bagging = Bagging::none;
  options.growth.max_depth = 1;
  const FitResult made = fit(data.view(), options);
  float left = 0, right = 1;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const float x = data.columns[0][row];
    if (data.labels[row] == 0) left = std::max(left, x);
    if (data.labels[row] == 1) right = std::min(right, x);
  }
  for (const float share : {0.1f, 0.3f, 0.5f, 0.7f, 0.9f}) {
    const std::vector<float> row{left + share * (right - left), 0.5f};
    EXPECT_NEAR(Predictor(made.forest).predict_rows(row).mean[1], double{share}, 0.05);
  }
}

TEST(Fit, LearnsShapesThatNoLineSeparates) {
  for (const ToyShape shape : {ToyShape::spirals, ToyShape::moons, ToyShape::rings}) {
    const Dataset data = toy(shape, 1500);
    EXPECT_LT(fresh_error(data, options_for(data), shape), 0.1);
  }
}

TEST(Fit, LearnsWithEveryObjectiveAndThresholdRule) {
  const Dataset data = toy(ToyShape::moons, 1000);
  FitOptions options = options_for(data);
  for (const ThresholdChoice& thresholds :
       {ThresholdChoice(ExactThresholds{}), ThresholdChoice(BinnedThresholds{32, 0}),
        ThresholdChoice(RandomThresholds{2})})
    for (const auto& objective : {decltype(Classification::objective)(GiniObjective{}),
                                  decltype(Classification::objective)(EntropyObjective{})}) {
      options.split.thresholds = thresholds;
      options.task = Classification{objective, {}};
      EXPECT_LT(fresh_error(data, options, ToyShape::moons), 0.1);
    }
}

TEST(Fit, LearnsFunctions) {
  for (const ToyShape shape :
       {ToyShape::friedman1, ToyShape::two_piece_line, ToyShape::swiss_roll}) {
    const Dataset data = toy(shape, 2000), fresh = toy(shape, 2000, 99);
    FitOptions options = options_for(data);
    options.split.max_features = AllFeatures{};
    const Forest forest = fit(data.view(), options).forest;
    EXPECT_GT(regression_metrics(Predictor(forest).predict(fresh.view()), fresh.targets).r2, 0.8);
  }
}

TEST(Fit, SmallerTreesKnowLess) {
  const Dataset data = toy(ToyShape::spirals, 1500);
  FitOptions stumps = options_for(data);
  stumps.growth.max_depth = 1;
  EXPECT_GT(fresh_error(data, stumps, ToyShape::spirals),
            2 * fresh_error(data, options_for(data), ToyShape::spirals));
}

TEST(Fit, ClassWeightsMoveTheBoundary) {
  const Dataset data = toy(ToyShape::moons, 600, 1, 0.5);
  const auto share_of_first = [&](double weight) {
    FitOptions options = options_for(data);
    options.growth.max_depth = 2;
    options.task = Classification{{}, GivenClassWeights{{{data.schema.classes[0], weight}}}};
    const Forest forest = fit(data.view(), options).forest;
    std::size_t first = 0;
    for (const std::uint32_t label : Predictor(forest).predict(data.view()).labels)
      first += label == 0;
    return static_cast<double>(first) / 600;
  };
  EXPECT_GT(share_of_first(20), share_of_first(1) + 0.1);
  EXPECT_LT(share_of_first(0.05), share_of_first(1) - 0.1);
}

TEST(Fit, WritesDownWhatItDid) {
  const Dataset data = toy(ToyShape::moons, 100);
  FitOptions options = options_for(data, 3);
  options.report.facts["purpose"] = "a test";
  const FitResult result = fit(data.view(), options);
  const ForestInfo& info = result.forest.info();
  EXPECT_EQ(info.schema, data.schema);
  EXPECT_EQ(info.facts.at("rows"), "100");
  EXPECT_EQ(info.facts.at("features"), "2");
  EXPECT_EQ(info.facts.at("coppice_version"), kVersion);
  EXPECT_EQ(info.facts.at("purpose"), "a test");
  EXPECT_EQ(info.importances.size(), 1u);
  EXPECT_EQ(result.report.trees, 3u);
  EXPECT_GT(result.report.seconds, 0);
  EXPECT_TRUE(result.report.leaf_ids.empty());
  EXPECT_FALSE(result.report.cancelled);
}

TEST(Fit, ReportsOnlyWhatIsAskedFor) {
  const Dataset data = toy(ToyShape::moons, 100);
  FitOptions options = options_for(data, 3);
  options.report.out_of_bag = false;
  const FitResult result = fit(data.view(), options);
  EXPECT_FALSE(result.report.out_of_bag);
  EXPECT_EQ(result.forest.info().facts.count("oob_error"), 0u);
}

TEST(Fit, RegressionModelsHaveNoClasses) {
  Dataset data = toy(ToyShape::friedman1, 100);
  data.schema.classes = {"left", "over"};
  EXPECT_TRUE(fit(data.view(), options_for(data, 2)).forest.info().schema.classes.empty());
}

TEST(Fit, NamesAllProblemsInOneSentence) {
  const Dataset data = toy(ToyShape::moons, 50);
  FitOptions options = options_for(data, 0);
  options.growth.min_samples_leaf = 0;
  try {
    fit(data.view(), options);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("trees is 0"), std::string::npos);
    EXPECT_NE(sentence.find("min-samples-leaf"), std::string::npos);
  }
}

TEST(Fit, RefusesClassWeightsThatLeaveNothing) {
  const Dataset data = toy(ToyShape::moons, 50);
  FitOptions options = options_for(data, 2);
  options.task = Classification{
      {}, GivenClassWeights{{{data.schema.classes[0], 0.0}, {data.schema.classes[1], 0.0}}}};
  EXPECT_THROW(fit(data.view(), options), Error);
}

// Weights of a few rows only, drawn so often that careless sums would overflow.
TEST(Fit, ManyDrawsOfFewRowsDoNotOverflow) {
  Dataset data = toy(ToyShape::moons, 1000);
  data.weights.assign(1000, 0);
  for (std::size_t row = 0; row < 10; ++row) {
    data.weights[row] = 0.37f;
    data.columns[0][row] = static_cast<float>(row);
    data.labels[row] = row < 5 ? 0 : 1;
  }
  FitOptions options = options_for(data, 10);
  options.sampling.max_samples = 1000;
  options.split.max_features = AllFeatures{};
  const Forest forest = fit(data.view(), options).forest;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    EXPECT_EQ(forest.arrays().first_split[tree + 1] - forest.arrays().first_split[tree], 1u);
    EXPECT_EQ(forest.arrays().split(tree, 0).threshold, 4.5f);
  }
}

TEST(Fit, CancellationBeforeTheFirstTreeIsAnError) {
  const Dataset data = toy(ToyShape::moons, 200);
  RunContext context;
  context.cancelled = [] { return true; };
  try {
    fit(data.view(), options_for(data), context);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace coppice
