// A compact forest fits, is better than chance, and survives its file.
#include "coppice/compact.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "coppice/coppice.h"
#include "coppice/toy_data.h"
#include "data/test_file.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

class Compact : public testing::TestWithParam<ToyShape> {};

TEST_P(Compact, FitsAndStillKnows) {
  const Dataset data = generate({.shape = GetParam(), .rows = 600, .classes = 3, .noise = 0.05});
  const Dataset fresh =
      generate({.shape = GetParam(), .rows = 400, .classes = 3, .noise = 0.05, .seed = 2});
  FitOptions options;
  options.forest.trees = 8;
  if (data.labels.empty()) options.task = Regression{};
  const Forest forest = fit(data.view(), options).forest;
  const TestFile file("compact.coppice", "");
  for (const FileForm form : {FileForm::mapped, FileForm::compressed})
    for (const std::size_t most : {std::size_t{12000}, std::size_t{5000}}) {
      const CompactResult result = compact(
          forest, data.view(), {.max_model_bytes = most, .form = form, .refine = {.cost = 0.05}});
      EXPECT_EQ(result.before_rounding.info().precision, PayloadPrecision::full);
      test::expect_same_forest(
          result.forest, with_precision(result.before_rounding, result.forest.info().precision));
      result.forest.save(file.path(), form);
      EXPECT_LE(std::filesystem::file_size(file.path()), most);
      const Forest loaded = Forest::load(file.path());
      const Predictions answers = Predictor(loaded).predict(fresh.view());
      if (data.labels.empty()) {
        EXPECT_GT(regression_metrics(answers, fresh.targets).r2, 0.5);
      } else {
        EXPECT_GT(class_metrics(answers, fresh.labels).accuracy, 0.9);
      }
      for (std::size_t n = 1; n < result.frontier.size(); ++n) {
        EXPECT_GT(result.frontier[n].bytes, result.frontier[n - 1].bytes);
        EXPECT_LT(result.frontier[n].error, result.frontier[n - 1].error);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Compact, testing::Values(ToyShape::spirals, ToyShape::friedman1));

TEST(Compact, WhatCannotFitIsRefused) {
  const Dataset data = generate({.shape = ToyShape::spirals, .rows = 200});
  const Forest forest = fit(data.view(), FitOptions{}).forest;
  EXPECT_THROW(compact(forest, data.view(), {.max_model_bytes = 300}), Error);
}

}  // namespace
}  // namespace coppice
