// Pruned forests, against forests refined on merged leaves.
#include <gtest/gtest.h>

#include <cmath>

#include "coppice/error.h"
#include "coppice/predict.h"
#include "coppice/refine.h"
#include "model/forest_builder.h"
#include "model/test_forests.h"
#include "model/tree_copy.h"
#include "refine/pruned_trees.h"
#include "refine/test_grown.h"

namespace coppice {
namespace {

using test::grown;
using test::toy;

// The numbers that merging gives the leaves are those of the trees that are then written.
TEST(PrunedTrees, NumberLeavesAsCutTreesDo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Forest forest =
        test::random_forest(seed, PayloadKind::mean_variance, {30, 0, 1, 100}, 50);
    test::Dice dice(seed);
    PrunedTrees pruned(forest);
    std::vector<std::uint32_t> number(forest.arrays().leaves());
    for (std::uint32_t n = 0; n < number.size(); ++n) number[n] = n;
    for (int round = 0; round < 12; ++round) {
      std::vector<PrunedTrees::Pair> merged;
      for (const PrunedTrees::Pair& pair : pruned.pairs()) {
        EXPECT_EQ(pair.right, pair.left + 1);
        if (dice.coin()) merged.push_back(pair);
      }
      const std::vector<std::uint32_t> next = pruned.merge(merged);
      for (std::uint32_t& n : number) n = next[n];
      std::size_t leaves = 0;
      for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
        const CutTree cut = copy_tree(forest, tree, pruned.cuts()[tree]);
        EXPECT_EQ(pruned.first_leaf()[tree], leaves);
        for (std::size_t n = 0; n < cut.new_leaf.size(); ++n)
          EXPECT_EQ(leaves + cut.new_leaf[n], number[forest.arrays().first_leaf(tree) + n]);
        leaves += cut.tree.support.size();
      }
      EXPECT_EQ(pruned.leaves(), leaves);
    }
    EXPECT_TRUE(pruned.pairs().size() < 20);
  }
}

TEST(Prune, IsRefinementOnMergedLeaves) {
  for (const ToyShape shape : {ToyShape::friedman1, ToyShape::spirals}) {
    const Dataset data = toy(shape, 800);
    const Forest forest = grown(data, 6);
    PruneOptions options;
    options.refine.cost = 0.1;
    const std::string path = test::fresh_folder() + "/m";
    refine(forest, data.view(), options.refine).forest.save(path);
    const std::size_t limit = test::bytes_of(path).size() * 6 / 10;
    options.max_model_bytes = limit;
    const PruneResult pruned = prune(forest, data.view(), options);
    EXPECT_LT(pruned.forest.arrays().leaves(), forest.arrays().leaves());
    EXPECT_EQ(pruned.forest.arrays().leaves(), pruned.steps[pruned.taken].leaves);
    const Forest again = refine(pruned.forest, data.view(), {.cost = 0.1}).forest;
    ASSERT_EQ(again.arrays().leaves(), pruned.forest.arrays().leaves());
    const Predictions a = Predictor(again).predict(data.view());
    const Predictions b = Predictor(pruned.forest).predict(data.view());
    double difference = 0;
    for (std::size_t n = 0; n < a.mean.size(); ++n) {
      EXPECT_NEAR(a.mean[n], b.mean[n], 0.1);  // where iterations stop
      difference += std::abs(a.mean[n] - b.mean[n]) / static_cast<double>(a.mean.size());
    }
    EXPECT_LT(difference, 0.02);
    pruned.forest.save(path);
    EXPECT_LE(test::bytes_of(path).size(), limit);
    test::expect_same_forest(pruned.forest, Forest::load(path));
  }
}

TEST(Prune, EveryOrderEndsAtSingleLeaves) {
  const Dataset data = toy(ToyShape::friedman1, 300);
  const Forest forest = grown(data, 5);
  for (const MergeOrder order :
       {MergeOrder::least, MergeOrder::most, MergeOrder::random, MergeOrder::least_difference}) {
    PruneOptions options{.order = order, .merged_share = 1};
    options.refine.cost = 0.1;
    options.tolerance = 1e9;
    const PruneResult pruned = prune(forest, data.view(), options);
    EXPECT_EQ(pruned.forest.arrays().leaves(), 10u);
    EXPECT_EQ(pruned.steps.size(), 6u);
    for (std::size_t n = 1; n < pruned.steps.size(); ++n)
      EXPECT_LT(pruned.steps[n].model_bytes, pruned.steps[n - 1].model_bytes);
  }
}

TEST(Prune, TakesTheBestOrTheSmallestThatIsTolerable) {
  const Dataset data = toy(ToyShape::friedman1, 600);
  const Forest forest = grown(data, 7);
  PruneOptions options;
  options.refine.cost = 0.1;
  const PruneResult best = prune(forest, data.view(), options);
  options.tolerance = 0.05;
  const PruneResult small = prune(forest, data.view(), options);
  for (const PruneStep& step : best.steps) EXPECT_GE(step.error, best.steps[best.taken].error);
  EXPECT_LT(small.forest.arrays().leaves(), best.forest.arrays().leaves());
  EXPECT_LE(small.steps[small.taken].error, 1.05 * best.steps[best.taken].error);
}

TEST(Prune, SameBitsForAnyNumberOfThreads) {
  const Dataset data = toy(ToyShape::friedman1, 2500);
  const Forest forest = grown(data, 6);
  const auto run = [&](std::size_t threads) {
    RunContext context;
    context.threads = threads;
    PruneOptions options;
    options.refine.cost = 0.1;
    options.most_rounds = 5;
    options.tolerance = 0.5;
    const std::string path = test::fresh_folder() + "/m";
    prune(forest, data.view(), options, context).forest.save(path);
    return test::bytes_of(path);
  };
  const std::string alone = run(1);
  for (const std::size_t threads : {2, 3, 8}) EXPECT_EQ(run(threads), alone);
}

TEST(Prune, RefusesWhatCannotBe) {
  const Dataset data = toy(ToyShape::friedman1, 200);
  const Forest forest = grown(data, 4);
  const auto refused = [&](PruneOptions options) {
    options.refine.cost = 0.1;
    try {
      prune(forest, data.view(), options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::invalid_option;
    }
    return false;
  };
  EXPECT_TRUE(refused({.max_model_bytes = 100}));
  EXPECT_TRUE(refused({.refine = {.method = Refinement::add}}));
  EXPECT_TRUE(refused({.refine = {.validation_share = 0}}));
  EXPECT_TRUE(refused({.merged_share = 0}));
  EXPECT_TRUE(refused({.tolerance = -1}));
}

}  // namespace
}  // namespace coppice
