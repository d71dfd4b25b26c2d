// Against cases small enough to be worked out by hand.
#include "coppice/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/error.h"

namespace coppice {
namespace {

using Labels = std::vector<std::uint32_t>;
using Counts = std::vector<std::size_t>;

// Five rows of three classes; the third class never occurs but is predicted once.
Predictions five_rows() {
  Predictions predictions;
  predictions.rows = 5;
  predictions.outputs = 3;
  predictions.mean = {0.75, 0.25, 0,     // predicted 0
                      0.5,  0.25, 0.25,  // 0
                      0.25, 0.5,  0.25,  // 1
                      0,    0.25, 0.75,  // 2
                      1,    0,    0};    // 0
  predictions.labels = {0, 0, 1, 2, 0};
  return predictions;
}
const Labels kTruth = {0, 1, 1, 0, 1};

TEST(ClassMetrics, FiveRowsByHand) {
  const ClassMetrics metrics = class_metrics(five_rows(), kTruth);
  EXPECT_EQ(metrics.confusion, (Counts{1, 0, 1, 2, 1, 0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(metrics.accuracy, 2.0 / 5);
  EXPECT_DOUBLE_EQ(metrics.error, 3.0 / 5);
  EXPECT_DOUBLE_EQ(metrics.balanced_accuracy, (1.0 / 2 + 1.0 / 3) / 2);
  // Probabilities of the truth: 3/4, 1/4, 1/2, 0 (clipped), 0 (clipped).
  const double sum = std::log(0.75) + std::log(0.25) + std::log(0.5) + 2 * std::log(1e-15);
  EXPECT_NEAR(metrics.log_loss, -sum / 5, 1e-13);
  // Sums of squares in sixteenths: 1+1, 4+9+1, 1+4+1, 16+1+9, 16+16.
  EXPECT_DOUBLE_EQ(metrics.brier, (2 + 14 + 6 + 26 + 32) / 16.0 / 5);
}

TEST(ClassMetrics, RatesPerClassByHand) {
  const ClassMetrics metrics = class_metrics(five_rows(), kTruth);
  EXPECT_EQ(metrics.precision, (std::vector<double>{1.0 / 3, 1, 0}));
  EXPECT_EQ(metrics.recall, (std::vector<double>{1.0 / 2, 1.0 / 3, 0}));
  EXPECT_EQ(metrics.f1, (std::vector<double>{2.0 / 5, 2.0 / 4, 0}));
}

TEST(ClassMetrics, WeightsActAsRepeatedRows) {
  const std::vector<float> weights = {2, 1, 0, 3, 1};
  const ClassMetrics metrics = class_metrics(five_rows(), kTruth, weights);
  // Weight 7 in all; only the first row, of weight 2, is right.
  EXPECT_DOUBLE_EQ(metrics.accuracy, 2.0 / 7);
  EXPECT_DOUBLE_EQ(metrics.balanced_accuracy, (2.0 / 5 + 0) / 2);
  EXPECT_DOUBLE_EQ(metrics.brier, (2 * 2 + 14 + 3 * 26 + 32) / 16.0 / 7);
  EXPECT_EQ(metrics.precision, (std::vector<double>{2.0 / 4, 0, 0}));
  // Rows, not weights.
  EXPECT_EQ(metrics.confusion, (Counts{1, 0, 1, 2, 1, 0, 0, 0, 0}));
}

TEST(ClassMetrics, PerfectPredictions) {
  Predictions predictions;
  predictions.rows = predictions.outputs = 2;
  predictions.mean = {1, 0, 0, 1};
  predictions.labels = {0, 1};
  const ClassMetrics metrics = class_metrics(predictions, Labels{0, 1});
  EXPECT_EQ(metrics.accuracy, 1);
  EXPECT_EQ(metrics.error, 0);
  EXPECT_EQ(metrics.log_loss, 0);
  EXPECT_EQ(metrics.brier, 0);
  EXPECT_EQ(metrics.balanced_accuracy, 1);
}

TEST(ClassMetrics, RefusesWhatCannotBeEvaluated) {
  EXPECT_THROW(class_metrics(Predictions{}, Labels{}), Error);
  EXPECT_THROW(class_metrics(five_rows(), Labels{0, 1}), Error);
  EXPECT_THROW(class_metrics(five_rows(), Labels{0, 1, 1, kNoLabel, 1}), Error);
  EXPECT_THROW(class_metrics(five_rows(), kTruth, std::vector<float>(5, 0.0f)), Error);
  EXPECT_THROW(class_metrics(five_rows(), kTruth, std::vector<float>(4, 1.0f)), Error);
}

// Two targets: errors 1, -1, 3, 1 and 0, 0, 2, 0.
Predictions four_rows() {
  Predictions predictions;
  predictions.rows = 4;
  predictions.outputs = 2;
  predictions.mean = {2, 5, 1, 5, 6, 7, 5, 9};
  return predictions;
}
const std::vector<double> kTargets = {1, 5, 2, 5, 3, 5, 4, 9};

TEST(RegressionMetrics, TwoTargetsByHand) {
  const RegressionMetrics metrics = regression_metrics(four_rows(), kTargets);
  EXPECT_DOUBLE_EQ(metrics.rmse_per_target.at(0), std::sqrt(12.0 / 4));
  EXPECT_DOUBLE_EQ(metrics.rmse_per_target.at(1), std::sqrt(4.0 / 4));
  EXPECT_DOUBLE_EQ(metrics.rmse, std::sqrt(16.0 / 8));
  EXPECT_DOUBLE_EQ(metrics.mae, 8.0 / 8);
  // Squared deviations: 1, 2, 3, 4 from 2.5 make 5; 5, 5, 5, 9 from 6 make 12.
  EXPECT_DOUBLE_EQ(metrics.r2_per_target.at(0), 1 - 12.0 / 5);
  EXPECT_DOUBLE_EQ(metrics.r2_per_target.at(1), 1 - 4.0 / 12);
  EXPECT_DOUBLE_EQ(metrics.r2, 1 - 16.0 / 17);
}

TEST(RegressionMetrics, WeightsActAsRepeatedRows) {
  const std::vector<float> weights = {1, 0, 1, 2};
  const RegressionMetrics metrics = regression_metrics(four_rows(), kTargets, weights);
  EXPECT_DOUBLE_EQ(metrics.rmse_per_target.at(0), std::sqrt((1 + 9 + 2 * 1) / 4.0));
  EXPECT_DOUBLE_EQ(metrics.mae, (1 + 3 + 2 * 1 + 2) / 8.0);
  // 1, 3, 4, 4 have mean 3 and squared deviations 4 + 0 + 1 + 1.
  EXPECT_DOUBLE_EQ(metrics.r2_per_target.at(0), 1 - 12.0 / 6);
}

TEST(RegressionMetrics, ConstantTarget) {
  Predictions predictions;
  predictions.rows = 2;
  predictions.outputs = 1;
  predictions.mean = {3, 3};
  EXPECT_EQ(regression_metrics(predictions, std::vector<double>{3, 3}).r2, 1);
  EXPECT_EQ(regression_metrics(predictions, std::vector<double>{4, 4}).r2, 0);
}

TEST(RegressionMetrics, RefusesWhatCannotBeEvaluated) {
  EXPECT_THROW(regression_metrics(Predictions{}, std::vector<double>{}), Error);
  EXPECT_THROW(regression_metrics(four_rows(), std::vector<double>{1, 2, 3, 4}), Error);
}

}  // namespace
}  // namespace coppice
