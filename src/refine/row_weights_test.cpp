// What weights of rows and classes do to refinement, and what validation rows give away.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coppice/compact.h"
#include "coppice/error.h"
#include "coppice/predict.h"
#include "coppice/refine.h"
#include "data/row_selection.h"
#include "model/test_forests.h"
#include "refine/test_grown.h"

namespace coppice {
namespace {

using test::grown;
using test::toy;

std::size_t answers_of(const Forest& forest, const Dataset& data, std::uint32_t label) {
  const Predictions answers = Predictor(forest).predict(data.view());
  return static_cast<std::size_t>(std::count(answers.labels.begin(), answers.labels.end(), label));
}

FitOptions shallow() {
  FitOptions options;
  options.forest.trees = 10;
  options.growth.max_depth = 3;
  return options;
}

TEST(RefineWeights, ClassWeightsCountLikeThoseOfRows) {
  const Dataset data = toy(ToyShape::spirals, 600);
  Dataset heavy = data;
  for (const std::uint32_t label : data.labels) heavy.weights.push_back(label == 1 ? 8.0f : 1.0f);
  FitOptions by_class = shallow();
  Classification task;
  task.class_weights = GivenClassWeights{{{data.schema.classes[1], 8}}};
  by_class.task = task;
  const RefineOptions options{.cost = 0.1};
  const Forest expected = fit_and_refine(heavy.view(), shallow(), options).fit.forest;
  const Forest found = fit_and_refine(data.view(), by_class, options).fit.forest;
  const Forest plain = fit_and_refine(data.view(), shallow(), options).fit.forest;
  EXPECT_TRUE(test::same_bytes(found.arrays().payload, expected.arrays().payload));
  EXPECT_GT(answers_of(found, data, 1), answers_of(plain, data, 1));
}

TEST(RefineWeights, TheirUnitDoesNotMatterToCostsThatAreChosen) {
  for (const ToyShape shape : {ToyShape::friedman1, ToyShape::spirals}) {
    const Dataset data = toy(shape, 500);
    const Forest forest = grown(data, 5);
    Dataset light = data;
    light.weights.assign(data.rows, 0x1p-12f);
    const RefineReport usual = refine(forest, data.view()).report;
    const RefineReport found = refine(forest, light.view()).report;
    EXPECT_DOUBLE_EQ(found.cost, usual.cost * 0x1p12);
    EXPECT_NEAR(found.error_after, usual.error_after, 0.01 * usual.error_after);
  }
}

TEST(RefineWeights, ValidationRowsMustWeighSomething) {
  Dataset data = toy(ToyShape::friedman1, 100);
  const Forest forest = grown(data, 3);
  data.weights.assign(data.rows, 1);
  std::vector<std::uint32_t> last;
  for (std::uint32_t row = 80; row < 100; ++row) last.push_back(row), data.weights[row] = 0;
  EXPECT_THROW(refine(forest, data.view(), {.validation_rows = last}), Error);
  EXPECT_THROW(prune(forest, data.view(), {.refine = {.validation_rows = last}}), Error);
}

TEST(ValidationRows, TellNothingOfTheirTargets) {
  Dataset data = toy(ToyShape::friedman1, 400);
  const Forest forest = grown(data, 5);
  std::vector<std::uint32_t> first, last;
  for (std::uint32_t row = 0; row < data.rows; ++row) (row < 300 ? first : last).push_back(row);
  for (const std::uint32_t row : last) data.targets[row] += 20;
  const PruneResult pruned = prune(
      forest, data.view(), {.refine = {.cost = 0.01, .validation_rows = last}, .most_rounds = 1});
  const Forest alone =
      refine(forest, rows_of(data.view(), first).view(), {.cost = 0.01, .validation_share = 0})
          .forest;
  const Predictions answers = Predictor(alone).predict(data.view());
  double squares = 0;
  for (const std::uint32_t row : last)
    squares +=
        std::pow(data.targets[row] - answers.mean[row], 2) / static_cast<double>(last.size());
  EXPECT_NEAR(pruned.steps.front().error, std::sqrt(squares), 1e-3);
}

TEST(ManyCosts, AreSolvedToTheEnd) {
  const Dataset data = toy(ToyShape::spirals, 300);
  const Forest forest = grown(data, 6);
  for (const RefinementLoss loss : {RefinementLoss{LogisticLoss{}}, RefinementLoss{HingeLoss{}}}) {
    // What solves the problem of a cost is worth at most ten times as much at ten times the cost.
    double last = INFINITY;
    for (const double cost : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5}) {
      const RefineReport found =
          refine(forest, data.view(), {.loss = loss, .cost = cost, .validation_share = 0}).report;
      EXPECT_TRUE(found.converged || cost > 100) << cost;
      EXPECT_TRUE(!found.converged || found.objective <= 10.5 * last) << cost;
      last = found.objective;
    }
  }
  EXPECT_THROW(refine(forest, data.view(), {.cost = 1e9}), Error);
}

TEST(CompactReport, ErrorBeforeIsThatOfTheWholeForest) {
  const Dataset data = toy(ToyShape::spirals, 500);
  const Forest forest = grown(data, 12);
  const auto error_before = [&](std::size_t bytes) {
    return compact(forest, data.view(), {.max_model_bytes = bytes, .refine = {.cost = 0.1}})
        .error_before;
  };
  EXPECT_EQ(error_before(4000), error_before(40000));
}

}  // namespace
}  // namespace coppice
