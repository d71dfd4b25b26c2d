// A model file depends on data, options and seed: not on threads, order of growth, or the time.
#include <gtest/gtest.h>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"
#include "tests/property/more_cases.h"

namespace coppice {
namespace {

using test::TaskCase;

class Determinism : public testing::TestWithParam<TaskCase> {
 protected:
  FitOptions reported_options() const {
    FitOptions options = GetParam().options(7, 9);
    options.report.permutation_importance = options.report.unbiased_importance =
        !GetParam().trees_add_up();
    return options;
  }
  test::ModelFile trained(const Dataset& data, const FitOptions& options,
                          std::size_t threads) const {
    return test::model_bytes(fit(data.view(), options, {.threads = threads}).forest);
  }
};

TEST_P(Determinism, ThreadsDoNotMatter) {
  const Dataset data = GetParam().data(3, 150);
  const FitOptions options = reported_options();
  const test::ModelFile one = trained(data, options, 1);
  for (const std::size_t threads : {1, 2, 3, 8}) EXPECT_EQ(one, trained(data, options, threads));
}

TEST_P(Determinism, OrderOfGrowthDoesNotMatter) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset data = GetParam().data(seed, 90);
    FitOptions options = reported_options();
    options.growth.order = GrowthOrder::depth_first;
    const FitResult depth_first = fit(data.view(), options);
    options.growth.order = GrowthOrder::breadth_first;
    const FitResult breadth_first = fit(data.view(), options);
    EXPECT_EQ(test::model_bytes(depth_first.forest), test::model_bytes(breadth_first.forest));
  }
}

TEST_P(Determinism, ReportsDoNotChangeTrees) {
  const Dataset data = GetParam().data(4, 90);
  FitOptions silent = GetParam().options(7, 9);
  silent.report.out_of_bag = false;
  test::expect_same_trees(fit(data.view(), silent).forest,
                          fit(data.view(), reported_options()).forest);
}

TEST_P(Determinism, OutOfBagEstimatesDoNotDependOnThreads) {
  const Dataset data = GetParam().data(5, 200);
  const FitResult one = fit(data.view(), GetParam().options(7, 9), {.threads = 1});
  const FitResult three = fit(data.view(), GetParam().options(7, 9), {.threads = 3});
  if (GetParam().trees_add_up()) GTEST_SKIP() << "a tree alone says nothing";
  ASSERT_TRUE(one.report.out_of_bag && three.report.out_of_bag);
  EXPECT_EQ(one.report.out_of_bag->error, three.report.out_of_bag->error);
  EXPECT_EQ(one.report.out_of_bag->mean, three.report.out_of_bag->mean);
  EXPECT_EQ(one.report.out_of_bag->votes, three.report.out_of_bag->votes);
}

TEST_P(Determinism, FilesGiveBackTheSameModel) {
  const Dataset data = GetParam().data(6, 120);
  const Forest forest = fit(data.view(), reported_options()).forest;
  const test::TestFolder folder;
  const std::string path = folder.file("model.coppice");
  forest.save(path);
  const Forest loaded = Forest::load(path);
  EXPECT_EQ(test::model_bytes(loaded), test::model_bytes(forest));
  forest.save_json(path + ".json");
  EXPECT_EQ(test::model_bytes(Forest::load_json(path + ".json")), test::model_bytes(forest));
  const Predictions before = Predictor(forest).predict(data.view());
  const Predictions after = Predictor(loaded).predict(data.view());
  EXPECT_EQ(before.mean, after.mean);
  EXPECT_EQ(before.variance, after.variance);
}

INSTANTIATE_TEST_SUITE_P(Table, Determinism, testing::ValuesIn(test::task_cases()), test::kByName);
INSTANTIATE_TEST_SUITE_P(Methods, Determinism, testing::ValuesIn(test::staged_cases()),
                         test::kByName);
INSTANTIATE_TEST_SUITE_P(Leaves, Determinism, testing::ValuesIn(test::leaf_kind_cases()),
                         test::kByName);

}  // namespace
}  // namespace coppice
