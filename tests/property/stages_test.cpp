// The one training loop with losses that re-target it: boosting tree by tree, and forests whose
// weights or targets change with every level.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "coppice/toy_data.h"
#include "grow/forest_trainer.h"
#include "leaf/class_histogram.h"
#include "leaf/mean.h"
#include "objective/class_impurity.h"
#include "objective/variance.h"
#include "split/axis_aligned.h"
#include "split/split_search.h"

namespace coppice {

extern template class SplitSearch<GiniImpurity>;
extern template class SplitSearch<Variance>;

namespace {

constexpr std::size_t kRows = 300;

Dataset toy(ToyShape shape) {
  ToyOptions options;
  options.shape = shape;
  options.rows = kRows;
  options.noise = 0.2;
  return generate(options);
}

FixedPointWeights equal_weights() { return {std::vector<std::uint32_t>(kRows, 1), 1}; }

double mean_square(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
         static_cast<double>(values.size());
}

void expect_same_storage(const ForestStorage& a, const ForestStorage& b) {
  EXPECT_EQ(a.first_split, b.first_split);
  EXPECT_EQ(a.right, b.right);
  EXPECT_EQ(a.threshold, b.threshold);
  EXPECT_EQ(a.code, b.code);
  EXPECT_EQ(a.payload, b.payload);
  EXPECT_EQ(a.support, b.support);
}

template <class O>
std::unique_ptr<NodeSplitter> splitter_of(const CodedColumns& columns, O objective,
                                          std::span<const std::uint32_t> weights) {
  const auto features = static_cast<std::uint32_t>(columns.features());
  return std::make_unique<SplitSearch<O>>(columns, objective, weights,
                                          std::make_unique<AxisAligned>(features, features),
                                          SearchLimits{});
}

// Residuals of least squares become the working targets. Remembers their mean square per stage.
class SquaredLoss final : public Loss {
 public:
  SquaredLoss(std::span<const double> truth, FixedPointTargets& working)
      : truth_(truth), working_(working) {}

  double retarget(const Votes& votes, std::size_t) override {
    std::vector<double> residuals(truth_.begin(), truth_.end());
    const std::size_t payload_size = votes.sums.size() / truth_.size();
    for (std::size_t row = 0; row < residuals.size(); ++row)
      residuals[row] -= votes.sums[row * payload_size];
    errors.push_back(mean_square(residuals));
    working_ = FixedPointTargets(residuals, 1);
    return errors.back();
  }

  std::vector<double> errors;

 private:
  std::span<const double> truth_;
  FixedPointTargets& working_;
};

// The mean of the working targets, on top of what the leaf's ancestor said.
class AdditiveMeanLeaf final : public LeafModel {
 public:
  explicit AdditiveMeanLeaf(const FixedPointTargets& targets) : targets_(targets) {}

  std::size_t payload_size() const override { return 1; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override {
    double sum = 0, count = 0;
    for (const SampleId row : leaf.rows) {
      sum += leaf.draws[row] *
             (targets_.centre(0) + static_cast<double>(targets_.value(row, 0)) * targets_.unit(0));
      count += leaf.draws[row];
    }
    payload[0] = static_cast<float>(sum / count) + (inherited.empty() ? 0 : inherited[0]);
    return static_cast<float>(count);
  }

 private:
  const FixedPointTargets& targets_;
};

struct StagedRun {
  GrownForest grown;
  std::vector<double> errors;  // on the training rows, before every stage
};

StagedRun boost(const Dataset& data, std::size_t threads) {
  const CodedColumns columns(data.view(), 0, 1);
  const FixedPointWeights weights = equal_weights();
  FixedPointTargets working(data.targets, 1);
  const MeanLeaf leaf_model(working, weights);
  SquaredLoss loss(data.targets, working);
  GrowthOptions growth;
  growth.max_depth = 3;
  TrainingPlan plan{
      .columns = columns,
      .weights = weights.units,
      .make_splitter = [&] { return splitter_of(columns, Variance{working}, weights.units); },
      .leaf_model = leaf_model,
      .forest = {.trees = 25, .seed = 5},
      .sampling = {.bagging = Bagging::none},
      .growth = growth,
      .staging = {.unit = StageUnit::tree, .loss = &loss, .vote_scale = 0.3f}};
  GrownForest grown = train_forest(plan, {.threads = threads});
  return {std::move(grown), loss.errors};
}

TEST(Stages, BoostingReducesTheErrorWithEveryTree) {
  const Dataset data = toy(ToyShape::friedman1);
  const StagedRun run = boost(data, 1);
  EXPECT_EQ(run.grown.trees, 25u);
  ASSERT_EQ(run.errors.size(), 25u);
  EXPECT_EQ(run.grown.stage_losses, run.errors);
  EXPECT_TRUE(std::is_sorted(run.errors.rbegin(), run.errors.rend()));
  std::vector<double> centred(data.targets);
  const double mean = std::accumulate(centred.begin(), centred.end(), 0.0) / kRows;
  for (double& target : centred) target -= mean;
  EXPECT_LT(run.errors.back(), 0.1 * mean_square(centred));
}

TEST(Stages, BoostingDoesNotDependOnThreads) {
  const Dataset data = toy(ToyShape::friedman1);
  const StagedRun one = boost(data, 1), three = boost(data, 3);
  EXPECT_EQ(one.errors, three.errors);
  expect_same_storage(one.grown.storage, three.grown.storage);
}

// Rows of which the forest is unsure weigh more in the splits of the next level; leaves count all
// rows alike.
class MarginLoss final : public Loss {
 public:
  MarginLoss(std::span<const std::uint32_t> labels, std::vector<std::uint32_t>& weights)
      : labels_(labels), weights_(weights) {}

  double retarget(const Votes& votes, std::size_t) override {
    const std::size_t classes = votes.sums.size() / labels_.size();
    double wrong = 0;
    for (std::size_t row = 0; row < labels_.size(); ++row) {
      EXPECT_EQ(votes.trees[row], 8u);
      const auto own = std::span(votes.sums).subspan(row * classes, classes);
      const auto said = std::max_element(own.begin(), own.end()) - own.begin();
      wrong += static_cast<std::uint32_t>(said) != labels_[row];
      weights_[row] = 1 + static_cast<std::uint32_t>(15 * (1 - own[labels_[row]]) + 0.5f);
    }
    errors.push_back(wrong / static_cast<double>(labels_.size()));
    return errors.back();
  }

  std::vector<double> errors;

 private:
  std::span<const std::uint32_t> labels_;
  std::vector<std::uint32_t>& weights_;
};

StagedRun alternate_weights(const Dataset& data, std::size_t threads) {
  constexpr std::uint32_t kTrees = 8;
  const CodedColumns columns(data.view(), 0, 1);
  std::vector<std::uint32_t> split_weights(kRows, 1);
  const FixedPointWeights leaf_weights = equal_weights();
  const std::size_t classes = data.schema.classes.size();
  const ClassHistogramLeaf leaf_model(data.labels, classes, leaf_weights);
  MarginLoss loss(data.labels, split_weights);
  TrainingPlan plan{
      .columns = columns,
      .weights = split_weights,
      .make_splitter =
          [&] {
            return splitter_of(columns, GiniImpurity{data.labels, classes}, split_weights);
          },
      .leaf_model = leaf_model,
      .forest = {.trees = kTrees, .seed = 5},
      .sampling = {},
      .growth = {},
      .staging = {.unit = StageUnit::level,
                  .loss = &loss,
                  .vote_scale = 1.0f / static_cast<float>(kTrees)}};
  plan.growth.max_depth = 8;
  GrownForest grown = train_forest(plan, {.threads = threads});
  return {std::move(grown), loss.errors};
}

TEST(Stages, AlternatingWeightsReduceTheErrorLevelByLevel) {
  const StagedRun run = alternate_weights(toy(ToyShape::spirals), 1);
  EXPECT_EQ(run.grown.trees, 8u);
  EXPECT_GE(run.errors.size(), 5u);
  EXPECT_GT(run.errors.front(), 0.2);
  EXPECT_LT(run.errors.back(), 0.1);
}

TEST(Stages, AlternatingWeightsDoNotDependOnThreads) {
  const Dataset data = toy(ToyShape::spirals);
  const StagedRun one = alternate_weights(data, 1), three = alternate_weights(data, 3);
  EXPECT_EQ(one.errors, three.errors);
  expect_same_storage(one.grown.storage, three.grown.storage);
}

StagedRun alternate_targets(const Dataset& data, std::size_t threads) {
  constexpr std::uint32_t kTrees = 6;
  const CodedColumns columns(data.view(), 0, 1);
  const FixedPointWeights weights = equal_weights();
  FixedPointTargets working(data.targets, 1);
  const AdditiveMeanLeaf leaf_model(working);
  SquaredLoss loss(data.targets, working);
  GrowthOptions growth;
  growth.max_depth = 6;
  TrainingPlan plan{
      .columns = columns,
      .weights = weights.units,
      .make_splitter = [&] { return splitter_of(columns, Variance{working}, weights.units); },
      .leaf_model = leaf_model,
      .forest = {.trees = kTrees, .seed = 5},
      .sampling = {},
      .growth = growth,
      .staging = {.unit = StageUnit::level,
                  .loss = &loss,
                  .vote_scale = 1.0f / static_cast<float>(kTrees)}};
  GrownForest grown = train_forest(plan, {.threads = threads});
  return {std::move(grown), loss.errors};
}

// Would fail if leaves forgot what they inherited: a payload would then be a residual only.
TEST(Stages, AlternatingTargetsReduceTheErrorLevelByLevel) {
  const StagedRun run = alternate_targets(toy(ToyShape::friedman1), 1);
  ASSERT_GE(run.errors.size(), 5u);
  EXPECT_TRUE(std::is_sorted(run.errors.rbegin(), run.errors.rend()));
  EXPECT_LT(run.errors.back(), 0.25 * run.errors.front());
}

TEST(Stages, AlternatingTargetsDoNotDependOnThreads) {
  const Dataset data = toy(ToyShape::friedman1);
  const StagedRun one = alternate_targets(data, 1), three = alternate_targets(data, 3);
  EXPECT_EQ(one.errors, three.errors);
  expect_same_storage(one.grown.storage, three.grown.storage);
}

// Without a loss, the unit of a stage is only another order of growth.
TEST(Stages, UnitsWithoutLossGiveTheSameForest) {
  const Dataset data = toy(ToyShape::spirals);
  const CodedColumns columns(data.view(), 0, 1);
  const FixedPointWeights weights = equal_weights();
  const ClassHistogramLeaf leaf_model(data.labels, 2, weights);
  std::vector<GrownForest> grown;
  for (const StageUnit unit : {StageUnit::forest, StageUnit::tree, StageUnit::level}) {
    TrainingPlan plan{
        .columns = columns,
        .weights = weights.units,
        .make_splitter =
            [&] {
              return splitter_of(columns, GiniImpurity{data.labels, 2}, weights.units);
            },
        .leaf_model = leaf_model,
        .forest = {.trees = 4, .seed = 9},
        .sampling = {},
        .growth = {},
        .staging = {.unit = unit}};
    grown.push_back(train_forest(plan, {.threads = 2}));
  }
  expect_same_storage(grown[0].storage, grown[1].storage);
  expect_same_storage(grown[0].storage, grown[2].storage);
}

}  // namespace
}  // namespace coppice
