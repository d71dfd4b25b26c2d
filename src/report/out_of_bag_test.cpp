// Out-of-bag estimates against fresh data, and against the definition.
#include "report/out_of_bag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/metrics.h"
#include "coppice/predict.h"
#include "coppice/toy_data.h"

namespace coppice {
namespace {

Dataset toy(ToyShape shape, std::size_t rows, std::uint64_t seed) {
  ToyOptions options;
  options.shape = shape;
  options.rows = rows;
  options.classes = 3;
  options.noise = shape == ToyShape::friedman1 ? 0.3 : 0.5;
  options.seed = seed;
  return generate(options);
}

FitOptions options_for(const Dataset& data) {
  FitOptions options;
  if (data.labels.empty()) options.task = Regression{};
  options.forest.trees = 150;
  options.report.leaf_ids = true;
  return options;
}

TEST(OutOfBag, MisclassificationIsCloseToThatOfFreshData) {
  const Dataset data = toy(ToyShape::blobs, 1500, 1), fresh = toy(ToyShape::blobs, 5000, 2);
  const FitResult result = fit(data.view(), options_for(data));
  const Predictor predictor(result.forest);
  const double fresh_error = class_metrics(predictor.predict(fresh.view()), fresh.labels).error;
  const double training_error = class_metrics(predictor.predict(data.view()), data.labels).error;
  ASSERT_TRUE(result.report.out_of_bag);
  EXPECT_GT(fresh_error, 0.05);  // else there is nothing to estimate
  EXPECT_NEAR(result.report.out_of_bag->error, fresh_error, 0.03);
  EXPECT_LT(training_error, fresh_error / 2);  // which the estimate does not fall for
}

TEST(OutOfBag, SquaredErrorIsCloseToThatOfFreshData) {
  const Dataset data = toy(ToyShape::friedman1, 1500, 1), fresh = toy(ToyShape::friedman1, 5000, 2);
  const FitResult result = fit(data.view(), options_for(data));
  const Predictions answers = Predictor(result.forest).predict(fresh.view());
  const double fresh_error = std::pow(regression_metrics(answers, fresh.targets).rmse, 2);
  ASSERT_TRUE(result.report.out_of_bag);
  EXPECT_NEAR(result.report.out_of_bag->error, fresh_error, 0.1 * fresh_error);
}

TEST(OutOfBag, IsTheMeanOfTheTreesThatDidNotSeeTheRow) {
  const Dataset data = toy(ToyShape::blobs, 200, 3);
  FitOptions options = options_for(data);
  options.forest.trees = 7;
  const FitResult result = fit(data.view(), options);
  const OutOfBag& estimate = *result.report.out_of_bag;
  const std::vector<float> by_tree = Predictor(result.forest).predict_per_tree(data.view());
  std::size_t covered = 0, wrong = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<double> sum(3);
    std::size_t votes = 0;
    for (std::size_t tree = 0; tree < 7; ++tree) {
      if (!result.report.leaf_ids.out_of_bag(tree, row)) continue;
      ++votes;
      for (std::size_t c = 0; c < 3; ++c) sum[c] += by_tree[(row * 7 + tree) * 3 + c];
    }
    EXPECT_EQ(estimate.votes[row], votes);
    std::size_t largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(estimate.mean[row * 3 + c], votes == 0 ? 0 : sum[c] / static_cast<double>(votes));
      if (sum[c] > sum[largest]) largest = c;
    }
    covered += votes > 0;
    wrong += votes > 0 && largest != data.labels[row];
  }
  EXPECT_EQ(estimate.rows_covered, covered);
  EXPECT_DOUBLE_EQ(estimate.error, static_cast<double>(wrong) / static_cast<double>(covered));
}

TEST(OutOfBag, NothingWithoutBagging) {
  const Dataset data = toy(ToyShape::blobs, 100, 3);
  FitOptions options = options_for(data);
  options.sampling.bagging = Bagging::none;
  EXPECT_FALSE(fit(data.view(), options).report.out_of_bag);
}

TEST(OutOfBag, RowsWithoutWeightDoNotCount) {
  Dataset data = toy(ToyShape::blobs, 300, 3);
  data.weights.assign(300, 1);
  for (std::size_t row = 0; row < 100; ++row) {
    data.weights[row] = 0;
    data.labels[row] = (data.labels[row] + 1) % 3;  // would all be wrong
  }
  const FitResult result = fit(data.view(), options_for(data));
  EXPECT_LE(result.report.out_of_bag->rows_covered, 200u);
  EXPECT_LT(result.report.out_of_bag->error, 0.4);
}

TEST(OutOfBag, IsWrittenIntoTheModel) {
  const Dataset data = toy(ToyShape::blobs, 300, 3);
  const FitResult result = fit(data.view(), options_for(data));
  EXPECT_EQ(std::stod(result.forest.info().facts.at("oob_error")), result.report.out_of_bag->error);
}

}  // namespace
}  // namespace coppice
