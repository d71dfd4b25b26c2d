// Costs that are compared by cross-validation.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "coppice/error.h"
#include "refine/prepared.h"
#include "refine/test_grown.h"

namespace coppice {
namespace {

using test::grown;
using test::toy;

TEST(CostFolds, EveryRowIsInOneFold) {
  const auto folds = deal_folds(103, 4, 5);
  std::vector<std::uint32_t> all, expected(103);
  for (const auto& fold : folds) {
    EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
    EXPECT_NEAR(static_cast<double>(fold.size()), 103 / 4.0, 1);
    all.insert(all.end(), fold.begin(), fold.end());
  }
  std::sort(all.begin(), all.end());
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(all, expected);
}

TEST(CostFolds, MeansAreOfCostsThatAllHaveTried) {
  const std::vector<std::vector<CostTrial>> trials{{{1, 3}, {4, 1}, {16, 2}}, {{1, 4}, {4, 7}}};
  const std::vector<CostTrial> shares = mean_trials(trials, true),
                               roots = mean_trials(trials, false);
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[1].cost, 4);
  EXPECT_EQ(shares[1].error, 4);
  EXPECT_DOUBLE_EQ(roots[0].error, std::sqrt((9.0 + 16.0) / 2));
  EXPECT_EQ(best_trial(shares).cost, 1);
}

TEST(CostTrials, TheLossDecidesBetweenEqualErrors) {
  EXPECT_EQ(best_trial(std::vector<CostTrial>{{1, 0.1, 0.9}, {4, 0.1, 0.2}, {16, 0.1, 0.3}}).cost,
            4);
  EXPECT_EQ(best_trial(std::vector<CostTrial>{{1, 0.1, 0.9}, {4, 0.2, 0.2}}).cost, 1);
}

// The folds one by one, as validation rows that are given.
TEST(CostFolds, AreValidationRowsInTurn) {
  for (const ToyShape shape : {ToyShape::friedman1, ToyShape::spirals}) {
    const Dataset data = toy(shape, 400);
    const Forest forest = grown(data, 4);
    std::vector<std::vector<CostTrial>> trials;
    for (const auto& fold : deal_folds(data.rows, 3, 1))
      trials.push_back(
          refine(forest, data.view(), {.validation_rows = fold, .all_costs = true}).report.trials);
    const std::vector<CostTrial> expected = mean_trials(trials, !data.labels.empty());
    const RefineReport report =
        refine(forest, data.view(), {.validation_share = 0, .cost_folds = 3}).report;
    ASSERT_EQ(report.trials.size(), expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) {
      EXPECT_EQ(report.trials[n].cost, expected[n].cost);
      EXPECT_DOUBLE_EQ(report.trials[n].error, expected[n].error);
    }
    EXPECT_EQ(report.cost, best_trial(expected).cost);
    EXPECT_EQ(report.validation_rows, 0u);
    const RefineReport looked = refine(forest, data.view(), {.cost_folds = 3}).report;
    EXPECT_EQ(looked.validation_rows, 80u);
    EXPECT_GT(looked.error_after, 0);
  }
}

TEST(CostFolds, SharedOutAmongThreadsGiveTheSame) {
  const Dataset data = toy(ToyShape::spirals, 500);
  const Forest forest = grown(data, 6);
  const auto report_of = [&](std::size_t threads, std::vector<std::size_t>& done) {
    RunContext context{.threads = threads};
    context.progress = [&](const Progress& progress) { done.push_back(progress.done); };
    const RefineOptions options{.loss = HingeLoss{}, .cost_folds = 5};
    return refine(forest, data.view(), options, context).report;
  };
  std::vector<std::size_t> told_alone, told_together;
  const RefineReport alone = report_of(1, told_alone), together = report_of(3, told_together);
  EXPECT_EQ(told_alone, told_together);
  EXPECT_EQ(alone.cost, together.cost);
  ASSERT_EQ(alone.trials.size(), together.trials.size());
  for (std::size_t n = 0; n < alone.trials.size(); ++n)
    EXPECT_EQ(alone.trials[n].error, together.trials[n].error);
}

TEST(CostFolds, FitAndRefineGrowsAForestPerFold) {
  const Dataset data = toy(ToyShape::friedman1, 300);
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 10;
  options.growth.max_depth = 4;
  const RefinedFit fitted = fit_and_refine(data.view(), options, {.cost_folds = 3});
  EXPECT_EQ(fitted.refinement.validation_rows, 300u);
  EXPECT_EQ(fitted.refinement.cost, best_trial(fitted.refinement.trials).cost);
  EXPECT_LT(fitted.refinement.error_after, fitted.refinement.error_before);
}

TEST(CostFolds, RefusesOneFoldAndMoreThanRows) {
  const Dataset data = toy(ToyShape::friedman1, 50);
  const Forest forest = grown(data, 3);
  EXPECT_THROW(refine(forest, data.view(), {.cost_folds = 1}), Error);
  EXPECT_THROW(refine(forest, data.view(), {.cost_folds = 51}), Error);
}

}  // namespace
}  // namespace coppice
