#include "grow/forest_trainer.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/worker_team.h"
#include "grow/harvest.h"
#include "grow/tree_grower.h"

namespace coppice {
namespace {

// Trees that are growing. A tree is planted when it first grows and uprooted when it is no longer
// needed, so a plain forest holds one growing tree per worker.
class Nursery {
 public:
  explicit Nursery(const TrainingPlan& plan) : plan_(plan), growers_(plan.forest.trees) {}

  std::size_t size() const { return growers_.size(); }
  const TreeGrower* grower(std::size_t tree) const {
    return growers_[tree] ? &*growers_[tree] : nullptr;
  }

  TreeGrower& plant(std::size_t tree) {
    if (!growers_[tree]) {
      const RandomStream random = RandomStream(plan_.forest.seed).child(tree);
      Bag bag = draw_bag(plan_.weights, plan_.sampling, random.child(0));
      if (!plan_.keep_leaf_ids && plan_.staging.unit == StageUnit::forest) bag.outside.clear();
      growers_[tree].emplace(plan_.columns, std::move(bag), plan_.growth, random.child(1));
    }
    return *growers_[tree];
  }
  void uproot(std::size_t tree) { growers_[tree].reset(); }

  bool any_unfinished() const {
    return std::any_of(growers_.begin(), growers_.end(),
                       [](const auto& grower) { return grower && !grower->finished(); });
  }

 private:
  const TrainingPlan& plan_;
  std::vector<std::optional<TreeGrower>> growers_;
};

struct Stage {
  std::size_t first = 0, last = 0;  // the trees that grow: [first, last)
  std::size_t voters = 0;           // the trees that say what there is left to learn: [0, voters)
};

// The stage after `stages` others, if there is one.
std::optional<Stage> next_stage(StageUnit unit, std::size_t stages, const Nursery& nursery) {
  const std::size_t trees = nursery.size();
  switch (unit) {
    case StageUnit::forest:
      if (stages == 0) return Stage{.first = 0, .last = trees, .voters = 0};
      break;
    case StageUnit::tree:
      if (stages < trees) return Stage{.first = stages, .last = stages + 1, .voters = stages};
      break;
    case StageUnit::level:
      if (stages == 0) return Stage{.first = 0, .last = trees, .voters = 0};
      if (nursery.any_unfinished()) return Stage{.first = 0, .last = trees, .voters = trees};
      break;
  }
  return std::nullopt;
}

std::vector<float> votes_so_far(const Nursery& nursery, std::size_t voters,
                                const TrainingPlan& plan) {
  std::vector<float> votes(plan.columns.rows() * plan.leaf_model.payload_size());
  for (std::size_t tree = 0; tree < voters; ++tree)
    nursery.grower(tree)->add_votes(plan.staging.vote_scale, votes);
  return votes;
}

// With several splitters the tree itself is shared out among threads.
void grow_one_stage(TreeGrower& grower, std::span<const std::unique_ptr<NodeSplitter>> splitters,
                    const TrainingPlan& plan, const std::function<bool()>& cancelled) {
  if (plan.staging.unit == StageUnit::level) {
    grower.grow_one_level(*splitters.front(), cancelled);
  } else {
    grower.grow_fully(splitters, cancelled);
  }
  grower.fit_new_leaves(plan.leaf_model);
}

}  // namespace

GrownForest train_forest(const TrainingPlan& plan, const RunContext& context) {
  const std::size_t workers = worker_count(context.threads);
  std::atomic<bool> stopped = false;  // once cancelled, always
  const std::function<bool()> cancelled = [&] {
    if (!stopped && context.cancelled && context.cancelled()) stopped = true;
    return stopped.load();
  };
  std::vector<std::unique_ptr<NodeSplitter>> splitters(workers);
  for (auto& splitter : splitters) splitter = plan.make_splitter();
  Nursery nursery(plan);
  Harvest harvest(plan, context);
  const bool trees_vote = plan.staging.unit != StageUnit::forest;

  for (std::size_t stages = 0; !cancelled(); ++stages) {
    const std::optional<Stage> stage = next_stage(plan.staging.unit, stages, nursery);
    if (!stage) break;
    if (plan.staging.loss && stage->voters > 0)
      plan.staging.loss->retarget(votes_so_far(nursery, stage->voters, plan));
    const auto grow = [&](std::size_t tree, std::span<const std::unique_ptr<NodeSplitter>> team) {
      if (cancelled()) return;
      TreeGrower& grower = nursery.plant(tree);
      grow_one_stage(grower, team, plan, cancelled);
      if (trees_vote || !grower.finished()) return;
      harvest.bring_in(grower, tree);
      nursery.uproot(tree);
    };
    // A tree for each worker; those left over are grown by all workers together.
    const std::size_t trees = stage->last - stage->first;
    const std::size_t together = plan.staging.unit == StageUnit::level ? 0 : trees % workers;
    for_each_task(trees - together, workers, [&](std::size_t worker, std::size_t task) {
      grow(stage->first + task, std::span(splitters).subspan(worker, 1));
    });
    for (std::size_t tree = stage->last - together; tree < stage->last; ++tree)
      grow(tree, splitters);
  }
  for (std::size_t tree = 0; trees_vote && tree < nursery.size(); ++tree)
    if (nursery.grower(tree) && nursery.grower(tree)->finished())
      harvest.bring_in(*nursery.grower(tree), tree);
  return harvest.finish();
}

}  // namespace coppice
