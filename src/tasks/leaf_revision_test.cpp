// Refinement between levels against refinement afterwards, and against the condition of a minimum.
#include "tasks/leaf_revision.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "coppice/fit.h"
#include "coppice/metrics.h"
#include "coppice/predict.h"
#include "coppice/refine.h"
#include "tasks/test_toys.h"

namespace coppice {
namespace {

constexpr double kCost = 0.03;

using test::toy;

FitOptions options_for(const TaskChoice& task, const MethodChoice& method, std::uint32_t depth) {
  FitOptions options;
  options.task = task;
  choose_method(options, method);
  options.forest.trees = 12;
  options.growth.max_depth = depth;
  options.sampling.bagging = Bagging::none;
  options.report.leaf_ids = true;
  return options;
}

// With one level there is nothing in between.
TEST(LeafRevision, OneLevelIsAnAlternatingForestRefinedAfterwards) {
  const Dataset data = toy(ToyShape::friedman1, 500);
  const Forest plain = fit(data.view(), options_for(Regression{}, AlternatingForest{}, 1)).forest;
  RefineOptions added{.method = Refinement::add, .cost = kCost, .validation_share = 0};
  const Forest afterwards = refine(plain, data.view(), added).forest;
  const Forest between =
      fit(data.view(), options_for(Regression{}, IntermediateRefinement{1, kCost}, 1)).forest;
  ASSERT_EQ(between.arrays().leaves(), afterwards.arrays().leaves());
  for (std::size_t leaf = 0; leaf < between.arrays().leaves(); ++leaf)
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(between.arrays().payload_of(leaf)[k], afterwards.arrays().payload_of(leaf)[k],
                  2e-3 * std::abs(afterwards.arrays().payload_of(leaf)[k]));
}

// At the minimum the derivative is 0: W = C sum over the leaf's rows of (y - p).
TEST(LeafRevision, ScoresMeetTheConditionOfAMinimum) {
  const Dataset data = toy(ToyShape::spirals, 300);
  const std::size_t classes = data.schema.classes.size();
  const FitResult result =
      fit(data.view(), options_for(Classification{}, IntermediateRefinement{1, kCost}, 1));
  const ForestArrays& arrays = result.forest.arrays();
  const Predictions answers = Predictor(result.forest).predict(data.view());
  std::vector<double> shares(classes);
  for (const std::uint32_t label : data.labels) shares[label] += 1.0 / double(data.rows);

  for (std::size_t leaf = 0; leaf < arrays.leaves(); ++leaf) {
    const std::size_t tree = leaf / 2;  // one split each
    for (std::size_t k = 0; k < classes; ++k) {
      double gradient = 0, slope = 0, rows = 0;
      for (std::size_t row = 0; row < data.rows; ++row) {
        if (result.report.leaf_ids.leaf(tree, row) != leaf % 2) continue;
        const double truth = data.labels[row] == k ? 1 : 0;
        gradient += truth - answers.mean[row * classes + k];
        slope += truth - shares[k];
        ++rows;
      }
      const double share = double(classes - 1) / double(classes) / double(arrays.trees());
      const double local = share * slope / (rows * shares[k] * (1 - shares[k]) + 1);
      const double first = tree == 0 ? std::log(shares[k]) : 0;
      EXPECT_NEAR(double{arrays.payload_of(leaf)[k]} - first - local, kCost * gradient, 0.01);
    }
  }
}

TEST(LeafRevision, ShallowForestsFitBetterThanAlternatingOnes) {
  const Dataset train = toy(ToyShape::friedman1, 1000), test = toy(ToyShape::friedman1, 1000, 2);
  const auto error = [&](const MethodChoice& method) {
    const Forest forest = fit(train.view(), options_for(Regression{}, method, 3)).forest;
    return regression_metrics(Predictor(forest).predict(test.view()), test.targets).rmse;
  };
  EXPECT_LT(error(IntermediateRefinement{}), 0.95 * error(AlternatingForest{}));
}

// A stop between two levels leaves a forest of all trees that can be used.
TEST(LeafRevision, LevelsThatWereStoppedAreKept) {
  const Dataset data = toy(ToyShape::friedman1, 2000);
  for (const MethodChoice& method :
       {MethodChoice(AlternatingForest{}), MethodChoice(IntermediateRefinement{})}) {
    FitOptions options = options_for(Regression{}, method, 20);
    options.report.out_of_bag = false;
    std::atomic<int> asked = 0;
    RunContext context{.threads = 1};
    context.cancelled = [&] { return ++asked > 400; };
    const FitResult result = fit(data.view(), options, context);
    EXPECT_TRUE(result.report.cancelled);
    EXPECT_EQ(result.report.trees, 12u);
    EXPECT_GT(regression_metrics(Predictor(result.forest).predict(data.view()), data.targets).r2,
              0.3);
  }
}

}  // namespace
}  // namespace coppice
