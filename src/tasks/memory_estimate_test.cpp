// Estimates are upper bounds, but not so far above the truth that they say nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/test_folder.h"
#include "coppice/density.h"
#include "coppice/error.h"
#include "coppice/fit.h"
#include "coppice/semi_supervised.h"
#include "coppice/toy_data.h"

namespace coppice {
namespace {

std::size_t file_bytes(const Forest& forest) {
  const test::TestFolder folder;
  forest.save(folder.file("model"));
  return std::filesystem::file_size(folder.file("model"));
}

Dataset toy(ToyShape shape, std::size_t rows) {
  ToyOptions options;
  options.shape = shape;
  options.rows = rows;
  options.noise = 1;
  return generate(options);
}

FitOptions options_for(const Dataset& data, std::uint32_t trees) {
  FitOptions options;
  if (data.labels.empty()) options.task = Regression{};
  options.forest.trees = trees;
  return options;
}

TEST(MemoryEstimate, ModelFileIsNotLarger) {
  for (const ToyShape shape : {ToyShape::blobs, ToyShape::friedman1, ToyShape::spirals})
    for (const std::size_t rows : {1, 2, 10, 300})
      for (const Bagging bagging : {Bagging::with_replacement, Bagging::none})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
          const Dataset data = toy(shape, rows);
          FitOptions options = options_for(data, 20);
          options.sampling.bagging = bagging;
          options.forest.seed = seed;
          const Forest forest = fit(data.view(), options).forest;
          EXPECT_LE(file_bytes(forest), estimate_memory(data.view(), options).model_bytes);
        }
}

TEST(MemoryEstimate, ProjectionsAreCounted) {
  const Dataset data = toy(ToyShape::friedman1, 400);
  for (const WeakLearnerKind kind :
       {WeakLearnerKind::difference, WeakLearnerKind::oblique, WeakLearnerKind::conic,
        WeakLearnerKind::canonical, WeakLearnerKind::boxes}) {
    FitOptions options = options_for(data, 20);
    options.split.learners = {{kind, 1}};
    if (kind == WeakLearnerKind::boxes) options.split.image_width = 5;
    EXPECT_LE(file_bytes(fit(data.view(), options).forest),
              estimate_memory(data.view(), options).model_bytes);
  }
}

// As training does.
TEST(MemoryEstimate, RefusesWhatMakesNoSense) {
  const Dataset data = toy(ToyShape::friedman1, 50);
  FitOptions options = options_for(data, 1);
  options.split.max_features = FeatureCount{1000};
  EXPECT_THROW(estimate_memory(data.view(), options), Error);
}

TEST(MemoryEstimate, SetsOfCategoriesAreCounted) {
  Dataset data = toy(ToyShape::friedman1, 400);
  Feature feature{"many", FeatureKind::categorical};
  std::vector<float> column;
  for (int c = 0; c < 400; ++c) {
    feature.categories.push_back("\"" + std::to_string(1000 + c) + "\n");
    column.push_back(static_cast<float>(c));
  }
  data.schema.features = {feature};
  data.columns = {column};
  const FitOptions options = options_for(data, 10);
  EXPECT_LE(file_bytes(fit(data.view(), options).forest),
            estimate_memory(data.view(), options).model_bytes);
}

TEST(MemoryEstimate, IsOfTheRightSize) {
  const Dataset data = toy(ToyShape::friedman1, 2000);
  const FitOptions options = options_for(data, 50);
  const double actual = static_cast<double>(file_bytes(fit(data.view(), options).forest));
  EXPECT_LT(static_cast<double>(estimate_memory(data.view(), options).model_bytes), 2 * actual);
}

TEST(MemoryEstimate, GrowsWithWhatNeedsMemory) {
  const Dataset data = toy(ToyShape::blobs, 500);
  const FitOptions few = options_for(data, 10);
  FitOptions many = few, shallow = few, silent = few;
  many.forest.trees = 20;
  shallow.growth.max_depth = 2;
  silent.report.out_of_bag = false;
  const auto needs = [&](const FitOptions& options, std::size_t threads) {
    return estimate_memory(data.view(), options, {.threads = threads});
  };
  EXPECT_GT(needs(many, 1).model_bytes, needs(few, 1).model_bytes);
  EXPECT_LT(needs(shallow, 1).model_bytes, needs(few, 1).model_bytes);
  EXPECT_LT(needs(silent, 1).training_bytes, needs(few, 1).training_bytes);
  EXPECT_GT(needs(few, 4).training_bytes, needs(few, 1).training_bytes);
  EXPECT_EQ(needs(few, 4).model_bytes, needs(few, 1).model_bytes);
}

// The graph of the rows that labels travel over; Gaussians of all nodes of all trees.
TEST(MemoryEstimate, CountsWhatFollowsGrowing) {
  const Dataset small = toy(ToyShape::blobs, 1000), large = toy(ToyShape::blobs, 2000);
  FitOptions labels = semi_supervised_options(), density = density_options();
  labels.forest.trees = density.forest.trees = 1;
  const auto needs = [](const Dataset& data, const FitOptions& options) {
    return estimate_memory(data.view(), options, {.threads = 1}).training_bytes;
  };
  EXPECT_GT(needs(large, labels), needs(small, labels) + 1000 * 176);
  FitOptions more = density;
  more.forest.trees = 11;
  const std::size_t nodes = 2 * fit(small.view(), density).report.leaves;
  EXPECT_GT(needs(small, more), needs(small, density) + 10 * nodes * 64);
  more.growth.max_depth = 3;  // 8 leaves a tree at most
  EXPECT_LT(needs(small, more), needs(small, density) + 10 * (16 * 128 + 4000 + 4096));
}

TEST(MemoryEstimate, ADensityHasNoMoreLevelsThanItChoosesFrom) {
  const Dataset data = toy(ToyShape::blobs, 400'000);
  const FitOptions density = density_options();
  FitOptions same = density, deeper = density;
  same.growth.max_depth = 14;
  deeper.growth.max_depth = 15;
  const auto model_bytes = [&](const FitOptions& options) {
    return estimate_memory(data.view(), options).model_bytes;
  };
  EXPECT_EQ(model_bytes(density), model_bytes(same));
  EXPECT_LT(model_bytes(density), model_bytes(deeper));
}

// Categories are never binned.
TEST(MemoryEstimate, BinsDoNotNarrowCategories) {
  Dataset data = toy(ToyShape::blobs, 100);
  Feature feature{"many", FeatureKind::categorical};
  for (int c = 0; c < 70'000; ++c) feature.categories.push_back(std::to_string(c));
  data.schema.features = {feature};
  data.columns = {std::vector<float>(100)};
  FitOptions binned = options_for(data, 1), exact = binned;
  binned.split.thresholds = BinnedThresholds{255};
  exact.split.thresholds = ExactThresholds{};
  EXPECT_EQ(estimate_memory(data.view(), binned).training_bytes,
            estimate_memory(data.view(), exact).training_bytes);
}

}  // namespace
}  // namespace coppice
