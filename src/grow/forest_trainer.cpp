#include "grow/forest_trainer.h"

#include <optional>

#include "base/worker_team.h"
#include "grow/harvest.h"
#include "grow/tree_grower.h"

namespace coppice {
namespace {

// Trees that are growing. A tree is planted when it first grows and uprooted when it is harvested,
// so a forest that grows tree by tree holds one tree per worker.
class Nursery {
 public:
  explicit Nursery(const TrainingPlan& plan) : plan_(plan), growers_(plan.forest.trees) {}

  std::size_t size() const { return growers_.size(); }
  bool planted(std::size_t tree) const { return growers_[tree].has_value(); }
  const TreeGrower& grower(std::size_t tree) const { return *growers_[tree]; }

  TreeGrower& plant(std::size_t tree) {
    if (!growers_[tree]) {
      const RandomStream random = RandomStream(plan_.forest.seed).child(tree);
      growers_[tree].emplace(plan_.columns,
                             draw_bag(plan_.weights, plan_.sampling, random.child(0)), plan_.growth,
                             random.child(1));
    }
    return *growers_[tree];
  }
  void uproot(std::size_t tree) { growers_[tree].reset(); }

 private:
  const TrainingPlan& plan_;
  std::vector<std::optional<TreeGrower>> growers_;
};

struct Stage {
  std::size_t first = 0, last = 0;  // the trees that grow: [first, last)
  std::size_t voters = 0;           // the trees that say what there is left to learn: [0, voters)
};

// Plans the stages one after the other.
class Schedule {
 public:
  Schedule(StageUnit unit, std::size_t trees) : unit_(unit), trees_(trees) {}

  // `unfinished`: whether any tree of the last stage has open nodes.
  std::optional<Stage> next(bool unfinished) {
    const bool begun = stages_++ > 0;
    switch (unit_) {
      case StageUnit::forest:
        if (begun) return std::nullopt;
        return Stage{0, trees_, 0};
      case StageUnit::tree:
        if (stages_ > trees_) return std::nullopt;
        return Stage{stages_ - 1, stages_, stages_ - 1};
      case StageUnit::level:
        if (begun && !unfinished) return std::nullopt;
        return Stage{0, trees_, begun ? trees_ : 0};
    }
    return std::nullopt;
  }

 private:
  StageUnit unit_;
  std::size_t trees_, stages_ = 0;
};

std::vector<float> votes_so_far(const Nursery& nursery, std::size_t voters,
                                const TrainingPlan& plan) {
  std::vector<float> votes(plan.columns.rows() * plan.leaf_model.payload_size());
  for (std::size_t tree = 0; tree < voters; ++tree)
    nursery.grower(tree).add_votes(plan.staging.vote_scale, votes);
  return votes;
}

}  // namespace

GrownForest train_forest(const TrainingPlan& plan, const RunContext& context) {
  const std::size_t workers = worker_count(context.threads);
  const Staging& staging = plan.staging;
  const auto cancelled = [&] { return context.cancelled && context.cancelled(); };
  std::vector<std::unique_ptr<NodeSplitter>> splitters;
  for (std::size_t w = 0; w < workers; ++w) splitters.push_back(plan.make_splitter());
  Nursery nursery(plan);
  Harvest harvest(plan, context);
  Schedule schedule(staging.unit, plan.forest.trees);
  bool unfinished = true;
  while (const std::optional<Stage> stage = schedule.next(unfinished)) {
    if (staging.loss && stage->voters > 0)
      staging.loss->retarget(votes_so_far(nursery, stage->voters, plan));
    for_each_task(stage->last - stage->first, workers, [&](std::size_t worker, std::size_t task) {
      if (cancelled()) return;
      const std::size_t tree = stage->first + task;
      TreeGrower& grower = nursery.plant(tree);
      if (staging.unit == StageUnit::level) {
        grower.grow_one_level(*splitters[worker], context.cancelled);
      } else {
        grower.grow_fully(*splitters[worker], context.cancelled);
      }
      grower.fit_new_leaves(plan.leaf_model);
      if (staging.unit == StageUnit::forest && grower.finished()) {
        harvest.bring_in(grower, tree);
        nursery.uproot(tree);
      }
    });
    if (cancelled()) break;
    unfinished = false;
    for (std::size_t t = stage->first; staging.unit == StageUnit::level && t < stage->last; ++t)
      unfinished |= !nursery.grower(t).finished();
  }
  if (staging.unit != StageUnit::forest)
    for (std::size_t t = 0; t < nursery.size() && nursery.planted(t); ++t)
      if (nursery.grower(t).finished()) harvest.bring_in(nursery.grower(t), t);
  return harvest.finish();
}

}  // namespace coppice
