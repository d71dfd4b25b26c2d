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

TEST(Fit, LearnsFunctionsWithEveryObjective) {
  const Dataset data = toy(ToyShape::friedman1, 800), fresh = toy(ToyShape::friedman1, 1000, 99);
  for (const auto& objective : std::vector<decltype(Regression::objective)>{
           VarianceObjective{}, AbsoluteDeviationObjective{}, FeatureVarianceObjective{0.1},
           LogDetObjective{}, ProbabilisticLinearObjective{}})
    for (const ThresholdChoice& thresholds :
         {ThresholdChoice(ExactThresholds{}), ThresholdChoice(RandomThresholds{3})}) {
      FitOptions options = options_for(data);
      options.task = Regression{objective};
      options.split.thresholds = thresholds;
      options.growth.min_samples_leaf = 5;
      const Forest forest = fit(data.view(), options).forest;
      EXPECT_GT(regression_metrics(Predictor(forest).predict(fresh.view()), fresh.targets).r2, 0.5)
          << "objective " << objective.index();
    }
}

// Five features of noise beside ten that only they share the draws with.
TEST(Fit, FeatureWeightsDecideWhatIsDrawn) {
  const Dataset data = toy(ToyShape::friedman1, 600);
  for (const bool oblique : {false, true}) {
    FitOptions options = options_for(data, 10);
    if (oblique) options.split.learners = {{WeakLearnerKind::oblique, 1}};
    GivenFeatureWeights never;
    for (std::size_t f = 3; f < data.schema.features.size(); ++f)
      never.weights.emplace_back(data.schema.features[f].name, 0);
    options.split.feature_weights = never;
    const FitResult result = fit(data.view(), options);
    const std::vector<float>& used = result.forest.info().importances.at("impurity");
    for (std::size_t f = 0; f < used.size(); ++f) EXPECT_EQ(used[f] > 0, f < 3) << f;
  }
}

// friedman1 has five features that matter and five that do not (the toy data may have more).
TEST(Fit, LearnedFeatureWeightsFavourWhatMatters) {
  const Dataset data = toy(ToyShape::friedman1, 600), fresh = toy(ToyShape::friedman1, 2000, 99);
  const auto error = [&](const FeatureWeightChoice& weights) {
    FitOptions options = options_for(data, 60);
    options.split.max_features = FeatureCount{1};
    options.split.feature_weights = weights;
    const Forest forest = fit(data.view(), options).forest;
    return regression_metrics(Predictor(forest).predict(fresh.view()), fresh.targets).rmse;
  };
  EXPECT_LT(error(LearnedFeatureWeights{}), 0.95 * error(UniformFeatureWeights{}));
}

TEST(Fit, SmallerTreesKnowLess) {
  const Dataset data = toy(ToyShape::spirals, 1500);
  FitOptions stumps = options_for(data);
  stumps.growth.max_depth = 1;
  EXPECT_GT(fresh_error(data, stumps, ToyShape::spirals),
            2 * fresh_error(data, options_for(data), ToyShape::spirals));
}

// One row in ten is of the second class. Drawn equally often, it is found as often as the first;
// the out-of-bag error is still that of the data as it is.
TEST(Fit, ResampledClassesAreFoundEquallyOften) {
  const auto rare = [](std::uint64_t seed) {
    Dataset data = toy(ToyShape::moons, 3000, seed, 0.6);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < data.rows; ++row)
      if (data.labels[row] == 0 || row / 2 % 10 == 0) kept.push_back(row);
    Dataset some = data;
    some.rows = kept.size();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t f = 0; f < data.columns.size(); ++f)
        some.columns[f][i] = data.columns[f][kept[i]];
      some.labels[i] = data.labels[kept[i]];
    }
    for (auto& column : some.columns) column.resize(some.rows);
    some.labels.resize(some.rows);
    return some;
  };
  const Dataset data = rare(1), fresh = rare(99);
  const auto found_of_second = [&](const FitResult& result) {
    const Predictions answers = Predictor(result.forest).predict(fresh.view());
    double found = 0, all = 0;
    for (std::size_t row = 0; row < fresh.rows; ++row)
      if (fresh.labels[row] == 1) found += answers.labels[row] == 1, all += 1;
    return found / all;
  };
  FitOptions options = options_for(data, 200);
  options.growth.min_samples_leaf = 5;
  const FitResult plain = fit(data.view(), options);
  options.task = Classification{{}, ResampledClasses{}};
  const FitResult resampled = fit(data.view(), options);
  EXPECT_GT(found_of_second(resampled), found_of_second(plain) + 0.2);
  const double fresh_error =
      class_metrics(Predictor(resampled.forest).predict(fresh.view()), fresh.labels).error;
  ASSERT_TRUE(resampled.report.out_of_bag);
  EXPECT_NEAR(resampled.report.out_of_bag->error, fresh_error, 0.04);
  EXPECT_EQ(resampled.report.out_of_bag->rows_covered, data.rows);
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
