// Methods in stages from outside: what they refuse, what leaves hold, what they improve.
#include "tasks/methods.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "tasks/option_table.h"
#include "tasks/test_toys.h"

namespace coppice {
namespace {

using test::toy;

FitOptions classifier(const MethodChoice& method) {
  FitOptions options;
  choose_method(options, method);
  options.forest.trees = 12;
  return options;
}

FitOptions regressor(const MethodChoice& method) {
  FitOptions options;
  options.task = Regression{};
  choose_method(options, method);
  options.forest.trees = 12;
  return options;
}

// The payload of every leaf is the share of each class among its rows, whatever the weights.
TEST(Methods, AlternatingWeightsReachSplitsOnly) {
  const Dataset data = toy(ToyShape::spirals);
  FitOptions options = classifier(AlternatingForest{});
  options.sampling.bagging = Bagging::none;
  options.growth.max_depth = 5;
  options.report.leaf_ids = true;
  const FitResult result = fit(data.view(), options);
  const ForestArrays& arrays = result.forest.arrays();
  const std::size_t classes = data.schema.classes.size();
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    const std::size_t first = arrays.first_leaf(tree);
    const std::size_t leaves = arrays.first_split[tree + 1] - arrays.first_split[tree] + 1;
    std::vector<double> counts(leaves * classes), totals(leaves);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::size_t leaf = result.report.leaf_ids.leaf(tree, row);
      ++counts[leaf * classes + data.labels[row]];
      ++totals[leaf];
    }
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
      for (std::size_t c = 0; c < classes; ++c)
        EXPECT_EQ(arrays.payload_of(first + leaf)[c],
                  static_cast<float>(counts[leaf * classes + c] / totals[leaf]));
  }
  options.method = PlainForest{};
  EXPECT_NE(result.report.leaves, fit(data.view(), options).report.leaves);
}

TEST(Methods, AlternatingLossFallsLevelByLevel) {
  const Dataset classes = toy(ToyShape::spirals), numbers = toy(ToyShape::friedman1);
  const auto falls = [](const std::vector<double>& losses, double to = 0.3) {
    ASSERT_GE(losses.size(), 5u);
    for (std::size_t i = 1; i < losses.size(); ++i) EXPECT_LT(losses[i], 1.01 * losses[i - 1]);
    EXPECT_LT(losses.back(), to * losses.front());
  };
  falls(fit(classes.view(), classifier(AlternatingForest{{.margin = MarginLoss::logit}}))
            .report.stage_losses);
  for (const ResidualLoss loss :
       {ResidualLoss::squared, ResidualLoss::absolute, ResidualLoss::huber}) {
    FitOptions options = regressor(AlternatingForest{{.residual = loss}});
    falls(fit(numbers.view(), options).report.stage_losses);
    // A line through all rows is a good beginning.
    options.task = Regression{{}, LinearLeaf{}};
    options.growth.min_samples_leaf = 20;
    options.growth.max_depth = 5;
    falls(fit(numbers.view(), options).report.stage_losses, 0.8);
  }
}

double mean_squared_error(const FitOptions& options, const Dataset& train, const Dataset& test) {
  const FitResult result = fit(train.view(), options);
  const Predictions answers = Predictor(result.forest).predict(test.view());
  double sum = 0;
  for (std::size_t row = 0; row < test.rows; ++row)
    sum += (answers.mean[row] - test.targets[row]) * (answers.mean[row] - test.targets[row]);
  return sum / static_cast<double>(test.rows);
}

TEST(Methods, ShallowAlternatingForestsAreBetterThanShallowForests) {
  const Dataset train = toy(ToyShape::friedman1, 1000, 1), test = toy(ToyShape::friedman1, 1000, 2);
  FitOptions options = regressor(AlternatingForest{});
  options.growth.max_depth = 6;
  const double alternating = mean_squared_error(options, train, test);
  options.method = PlainForest{};
  EXPECT_LT(alternating, 0.8 * mean_squared_error(options, train, test));
}

TEST(Methods, ShallowAlternatingForestsWithLinearLeavesAreBetterThanWithConstantOnes) {
  const Dataset train = toy(ToyShape::friedman1, 1000, 1), test = toy(ToyShape::friedman1, 1000, 2);
  FitOptions options = regressor(AlternatingForest{});
  options.growth.max_depth = 4;
  options.growth.min_samples_leaf = 10;
  const double constant = mean_squared_error(options, train, test);
  options.task = Regression{{}, LinearLeaf{}};
  EXPECT_LT(mean_squared_error(options, train, test), 0.7 * constant);
}

// One target in a thousand is far off: the absolute loss hardly moves.
TEST(Methods, AbsoluteLossDoesNotFollowOutliers) {
  Dataset train = toy(ToyShape::friedman1, 1000, 1);
  const Dataset test = toy(ToyShape::friedman1, 1000, 2);
  for (std::size_t row = 0; row < train.rows; row += 50) train.targets[row] += 1000;
  for (const bool linear : {false, true}) {
    FitOptions options = regressor(AlternatingForest{{.residual = ResidualLoss::absolute}});
    options.growth.min_samples_leaf = linear ? 20 : 5;
    if (linear) options.task = Regression{{}, LinearLeaf{}};
    const double robust = mean_squared_error(options, train, test);
    options.method = AlternatingForest{};
    EXPECT_LT(robust, 0.1 * mean_squared_error(options, train, test)) << "linear " << linear;
  }
}

TEST(Methods, RefuseWhatTheyCannotDo) {
  const Dataset classes = toy(ToyShape::spirals), numbers = toy(ToyShape::friedman1);
  const auto refused = [](const FitOptions& options, const Dataset& data) {
    return problems(options, data.view()).size();
  };
  FitOptions dynamic = classifier(DynamicForest{});
  EXPECT_EQ(refused(dynamic, classes), 0u);
  dynamic.sampling.bagging = Bagging::none;
  EXPECT_EQ(refused(dynamic, classes), 1u);
  EXPECT_EQ(refused(regressor(DynamicForest{}), numbers), 1u);
  EXPECT_EQ(refused(regressor(NewtonTrees{}), numbers), 1u);
  EXPECT_EQ(refused(classifier(AlternatingForest{{.margin_scale = 0}, 0}), classes), 2u);
  EXPECT_EQ(refused(regressor(AlternatingForest{{.huber_delta = -1}}), numbers), 1u);
  FitOptions linear = regressor(AlternatingForest{});
  linear.task = Regression{{}, LinearLeaf{}};
  EXPECT_EQ(refused(linear, numbers), 0u);
  linear.method = BoostedTrees{};
  linear.forest.ensemble = Ensemble::product;
  EXPECT_EQ(refused(linear, numbers), 2u);
}

TEST(Methods, NewtonLossFallsTreeByTreeAndProbabilitiesAreThoseOfTheLoss) {
  const Dataset data = toy(ToyShape::spirals);
  const FitResult result = fit(data.view(), classifier(NewtonTrees{0.3, 1}));
  const std::vector<double>& losses = result.report.stage_losses;
  ASSERT_EQ(losses.size(), 12u);
  for (std::size_t i = 1; i < losses.size(); ++i) EXPECT_LT(losses[i], losses[i - 1]);
  FitOptions longer = classifier(NewtonTrees{0.3, 1});
  longer.forest.trees = 13;
  const FitResult next = fit(data.view(), longer);
  const Predictions answers = Predictor(result.forest).predict(data.view());
  const std::size_t classes = data.schema.classes.size();
  double loss = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    loss -= std::log(answers.mean[row * classes + data.labels[row]]);
  EXPECT_NEAR(loss / static_cast<double>(data.rows), next.report.stage_losses.back(), 1e-5);
  EXPECT_FALSE(result.report.out_of_bag);
}

// One leaf, no ridge: (K - 1) / K times Newton's step from the shares of the classes, where the
// gradient is 0: nothing is left to learn.
TEST(Methods, NewtonBeginsWithTheSharesOfTheClasses) {
  const Dataset data = toy(ToyShape::blobs);
  FitOptions options = classifier(NewtonTrees{1, 0});
  options.growth.max_depth = 0;
  const Predictions answers = Predictor(fit(data.view(), options).forest).predict(data.view());
  std::vector<double> shares(data.schema.classes.size());
  for (const std::uint32_t label : data.labels)
    shares[label] += 1.0 / static_cast<double>(data.rows);
  for (std::size_t k = 0; k < shares.size(); ++k) EXPECT_NEAR(answers.mean[k], shares[k], 1e-5);
}

std::vector<std::pair<std::string, std::string>> shown(
    const std::vector<std::pair<std::string, std::string>>& given, bool regression = false) {
  FitOptions options;
  if (regression) options.task = Regression{};
  set_options(options, given);
  std::vector<std::pair<std::string, std::string>> about_methods;
  for (const auto& row : shown_options(options))
    for (const char* const name : {"method", "loss", "margin-scale", "shrinkage", "huber-delta",
                                   "newton-ridge", "bagging", "max-depth"})
      if (row.first == name) about_methods.push_back(row);
  return about_methods;
}

TEST(Methods, OptionsReadBackAsTheyWereGiven) {
  using Shown = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(shown({}), (Shown{{"bagging", "with-replacement"}, {"max-depth", "none"}}));
  EXPECT_EQ(shown({{"method", "adf"}, {"loss", "savage"}, {"max-depth", "12"}}),
            (Shown{{"bagging", "with-replacement"},
                   {"loss", "savage"},
                   {"margin-scale", "3"},
                   {"max-depth", "12"},
                   {"method", "adf"},
                   {"shrinkage", "1"}}));
  EXPECT_EQ(shown({{"method", "arf"}, {"loss", "huber"}, {"huber-delta", "0.5"}}, true),
            (Shown{{"bagging", "with-replacement"},
                   {"huber-delta", "0.5"},
                   {"loss", "huber"},
                   {"max-depth", "20"},
                   {"method", "arf"},
                   {"shrinkage", "1"}}));
  EXPECT_EQ(shown({{"method", "boosted"}}, true), (Shown{{"bagging", "none"},
                                                         {"loss", "squared"},
                                                         {"max-depth", "6"},
                                                         {"method", "boosted"},
                                                         {"shrinkage", "0.1"}}));
}

TEST(Methods, OptionsOfOthersAreRefused) {
  const auto refused = [](const std::vector<std::pair<std::string, std::string>>& given,
                          bool regression = false) {
    FitOptions options;
    if (regression) options.task = Regression{};
    EXPECT_ANY_THROW(set_options(options, given)) << given.back().first;
  };
  refused({{"loss", "tangent"}});
  refused({{"method", "arf"}});
  refused({{"method", "adf"}}, true);
  refused({{"method", "adf"}, {"loss", "squared"}});
  refused({{"method", "arf"}, {"margin-scale", "3"}}, true);
  refused({{"method", "arf"}, {"huber-delta", "1"}}, true);
  refused({{"method", "adf"}, {"shrinkage", "1.5"}});
  refused({{"method", "dynamic"}, {"shrinkage", "0.5"}});
  refused({{"method", "adf"}, {"newton-ridge", "1"}});
}

}  // namespace
}  // namespace coppice
