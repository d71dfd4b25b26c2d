// Refined forests as users see them.
#include "coppice/refine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/error.h"
#include "coppice/predict.h"
#include "model/forest_builder.h"
#include "model/test_forests.h"
#include "model/tree_copy.h"
#include "refine/test_grown.h"

namespace coppice {
namespace {

using test::grown;
using test::toy;

std::string bytes_of_model(const Forest& forest) {
  const std::string path = test::fresh_folder() + "/m";
  forest.save(path);
  test::expect_same_forest(forest, Forest::load(path));
  return test::bytes_of(path);
}

double rmse(const Forest& forest, const Dataset& data) {
  const Predictions answers = Predictor(forest).predict(data.view());
  double sum = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    sum += (answers.mean[row] - data.targets[row]) * (answers.mean[row] - data.targets[row]);
  return std::sqrt(sum / static_cast<double>(data.rows));
}

double error(const Forest& forest, const Dataset& data) {
  const Predictions answers = Predictor(forest).predict(data.view());
  double wrong = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    wrong += answers.labels[row] != data.labels[row];
  return wrong / static_cast<double>(data.rows);
}

// The same trees with other payloads.
Forest with_payload(const Forest& forest, const std::vector<float>& payload) {
  ForestBuilder builder(payload.size());
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    TreeArrays arrays = copy_tree(forest, tree, {}).tree;
    for (std::size_t leaf = 0; leaf < arrays.support.size(); ++leaf)
      arrays.payload.insert(arrays.payload.end(), payload.begin(), payload.end());
    builder.append(arrays);
  }
  return Forest(builder.finish(), forest.info());
}

TEST(Refine, ShallowForestsOfNumbersGetMuchBetter) {
  const Dataset train = toy(ToyShape::friedman1, 1500), test = toy(ToyShape::friedman1, 1000, 2);
  const Forest forest = grown(train, 4, 30);
  for (const Refinement method : {Refinement::replace, Refinement::add})
    for (const RefinementLoss& loss : {RefinementLoss{}, RefinementLoss{AbsoluteLoss{}}}) {
      const RefineResult refined = refine(forest, train.view(), {.method = method, .loss = loss});
      EXPECT_LT(rmse(refined.forest, test), 0.8 * rmse(forest, test));
      EXPECT_LT(refined.report.error_after, refined.report.error_before);
      EXPECT_EQ(refined.report.validation_rows, 300u);
      EXPECT_EQ(refined.forest.info().payload_kind, PayloadKind::mean_variance);
      bytes_of_model(refined.forest);
    }
}

TEST(Refine, ShallowForestsOfClassesGetMuchBetter) {
  const Dataset train = toy(ToyShape::spirals, 1500), test = toy(ToyShape::spirals, 1000, 2);
  const Forest forest = grown(train, 5, 30);
  for (const RefinementLoss& loss : {RefinementLoss{}, RefinementLoss{HingeLoss{}}}) {
    const RefineResult refined = refine(forest, train.view(), {.loss = loss});
    EXPECT_LT(error(refined.forest, test), 0.8 * error(forest, test));
    EXPECT_EQ(refined.forest.info().payload_kind, PayloadKind::class_scores);
    EXPECT_EQ(refined.forest.info().ensemble, Ensemble::sum);
    bytes_of_model(refined.forest);
  }
}

TEST(Refine, LinearLeavesGetBetter) {
  const Dataset train = toy(ToyShape::friedman1, 1500), test = toy(ToyShape::friedman1, 1000, 2);
  FitOptions options;
  options.task = Regression{{}, LinearLeaf{}};
  options.forest.trees = 20;
  options.growth.max_depth = 3;
  const Forest forest = fit(train.view(), options).forest;
  for (const Refinement method : {Refinement::replace, Refinement::add}) {
    const RefineResult refined = refine(forest, train.view(), {.method = method});
    EXPECT_EQ(refined.forest.info().payload_kind, PayloadKind::linear);
    EXPECT_LT(rmse(refined.forest, test), 0.9 * rmse(forest, test));
    EXPECT_LT(refined.report.error_after, refined.report.error_before);
    RunContext context;
    context.threads = 3;
    EXPECT_EQ(bytes_of_model(refine(forest, train.view(), {.method = method}, context).forest),
              bytes_of_model(refined.forest));
  }
  EXPECT_THROW(refine(forest, train.view(), {.loss = AbsoluteLoss{}}), Error);
  EXPECT_THROW(prune(forest, train.view()), Error);
}

TEST(Refine, AddingToLeavesOfZeroIsReplacing) {
  const Dataset data = toy(ToyShape::friedman1, 500);
  const Forest zeros = with_payload(grown(data, 5), {0, 0});
  const RefineOptions replace{.cost = 0.1};
  RefineOptions add = replace;
  add.method = Refinement::add;
  const Forest a = refine(zeros, data.view(), replace).forest;
  const Forest b = refine(zeros, data.view(), add).forest;
  EXPECT_TRUE(test::same_bytes(a.arrays().payload, b.arrays().payload));
}

TEST(Refine, AddingToScoresOfZeroIsReplacing) {
  const Dataset data = toy(ToyShape::spirals, 400);
  const Forest scores = refine(grown(data, 4), data.view(), {.cost = 1.0}).forest;
  const Forest zeros = with_payload(scores, std::vector<float>(data.schema.classes.size()));
  for (const RefinementLoss& loss : {RefinementLoss{}, RefinementLoss{HingeLoss{}}}) {
    RefineOptions options{.loss = loss, .cost = 0.5};
    const Forest a = refine(zeros, data.view(), options).forest;
    options.method = Refinement::add;
    const Forest b = refine(zeros, data.view(), options).forest;
    EXPECT_TRUE(test::same_bytes(a.arrays().payload, b.arrays().payload));
  }
}

// A cost near zero adds nothing but the mean of what is left.
TEST(Refine, ALowCostLeavesTheForestAsItIs) {
  const Dataset data = toy(ToyShape::friedman1, 400);
  const Forest forest = grown(data, 6);
  const Forest added =
      refine(forest, data.view(), {.method = Refinement::add, .cost = 1e-12}).forest;
  const Predictions before = Predictor(forest).predict(data.view());
  const Predictions after = Predictor(added).predict(data.view());
  double left = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    left += (data.targets[row] - before.mean[row]) / static_cast<double>(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row)
    EXPECT_NEAR(after.mean[row], before.mean[row] + left, 1e-3);
}

TEST(Refine, VarianceOfALeafIsItsMeanSquaredResidual) {
  const Dataset data = toy(ToyShape::friedman1, 300);
  const Forest forest = refine(grown(data, 3, 4), data.view(), {.cost = 1.0}).forest;
  const Predictor predictor(forest);
  const LeafIds ids = predictor.apply(data.view());
  const Predictions answers = predictor.predict(data.view());
  double sum = 0, count = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (ids.leaf(2, row) != 1) continue;
    sum += (data.targets[row] - answers.mean[row]) * (data.targets[row] - answers.mean[row]);
    ++count;
  }
  ASSERT_GT(count, 0);
  EXPECT_NEAR(forest.arrays().payload_of(forest.arrays().first_leaf(2) + 1)[1], sum / count,
              1e-3 * sum / count);
}

TEST(Refine, SameBitsForAnyNumberOfThreads) {
  for (const ToyShape shape : {ToyShape::friedman1, ToyShape::spirals}) {
    const Dataset data = toy(shape, 3000);
    const Forest forest = grown(data, 6);
    const auto bits = [&](std::size_t threads) {
      RunContext context;
      context.threads = threads;
      return bytes_of_model(refine(forest, data.view(), {}, context).forest);
    };
    const std::string alone = bits(1);
    for (const std::size_t threads : {2, 3, 8}) EXPECT_EQ(bits(threads), alone);
  }
}

TEST(Refine, WeightsCountLikeRows) {
  const Dataset once = toy(ToyShape::friedman1, 200);
  const Forest forest = grown(once, 4, 5);
  Dataset weighted = once, twice = once;
  weighted.weights.assign(200, 2);
  for (auto& column : twice.columns) {
    const std::vector<float> copy = column;
    column.insert(column.end(), copy.begin(), copy.end());
  }
  const std::vector<double> copy = twice.targets;
  twice.targets.insert(twice.targets.end(), copy.begin(), copy.end());
  twice.rows = 400;
  const RefineOptions options{.cost = 0.1, .validation_share = 0};
  const double a = refine(forest, weighted.view(), options).report.objective;
  const double b = refine(forest, twice.view(), options).report.objective;
  EXPECT_NEAR(a, b, 1e-3 * b);
}

TEST(Refine, FactsThatAreNoLongerTrueAreGone) {
  const Dataset data = toy(ToyShape::friedman1, 300);
  const Forest forest = grown(data, 4);
  ASSERT_TRUE(forest.info().facts.contains("oob_error"));
  const Forest refined = refine(forest, data.view(), {.cost = 0.25}).forest;
  EXPECT_FALSE(refined.info().facts.contains("oob_error"));
  EXPECT_EQ(refined.info().facts.at("refine_cost"), "0.25");
  EXPECT_EQ(refined.info().facts.at("refine_method"), "gr");
}

TEST(Refine, WhatWasRoundedIsWrittenInFullAgain) {
  const Dataset data = toy(ToyShape::friedman1, 300);
  const Forest rounded = with_precision(grown(data, 4), PayloadPrecision::half);
  const Forest refined = refine(rounded, data.view(), {.cost = 0.25}).forest;
  EXPECT_EQ(refined.info().precision, PayloadPrecision::full);
  bytes_of_model(refined);
}

TEST(Refine, RefusesWhatMakesNoSense) {
  const Dataset numbers = toy(ToyShape::friedman1, 100), classes = toy(ToyShape::spirals, 100);
  const Forest of_numbers = grown(numbers, 3), of_classes = grown(classes, 3);
  const auto kind = [](const Forest& forest, const Dataset& data, const RefineOptions& options) {
    try {
      refine(forest, data.view(), options);
    } catch (const Error& problem) {
      return problem.kind();
    }
    return ErrorKind::io;  // nothing was refused
  };
  constexpr auto option = ErrorKind::invalid_option, bad = ErrorKind::invalid_data;
  EXPECT_EQ(kind(of_numbers, numbers, {.loss = HingeLoss{}}), option);
  EXPECT_EQ(kind(of_classes, classes, {.loss = SquaredLoss{}}), option);
  EXPECT_EQ(kind(of_classes, classes, {.method = Refinement::add}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.cost = -1.0}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.validation_share = 1}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.validation_share = 0}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.validation_rows = {3, 3}}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.validation_rows = {100}}), option);
  EXPECT_EQ(kind(of_numbers, numbers, {.loss = AbsoluteLoss{-1}}), option);
  EXPECT_EQ(kind(of_numbers, classes, {}), bad);
  Dataset unknown = classes;
  unknown.labels[5] = kNoLabel;
  EXPECT_EQ(kind(of_classes, unknown, {}), bad);
}

TEST(Refine, WhatCannotBeRefinedIsNotGrown) {
  const Dataset classes = toy(ToyShape::spirals, 100);
  const auto refused_at_once = [&](auto&& train) {
    bool grew = false;
    const RunContext watched{.progress = [&](const Progress&) { grew = true; }};
    EXPECT_THROW(train(watched), Error);
    return !grew;
  };
  EXPECT_TRUE(refused_at_once([&](const RunContext& watched) {
    fit_and_refine(classes.view(), {}, {.method = Refinement::add, .cost = 1.0}, watched);
  }));
  EXPECT_TRUE(refused_at_once([&](const RunContext& watched) {
    fit_and_prune(classes.view(), {}, {.refine = {.loss = SquaredLoss{}}}, watched);
  }));
}

TEST(Refine, FitAndRefineChoosesItsCostOnUnseenRows) {
  const Dataset train = toy(ToyShape::friedman1, 600), test = toy(ToyShape::friedman1, 1000, 2);
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 20;
  options.growth.max_depth = 5;
  const RefinedFit found = fit_and_refine(train.view(), options, {});
  EXPECT_EQ(found.refinement.validation_rows, 120u);
  EXPECT_NEAR(found.refinement.error_after, rmse(found.fit.forest, test), 0.4);
  const FitResult plain = fit(train.view(), options);
  const Forest same =
      refine(plain.forest, train.view(), {.cost = found.refinement.cost, .validation_share = 0})
          .forest;
  EXPECT_TRUE(test::same_bytes(same.arrays().payload, found.fit.forest.arrays().payload));
}

}  // namespace
}  // namespace coppice
