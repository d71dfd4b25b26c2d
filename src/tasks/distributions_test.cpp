// Predictive distributions of whole forests: coverage, multi-modal answers, refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/coppice.h"

namespace coppice {
namespace {

Dataset friedman(std::size_t rows, std::uint64_t seed) {
  return generate({.shape = ToyShape::friedman1, .rows = rows, .noise = 0.4, .seed = seed});
}

FitOptions calibrated(const Regression& task) {
  FitOptions options;
  options.task = task;
  options.report.calibration = true;
  return options;
}

double coverage(const Dataset& data, const Distributions& found) {
  double within = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    within += data.targets[row] >= found.lower[row] && data.targets[row] <= found.upper[row];
  return within / static_cast<double>(data.rows);
}

// Four binomial deviations of 3000 rows are 2.2 %, those of 1500 calibrating ones as much again.
TEST(Distributions, IntervalsHoldWhatTheyPromise) {
  const Dataset data = friedman(1500, 1), fresh = friedman(3000, 2);
  Regression quantiles;
  quantiles.leaf = QuantileLeaf{};
  for (const Regression& task : {Regression{}, quantiles}) {
    const FitResult fitted = fit(data.view(), calibrated(task));
    EXPECT_NEAR(fitted.report.interval_coverage.value(), 0.9, 0.03);
    const Predictor predictor(fitted.forest);
    for (const double level : {0.5, 0.9}) {
      const Distributions found = predictor.distributions(fresh.view(), {.interval = level});
      EXPECT_NEAR(coverage(fresh, found), level, 0.035) << level;
    }
  }
}

// y = 0 or 10 by the toss of a coin: no tree can know.
TEST(Distributions, AmbiguousDataHaveTwoModes) {
  Dataset data;
  data.rows = 400;
  data.schema.features = {{"x", FeatureKind::numeric}};
  data.schema.targets = {"y"};
  data.columns.resize(1);
  for (std::size_t row = 0; row < data.rows; ++row) {
    data.columns[0].push_back(static_cast<float>(row));
    data.targets.push_back((row * 2654435761u >> 7) % 3 == 0 ? 0 : 10);
  }
  FitOptions options;
  Regression task;
  task.leaf = QuantileLeaf{};
  options.task = task;
  options.growth.min_samples_leaf = 30;
  const FitResult fitted = fit(data.view(), options);
  const Distributions found =
      Predictor(fitted.forest)
          .distributions(data.view(),
                         {.quantiles = {0.1, 0.9}, .density_at = {0, 5, 10}, .mode = true});
  std::size_t two = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double* density = &found.density[3 * row];
    two += density[0] > density[1] && density[2] > density[1];
    EXPECT_LE(found.quantiles[2 * row], found.quantiles[2 * row + 1]);
  }
  EXPECT_GT(two, data.rows * 9 / 10);
  EXPECT_EQ(found.mode.size(), data.rows);
}

TEST(Distributions, DoNotDependOnThreadsAndSurviveTheFile) {
  const Dataset data = friedman(200, 3);
  Regression task;
  task.leaf = ProbabilisticLinearLeaf{};
  FitOptions options = calibrated(task);
  options.growth.min_samples_leaf = 10;
  const FitResult fitted = fit(data.view(), options);
  const std::string path = testing::TempDir() + "distributions.coppice";
  fitted.forest.save(path);
  const Forest loaded = Forest::load(path);
  EXPECT_EQ(loaded.info().calibration, fitted.forest.info().calibration);
  const DistributionQuery query{
      .quantiles = {0.25, 0.5}, .interval = 0.8, .density_at = {10}, .mode = true};
  const Distributions one =
      Predictor(fitted.forest).distributions(data.view(), query, {.threads = 1});
  const Distributions two = Predictor(loaded).distributions(data.view(), query, {.threads = 2});
  EXPECT_EQ(one.quantiles, two.quantiles);
  EXPECT_EQ(one.lower, two.lower);
  EXPECT_EQ(one.density, two.density);
  EXPECT_EQ(one.mode, two.mode);
}

TEST(Distributions, SenselessQuestionsAreRefused) {
  const Dataset numbers = friedman(50, 4);
  FitOptions options;
  options.task = Regression{};
  const FitResult fitted = fit(numbers.view(), options);
  const Predictor predictor(fitted.forest);
  EXPECT_THROW(predictor.distributions(numbers.view(), {.interval = 0.9}), Error);
  EXPECT_THROW(predictor.distributions(numbers.view(), {.quantiles = {1.5}}), Error);
  EXPECT_THROW(predictor.distributions(numbers.view(), {.density_at = {NAN}}), Error);
  const Dataset classes = generate({.shape = ToyShape::blobs, .rows = 50});
  const FitResult classifier = fit(classes.view(), {});
  EXPECT_THROW(Predictor(classifier.forest).distributions(classes.view(), {.mode = true}), Error);
}

// All trees grow the same whatever the ensemble; the product is sharper than the mean.
TEST(Ensembles, TheProductIsSharperThanTheMean) {
  const Dataset data =
      generate({.shape = ToyShape::blobs, .rows = 300, .classes = 3, .noise = 0.6});
  FitOptions options;
  Classification task;
  task.leaf.prior = 1;
  options.task = task;
  options.forest.trees = 20;
  options.growth.min_samples_leaf = 5;
  double total[4] = {};
  for (const Ensemble ensemble :
       {Ensemble::mean, Ensemble::product, Ensemble::vote, Ensemble::confidence}) {
    options.forest.ensemble = ensemble;
    const FitResult fitted = fit(data.view(), options);
    const Predictions answers = Predictor(fitted.forest).predict(data.view());
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto posterior = std::span(answers.mean).subspan(row * 3, 3);
      EXPECT_NEAR(posterior[0] + posterior[1] + posterior[2], 1, 1e-6);
      total[static_cast<int>(ensemble)] += entropy(posterior);
    }
  }
  EXPECT_LT(total[1], 0.5 * total[0]);
  EXPECT_LT(total[3], total[0]);
}

}  // namespace
}  // namespace coppice
