// Data on which a careless forest fails although the rule in them is plain.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random_stream.h"
#include "coppice/coppice.h"

namespace coppice {
namespace {

// Columns x1, x2 ... uniform in [0, 1).
Dataset uniform_columns(std::size_t rows, std::size_t columns) {
  Dataset data;
  data.rows = rows;
  data.columns.resize(columns);
  RandomStream random(7);
  for (std::size_t f = 0; f < columns; ++f) {
    data.schema.features.push_back({.name = "x" + std::to_string(f + 1)});
    for (std::size_t row = 0; row < rows; ++row)
      data.columns[f].push_back(static_cast<float>(random.uniform()));
  }
  return data;
}

void label_by_first_column(Dataset& data, float threshold) {
  data.schema.targets = {"label"};
  data.schema.classes = {"no", "yes"};
  for (const float x : data.columns[0]) data.labels.push_back(x > threshold);
}

double r2_of_own_rows(const Dataset& data, const FitResult& trained, std::size_t target) {
  const Predictions answers = Predictor(trained.forest).predict(data.view());
  return regression_metrics(answers, data.targets).r2_per_target[target];
}

TEST(HardData, ConstantColumnsHideNothing) {
  Dataset data = uniform_columns(2000, 1);
  for (int i = 0; i < 99; ++i) {
    data.schema.features.push_back({.name = "zero" + std::to_string(i)});
    data.columns.emplace_back(data.rows, 0.0f);
  }
  label_by_first_column(data, 0.8f);
  EXPECT_LT(fit(data.view(), {}).report.out_of_bag->error, 0.005);
}

TEST(HardData, AlmostConstantColumnsHideLittle) {
  Dataset data = uniform_columns(2000, 1);
  for (std::size_t i = 0; i < 99; ++i) {
    data.schema.features.push_back({.name = "rare" + std::to_string(i)});
    data.columns.emplace_back(data.rows, 0.0f);
    data.columns.back()[i] = 1;
  }
  label_by_first_column(data, 0.8f);
  EXPECT_LT(fit(data.view(), {}).report.out_of_bag->error, 0.02);
}

TEST(HardData, TargetsOfDifferentScaleAreAllLearnt) {
  Dataset data = uniform_columns(500, 2);
  data.schema.targets = {"huge", "small"};
  for (std::size_t row = 0; row < data.rows; ++row) {
    data.targets.push_back(1e10 * data.columns[0][row]);
    data.targets.push_back(data.columns[1][row]);
  }
  FitOptions options;
  options.task = Regression{};
  options.split.max_features = AllFeatures{};
  EXPECT_GT(r2_of_own_rows(data, fit(data.view(), options), 0), 0.95);
  // The huge target decides all splits as long as it has any variance; the leaves are exact.
  options.sampling.bagging = Bagging::none;
  EXPECT_GT(r2_of_own_rows(data, fit(data.view(), options), 1), 0.999);
}

TEST(HardData, AnOutlierDoesNotFlattenTheRest) {
  Dataset data = uniform_columns(1000, 1);
  data.schema.targets = {"y"};
  data.targets.assign(data.columns[0].begin(), data.columns[0].end());
  data.targets[0] = 1e10;
  FitOptions options;
  options.task = Regression{};
  options.sampling.bagging = Bagging::none;
  const FitResult trained = fit(data.view(), options);
  const Predictions answers = Predictor(trained.forest).predict(data.view());
  for (std::size_t row = 1; row < data.rows; ++row)
    ASSERT_NEAR(answers.mean[row], data.targets[row], 0.01);
}

TEST(HardData, PureSubsetsDoNotEndANode) {
  Dataset data = uniform_columns(5000, 1);
  label_by_first_column(data, 0.99f);
  FitOptions options;
  options.split.max_node_samples = 20;
  EXPECT_LT(fit(data.view(), options).report.out_of_bag->error, 0.003);
}

TEST(HardData, ImportancesThatNeedOutOfBagRowsAreRefusedWithoutThem) {
  Dataset data = uniform_columns(20, 1);
  label_by_first_column(data, 0.5f);
  FitOptions options;
  options.sampling.bagging = Bagging::none;
  options.report.permutation_importance = true;
  EXPECT_THROW(fit(data.view(), options), Error);
}

}  // namespace
}  // namespace coppice
