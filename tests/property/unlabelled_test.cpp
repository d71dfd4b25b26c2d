// What the tables promise of forests with targets, of those without, or with few: densities,
// manifolds, semi-supervised forests.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "coppice/density.h"
#include "coppice/embedding.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "coppice/semi_supervised.h"
#include "tests/property/forest_checks.h"
#include "tests/property/random_data.h"

namespace coppice {
namespace {

struct UnlabelledCase {
  std::string name;
  std::function<Dataset(std::uint64_t seed)> data;
  std::function<FitOptions()> options;
};

void PrintTo(const UnlabelledCase& row, std::ostream* out) { *out << row.name; }

Dataset points(std::uint64_t seed, test::DataShape shape) {
  shape.rows = 120;
  return test::random_dataset(RandomStream(seed), shape);
}

constexpr test::DataShape kNumbers{.numeric = 3, .categorical = 0, .missing = false};

Dataset with_few_labels(std::uint64_t seed, test::DataShape shape) {
  Dataset data = points(seed, shape);
  for (std::size_t i = 20; i < data.labels.size(); ++i) data.labels[i] = kNoLabel;
  for (std::size_t i = 20; i < data.targets.size(); ++i) data.targets[i] = double{kMissing};
  return data;
}

FitOptions split_by(FitOptions options, std::vector<LearnerShare> learners) {
  options.split.learners = std::move(learners);
  return options;
}

std::vector<UnlabelledCase> unlabelled_cases() {
  const auto numbers = [](std::uint64_t seed) { return points(seed, kNumbers); };
  const auto gaps = [](std::uint64_t seed) {
    return points(seed, {.numeric = 3, .categorical = 0, .missing = true});
  };
  const auto classes = [](std::uint64_t seed) {
    return with_few_labels(seed, {.numeric = 3, .categorical = 1, .classes = 4});
  };
  const auto targets = [](std::uint64_t seed) {
    return with_few_labels(seed, {.numeric = 3, .categorical = 0, .classes = 0});
  };
  const auto directions = [](std::uint64_t seed) {
    return manifold_dataset(points(seed, {.numeric = 3, .categorical = 1}).view());
  };
  return {{"density", numbers, density_options},
          {"density_of_rows_with_gaps", gaps, density_options},
          {"density_of_slanted_cells", numbers,
           [] {
             return split_by(density_options(), {{WeakLearnerKind::oblique, 1}});
           }},
          {"few_labels", classes, semi_supervised_options},
          {"few_targets", targets, semi_supervised_options},
          {"manifold", directions, [] { return manifold_options(120, 4); }}};
}

class Unlabelled : public testing::TestWithParam<UnlabelledCase> {
 protected:
  static FitOptions options() {
    FitOptions options = GetParam().options();
    options.forest.trees = 6;
    return options;
  }
};

TEST_P(Unlabelled, ThreadsDoNotMatter) {
  const Dataset data = GetParam().data(1);
  const test::ModelFile one = test::model_bytes(fit(data.view(), options()).forest);
  for (const std::size_t threads : {2, 3, 8})
    EXPECT_EQ(one, test::model_bytes(fit(data.view(), options(), {.threads = threads}).forest));
}

TEST_P(Unlabelled, OrderOfGrowthDoesNotMatter) {
  for (const std::uint64_t seed : {2, 3, 4}) {
    const Dataset data = GetParam().data(seed);
    FitOptions depth_first = options(), breadth_first = options();
    depth_first.growth.order = GrowthOrder::depth_first;
    breadth_first.growth.order = GrowthOrder::breadth_first;
    EXPECT_EQ(test::model_bytes(fit(data.view(), depth_first).forest),
              test::model_bytes(fit(data.view(), breadth_first).forest));
  }
}

TEST_P(Unlabelled, SeedsMatter) {
  const Dataset data = GetParam().data(5);
  FitOptions other = options();
  other.forest.seed += 1;
  EXPECT_NE(test::model_bytes(fit(data.view(), options()).forest),
            test::model_bytes(fit(data.view(), other).forest));
}

TEST_P(Unlabelled, FilesGiveBackTheSameModel) {
  const Dataset data = GetParam().data(6);
  const Forest forest = fit(data.view(), options()).forest;
  const test::TestFolder folder;
  const std::string path = folder.file("model.coppice");
  forest.save(path);
  forest.save_json(path + ".json");
  EXPECT_EQ(test::model_bytes(Forest::load(path)), test::model_bytes(forest));
  EXPECT_EQ(test::model_bytes(Forest::load_json(path + ".json")), test::model_bytes(forest));
}

INSTANTIATE_TEST_SUITE_P(Tasks, Unlabelled, testing::ValuesIn(unlabelled_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace coppice
