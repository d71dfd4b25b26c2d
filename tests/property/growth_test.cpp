// What holds for every grown forest: rows lie where traversal finds them, limits are kept, and the
// first trees do not know how many follow.
#include <gtest/gtest.h>

#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "model/walk.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"

namespace coppice {
namespace {

using test::TaskCase;

constexpr std::uint64_t kRandomCases = 100;  // per row of the table

class GrowthProperty : public testing::TestWithParam<TaskCase> {
 protected:
  // Calls body(data, options) for many random problems.
  template <class Body>
  void for_random_problems(Body body) {
    for (std::uint64_t seed = 0; seed < kRandomCases; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      RandomStream random(seed);
      const Dataset data = GetParam().data(seed, 1 + random.below(80));
      FitOptions options = GetParam().options(seed, 1 + random.below(4));
      options.sampling.bagging = static_cast<Bagging>(random.below(3));
      options.sampling.max_samples = random.below(2) == 0 ? 1 : 0.5;
      if (random.below(3) == 0) options.split.max_node_samples = 2 + random.below(30);
      options.growth.min_samples_leaf = 1 + random.below(4);
      if (random.below(3) == 0) options.growth.max_depth = 1 + random.below(4);
      options.report.leaf_ids = true;
      body(data, options);
      if (HasFailure()) return;
    }
  }
};

TEST_P(GrowthProperty, EveryRowLiesWhereTraversalFindsIt) {
  for_random_problems([](const Dataset& data, const FitOptions& options) {
    const FitResult result = fit(data.view(), options, {.threads = 1});
    const LeafIds found = Predictor(result.forest).apply(data.view(), {.threads = 1});
    const LeafIds& put = result.report.leaf_ids;
    ASSERT_EQ(put.rows(), data.rows);
    ASSERT_EQ(put.trees(), result.forest.trees());
    for (std::size_t tree = 0; tree < put.trees(); ++tree)
      for (std::size_t row = 0; row < data.rows; ++row)
        EXPECT_EQ(put.leaf(tree, row), found.leaf(tree, row)) << "tree " << tree << " row " << row;
  });
}

TEST_P(GrowthProperty, LeavesHoldEnoughSamples) {
  for_random_problems([](const Dataset& data, FitOptions options) {
    options.sampling.bagging = Bagging::without_replacement;  // so that a row is a sample
    const FitResult result = fit(data.view(), options, {.threads = 1});
    const LeafIds& ids = result.report.leaf_ids;
    for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
      const ForestArrays& arrays = result.forest.arrays();
      std::vector<std::size_t> samples(arrays.first_leaf(tree + 1) - arrays.first_leaf(tree));
      for (std::size_t row = 0; row < data.rows; ++row)
        if (!ids.out_of_bag(tree, row)) ++samples[ids.leaf(tree, row)];
      if (samples.size() == 1) continue;
      for (const std::size_t count : samples) EXPECT_GE(count, options.growth.min_samples_leaf);
    }
  });
}

TEST_P(GrowthProperty, DepthIsLimitedAndReported) {
  for_random_problems([](const Dataset& data, const FitOptions& options) {
    const FitResult result = fit(data.view(), options, {.threads = 1});
    std::size_t deepest = 0;
    for (std::size_t tree = 0; tree < result.forest.trees(); ++tree)
      for_each_node(
          result.forest.arrays(), tree, [](std::size_t, std::size_t) {},
          [&](std::size_t, std::size_t depth) { deepest = std::max(deepest, depth); });
    EXPECT_EQ(result.report.max_depth, deepest);
    if (options.growth.max_depth) {
      EXPECT_LE(deepest, *options.growth.max_depth);
    }
    EXPECT_EQ(result.report.leaves, result.forest.arrays().leaves());
    EXPECT_EQ(result.report.nodes, 2 * result.report.leaves - result.report.trees);
  });
}

TEST_P(GrowthProperty, SplitNodesHeldEnoughSamples) {
  for_random_problems([](const Dataset& data, FitOptions options) {
    options.growth.min_samples_split = 8;
    options.sampling.bagging = Bagging::without_replacement;  // so that a row is a sample
    const FitResult result = fit(data.view(), options, {.threads = 1});
    const Predictor predictor(result.forest);
    const std::vector<float> rows = test::row_major(data);
    const std::size_t features = data.columns.size();
    for (std::size_t tree = 0; tree < result.forest.trees(); ++tree) {
      const ForestArrays& arrays = result.forest.arrays();
      std::vector<std::size_t> samples(arrays.first_split[tree + 1] - arrays.first_split[tree]);
      for (std::size_t row = 0; row < data.rows; ++row) {
        if (result.report.leaf_ids.out_of_bag(tree, row)) continue;
        const auto values = std::span(rows).subspan(row * features, features);
        for (const std::uint32_t split : predictor.decision_path(values, tree).splits)
          ++samples[split];
      }
      for (const std::size_t count : samples) EXPECT_GE(count, 8u);
    }
  });
}

TEST_P(GrowthProperty, SupportsAddUpToTheWeightOfTheBag) {
  for_random_problems([](const Dataset& data, FitOptions options) {
    if (auto* task = std::get_if<Classification>(&options.task))
      task->class_weights = UniformClassWeights{};
    const FitResult result = fit(data.view(), options, {.threads = 1});
    if (options.sampling.bagging != Bagging::none) return;
    double expected = 0;
    for (std::size_t row = 0; row < data.rows; ++row)
      expected += data.weights.empty() ? 1 : data.weights[row];
    const ForestArrays& arrays = result.forest.arrays();
    for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
      double sum = 0;
      for (std::size_t leaf = arrays.first_leaf(tree); leaf < arrays.first_leaf(tree + 1); ++leaf)
        sum += arrays.support[leaf];
      EXPECT_NEAR(sum, expected, 1e-5 * expected);
    }
  });
}

TEST_P(GrowthProperty, FirstTreesOfALargerForestAreTheSmallerForest) {
  for_random_problems([](const Dataset& data, FitOptions options) {
    const Forest few = fit(data.view(), options, {.threads = 1}).forest;
    options.forest.trees += 4;
    const Forest many = fit(data.view(), options, {.threads = 1}).forest;
    for (std::size_t tree = 0; tree < few.trees(); ++tree) test::expect_same_tree(few, many, tree);
  });
}

TEST_P(GrowthProperty, AnotherSeedIsAnotherForest) {
  const Dataset data = GetParam().data(1, 80);
  const Forest one = fit(data.view(), GetParam().options(1)).forest;
  const Forest other = fit(data.view(), GetParam().options(2)).forest;
  EXPECT_NE(test::model_bytes(one), test::model_bytes(other));
}

INSTANTIATE_TEST_SUITE_P(Table, GrowthProperty, testing::ValuesIn(test::task_cases()),
                         test::kByName);

}  // namespace
}  // namespace coppice
