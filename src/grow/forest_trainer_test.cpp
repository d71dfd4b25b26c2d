// The training loop with a splitter that never splits: schedule, order of trees, cancellation.
#include "grow/forest_trainer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <vector>

namespace coppice {
namespace {

constexpr std::size_t kRows = 5;

Dataset one_column() {
  Dataset data;
  data.rows = kRows;
  data.schema.features = {{"x", FeatureKind::numeric}};
  data.columns = {{1, 2, 3, 4, 5}};
  return data;
}

class NoSplits : public NodeSplitter {
 public:
  void begin_tree(const NodeSamples&) override {}
  void begin_level(TreeParts, const std::uint16_t*) override {}
  const ChosenSplit* best_split(std::span<const SampleId>, RandomStream) override {
    return nullptr;
  }
  std::size_t partition(std::span<SampleId>, const ChosenSplit&) override { return 0; }
  bool copy_rows(std::span<SampleId>) override { return false; }
  void release(std::span<SampleId>) override {}
};

// The payload tells the bag: how often row 0 was drawn.
class FirstRowLeaf final : public LeafModel {
 public:
  std::size_t payload_size() const override { return 1; }
  float fit(const NodeSamples& leaf, std::span<const float>,
            std::span<float> payload) const override {
    payload[0] = leaf.draws[0];
    return 1;
  }
};

class CountingLoss final : public Loss {
 public:
  double retarget(const Votes& votes, std::size_t) override {
    seen.push_back(votes.sums.front());
    counted.push_back(votes.trees);
    return 7;
  }
  std::vector<float> seen;
  std::vector<std::vector<std::uint32_t>> counted;
};

struct Fixture {
  Dataset data = one_column();
  CodedColumns columns{data.view(), 0, 1};
  std::vector<std::uint32_t> weights = std::vector<std::uint32_t>(kRows, 1);
  FirstRowLeaf leaf_model;

  TrainingPlan plan(std::uint32_t trees) const {
    return {.columns = columns,
            .weights = weights,
            .make_splitter = [] { return std::make_unique<NoSplits>(); },
            .leaf_model = leaf_model,
            .forest = {trees, 1},
            .sampling = {},
            .growth = {}};
  }
};

std::vector<float> payloads(const GrownForest& grown) {
  const ForestStorage& storage = grown.storage;
  if (storage.payload_row_narrow.empty()) return storage.payload;
  std::vector<float> by_leaf;
  for (const std::uint8_t row : storage.payload_row_narrow) by_leaf.push_back(storage.payload[row]);
  return by_leaf;
}

TEST(ForestTrainer, TreesComeInTheirOrder) {
  const Fixture fixture;
  const GrownForest one = train_forest(fixture.plan(50), {.threads = 1});
  const GrownForest four = train_forest(fixture.plan(50), {.threads = 4});
  EXPECT_EQ(one.trees, 50u);
  EXPECT_EQ(payloads(one).size(), 50u);
  EXPECT_EQ(payloads(one), payloads(four));
}

TEST(ForestTrainer, ReportsProgressOneAtATime) {
  const Fixture fixture;
  RunContext context{.threads = 3};
  std::vector<std::size_t> done;
  std::atomic<int> inside{0};
  context.progress = [&](const Progress& progress) {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(progress.total, 20u);
    done.push_back(progress.done);
    --inside;
  };
  train_forest(fixture.plan(20), context);
  ASSERT_EQ(done.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(done[i], i + 1);
}

TEST(ForestTrainer, KeepsTheFirstTreesWhenCancelled) {
  const Fixture fixture;
  RunContext context{.threads = 1};
  std::size_t done = 0;
  context.progress = [&](const Progress& progress) { done = progress.done; };
  context.cancelled = [&] { return done >= 7; };
  TrainingPlan plan = fixture.plan(20);
  plan.keep_leaf_ids = true;
  const GrownForest some = train_forest(plan, context);
  EXPECT_EQ(some.trees, 7u);
  EXPECT_EQ(some.leaf_ids.trees(), 7u);
  const std::vector<float> all = payloads(train_forest(fixture.plan(20), {.threads = 1}));
  EXPECT_EQ(payloads(some), std::vector<float>(all.begin(), all.begin() + 7));
}

TEST(ForestTrainer, BoostingRetargetsBeforeEveryTree) {
  const Fixture fixture;
  CountingLoss loss;
  TrainingPlan plan = fixture.plan(4);
  plan.staging = {.unit = StageUnit::tree, .loss = &loss, .vote_scale = 0.5f};
  const GrownForest grown = train_forest(plan, {.threads = 2});
  const std::vector<float> all = payloads(grown);
  ASSERT_EQ(loss.seen.size(), 4u);
  EXPECT_EQ(loss.seen[0], 0);
  EXPECT_EQ(loss.seen[1], 0.5f * all[0]);
  EXPECT_EQ(loss.seen[3], 0.5f * (all[0] + all[1] + all[2]));
  EXPECT_EQ(loss.counted[3], std::vector<std::uint32_t>(kRows, 3));
  EXPECT_EQ(grown.stage_losses, std::vector<double>(4, 7));
}

TEST(ForestTrainer, ABaggedForestHasOneStage) {
  const Fixture fixture;
  CountingLoss loss;
  TrainingPlan plan = fixture.plan(4);
  plan.staging.loss = &loss;
  train_forest(plan, {.threads = 1});
  EXPECT_EQ(loss.seen, std::vector<float>{0});
}

TEST(ForestTrainer, LevelsBeginWithWhatTheRootsSay) {
  const Fixture fixture;
  CountingLoss loss;
  TrainingPlan plan = fixture.plan(3);
  plan.staging = {.unit = StageUnit::level, .loss = &loss};
  const std::vector<float> all = payloads(train_forest(plan, {.threads = 2}));
  ASSERT_EQ(loss.seen.size(), 1u);
  EXPECT_EQ(loss.seen[0], all[0] + all[1] + all[2]);
}

TEST(ForestTrainer, OutOfItsBagATreeCountsAlone) {
  const Fixture fixture;
  CountingLoss loss;
  TrainingPlan plan = fixture.plan(6);
  plan.keep_leaf_ids = true;
  plan.staging = {.unit = StageUnit::tree, .loss = &loss, .out_of_bag_votes = true};
  const GrownForest grown = train_forest(plan, {.threads = 1});
  for (std::size_t row = 0; row < kRows; ++row) {
    std::uint32_t out = 0;
    for (std::size_t tree = 0; tree < 5; ++tree) out += grown.leaf_ids.out_of_bag(tree, row);
    EXPECT_EQ(loss.counted.back()[row], out);
  }
}

TEST(ForestTrainer, PassesOnWhatASplitterThrows) {
  class Failing final : public NoSplits {
   public:
    void begin_tree(const NodeSamples&) override { throw std::runtime_error("no memory"); }
    void begin_level(TreeParts, const std::uint16_t*) override {}
  };
  const Fixture fixture;
  TrainingPlan plan = fixture.plan(8);
  plan.make_splitter = [] { return std::make_unique<Failing>(); };
  EXPECT_THROW(train_forest(plan, {.threads = 3}), std::runtime_error);
}

}  // namespace
}  // namespace coppice
