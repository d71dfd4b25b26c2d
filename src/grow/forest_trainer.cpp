#include "grow/forest_trainer.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/stopwatch.h"
#include "base/worker_team.h"
#include "grow/harvest.h"
#include "grow/poll.h"
#include "grow/standing_trees.h"
#include "grow/tree_grower.h"

namespace coppice {
namespace {

// Trees that are growing. A tree is planted when it first grows and uprooted when it is no longer
// needed, so a plain forest holds one growing tree per worker.
class Nursery {
 public:
  explicit Nursery(const TrainingPlan& plan) : plan_(plan), growers_(plan.forest.trees) {}

  std::size_t size() const { return growers_.size(); }
  bool empty() const {
    return std::none_of(growers_.begin(), growers_.end(),
                        [](const auto& grower) { return grower.has_value(); });
  }
  const TreeGrower* grower(std::size_t tree) const {
    return growers_[tree] ? &*growers_[tree] : nullptr;
  }
  const TreeGrower& planted(std::size_t tree) const { return *growers_[tree]; }

  TreeGrower& plant(std::size_t tree) {
    if (!growers_[tree]) {
      const RandomStream random = RandomStream(plan_.forest.seed).child(tree);
      const RandomStream of_bag = random.child(0);
      Bag bag = plan_.staging.bags_by_weight
                    ? draw_bag_by_weight(plan_.weights, plan_.sampling, of_bag)
                    : draw_bag(plan_.weights, plan_.sampling, of_bag, plan_.drawn_classes);
      if (!plan_.keep_leaf_ids && !plan_.staging.loss) bag.outside.clear();
      growers_[tree].emplace(plan_.columns, std::move(bag), plan_.growth, random.child(1));
      const RecordedTree* const record = plan_.keeper ? plan_.keeper->recorded(tree) : nullptr;
      if (record) growers_[tree]->follow(*record);
    }
    return *growers_[tree];
  }
  void uproot(std::size_t tree) { growers_[tree].reset(); }

  bool any_unfinished() const {
    return std::any_of(growers_.begin(), growers_.end(),
                       [](const auto& grower) { return grower && !grower->finished(); });
  }

  std::vector<StandingTree> standing(std::uint32_t closed_depth) const {
    std::vector<StandingTree> trees;
    for (std::size_t tree = 0; tree < growers_.size(); ++tree)
      if (growers_[tree]) trees.emplace_back(*growers_[tree], plan_, tree, closed_depth);
    return trees;
  }

 private:
  const TrainingPlan& plan_;
  std::vector<std::optional<TreeGrower>> growers_;
};

// One run of train_forest().
class Training {
 public:
  Training(const TrainingPlan& plan, const RunContext& context)
      : plan_(plan),
        unit_(plan.staging.unit),
        context_(context),
        workers_(worker_count(context.threads)),
        splitters_(workers_),
        nursery_(plan),
        poll_(plan, workers_),
        harvest_(plan, context) {
    for (auto& splitter : splitters_) splitter = plan.make_splitter();
  }

  GrownForest run() {
    if (unit_ == StageUnit::level) plant_all();
    std::vector<double> losses;
    for (std::size_t stages = 0; !cancelled_(); ++stages) {
      const std::optional<Stage> stage = next_stage(stages);
      if (!stage) break;
      if (Loss* const loss = plan_.staging.loss) {
        if (unit_ == StageUnit::level) ask_all();
        losses.push_back(loss->retarget(poll_.votes(), workers_));
      }
      grow(*stage);
      if (plan_.staging.revision && !cancelled_()) revise_leaves();
      if (unit_ == StageUnit::level && !cancelled_()) end_level();
    }
    const bool cut_short =
        nursery_.any_unfinished() || (plan_.staging.revision && stopped_) || any_missing();
    if (cut_short && plan_.keeper) return stopped();
    if (unit_ == StageUnit::level) bring_in_all();
    if (plan_.keeper) harvest_.keep_grown();
    GrownForest grown = harvest_.finish();
    grown.cancelled = cut_short;
    grown.stage_losses = std::move(losses);
    return grown;
  }

 private:
  struct Stage {
    std::size_t first = 0, last = 0;  // the trees that grow: [first, last)
  };

  // The stage after `stages` others, if there is one.
  std::optional<Stage> next_stage(std::size_t stages) const {
    const std::size_t trees = nursery_.size();
    switch (unit_) {
      case StageUnit::forest:
        if (stages == 0) return Stage{0, trees};
        break;
      case StageUnit::tree:
        if (stages < trees) return Stage{stages, stages + 1};
        break;
      case StageUnit::level:
        if (nursery_.any_unfinished()) return Stage{0, trees};
        break;
    }
    return std::nullopt;
  }

  // Trees of a root only: what they say is where the first level begins.
  void plant_all() {
    for_each_task(nursery_.size(), workers_, [&](std::size_t worker, std::size_t tree) {
      if (!cancelled_()) end_stage(nursery_.plant(tree), worker);
    });
  }

  void ask_all() {
    poll_.ask_all(
        nursery_.size(), [&](std::size_t tree) -> auto& { return nursery_.planted(tree); });
  }

  void revise_leaves() {
    ask_all();
    plan_.staging.loss->retarget(poll_.votes(), workers_);
    const std::size_t trees = nursery_.size();
    LeafIds ids(plan_.columns.rows(), trees);
    std::vector<std::size_t> first{0};
    std::vector<float> payloads;
    for (std::size_t tree = 0; tree < trees; ++tree) {
      nursery_.planted(tree).write_leaf_ids(ids, tree);
      nursery_.planted(tree).append_payloads(payloads);
      first.push_back(first.back() + nursery_.planted(tree).leaves());
    }
    plan_.staging.revision->revise({ids, first, payloads}, workers_);
    const std::size_t size = plan_.leaf_model.payload_size();
    for_each_task(trees, workers_, [&](std::size_t, std::size_t tree) {
      nursery_.plant(tree).replace_payloads(
          std::span(payloads).subspan(first[tree] * size, (first[tree + 1] - first[tree]) * size));
    });
  }

  // A tree for each worker; those left over are grown by all workers together.
  void grow(const Stage& stage) {
    const std::size_t trees = stage.last - stage.first;
    const std::size_t together = unit_ == StageUnit::level ? 0 : trees % workers_;
    for_each_task(trees - together, workers_, [&](std::size_t worker, std::size_t task) {
      grow_tree(stage.first + task, worker, std::span(splitters_).subspan(worker, 1));
    });
    for (std::size_t tree = stage.last - together; tree < stage.last; ++tree)
      grow_tree(tree, 0, splitters_);
  }

  // With several splitters the tree itself is shared out among threads.
  void grow_tree(std::size_t tree, std::size_t worker,
                 std::span<const std::unique_ptr<NodeSplitter>> team) {
    if (cancelled_()) return;
    TreeGrower& grower = nursery_.plant(tree);
    if (unit_ == StageUnit::level) {
      grower.grow_one_level(*team.front(), cancelled_);
    } else {
      grower.grow_fully(team, cancelled_);
    }
    end_stage(grower, worker);
    if (unit_ == StageUnit::level || !grower.finished()) return;
    if (unit_ == StageUnit::tree && plan_.staging.loss) poll_.add(grower);
    harvest_.bring_in(grower, tree);
    nursery_.uproot(tree);
  }

  void end_stage(TreeGrower& grower, std::size_t worker) {
    poll_.counts_shares() ? poll_.count_new_leaves(grower, worker)
                          : grower.fit_new_leaves(plan_.leaf_model);
  }

  // Leaves of which only the shares were counted so far.
  void fit_leaves(std::size_t tree) {
    if (poll_.counts_shares()) nursery_.plant(tree).fit_all_leaves(plan_.leaf_model);
  }
  void fit_leaves() {
    for_each_task(nursery_.size(), workers_, [&](std::size_t, std::size_t tree) {
      if (nursery_.grower(tree)) fit_leaves(tree);
    });
  }

  void end_level() {
    ++levels_;
    if (!plan_.keeper || !plan_.keeper->due(0) || behind_record()) return;
    const Stopwatch watch;
    fit_leaves();
    StandingTrees standing(plan_, StandingTrees::Leaves::kept);
    for (const StandingTree& tree : nursery_.standing(levels_)) standing.append(tree);
    plan_.keeper->keep_beside(std::move(standing),
                              {.seconds = watch.seconds() * static_cast<double>(workers_)});
  }

  // Trees neither grown nor growing.
  bool any_missing() const {
    for (std::size_t tree = 0; tree < nursery_.size(); ++tree)
      if (!harvest_.holds(tree) && !nursery_.grower(tree)) return true;
    return false;
  }

  // Whether the record has more than the trees as they stand.
  bool behind_record() const {
    for (std::size_t tree = 0; tree < plan_.keeper->recorded_trees(); ++tree) {
      if (!plan_.keeper->recorded(tree) || harvest_.holds(tree)) continue;
      const TreeGrower* const grower = nursery_.grower(tree);
      if (!grower || grower->behind_record()) return true;
    }
    return false;
  }

  // Levels that are complete close their leaves; of trees that grow as a whole all may grow on.
  GrownForest stopped() {
    if (!behind_record()) {
      // A root is record enough, if there is nothing else.
      if (!harvest_.holds(0) && nursery_.empty())
        nursery_.plant(0).fit_new_leaves(plan_.leaf_model);
      fit_leaves();
      harvest_.keep_stopped(nursery_.standing(levels_));
    }
    GrownForest none;
    none.cancelled = true;
    return none;
  }

  // Also trees that were stopped between two levels: they are less deep, but whole.
  void bring_in_all() {
    for_each_task(nursery_.size(), workers_, [&](std::size_t, std::size_t tree) {
      if (!nursery_.grower(tree)) return;
      fit_leaves(tree);
      harvest_.bring_in(*nursery_.grower(tree), tree);
      nursery_.uproot(tree);
    });
  }

  const TrainingPlan& plan_;
  const StageUnit unit_;
  const RunContext& context_;
  const std::size_t workers_;
  std::uint32_t levels_ = 0;           // that all trees have completed
  std::atomic<bool> stopped_ = false;  // once cancelled, always
  const std::function<bool()> cancelled_ = [this] {
    if (!stopped_ && context_.cancelled && context_.cancelled()) stopped_ = true;
    return stopped_.load();
  };
  std::vector<std::unique_ptr<NodeSplitter>> splitters_;
  Nursery nursery_;
  Poll poll_;
  Harvest harvest_;
};

}  // namespace

GrownForest train_forest(const TrainingPlan& plan, const RunContext& context) {
  return Training(plan, context).run();
}

}  // namespace coppice
