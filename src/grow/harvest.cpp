#include "grow/harvest.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace coppice {

Harvest::Harvest(const TrainingPlan& plan, const RunContext& context)
    : plan_(plan),
      context_(context),
      keeper_(plan.staging.unit == StageUnit::level ? nullptr : plan.keeper),
      standing_(plan, StandingTrees::Leaves::kept) {
  grown_.gains.assign(plan.columns.features(), 0);
  if (plan.keep_leaf_ids) grown_.leaf_ids = LeafIds(plan.columns.rows(), plan.forest.trees);
  if (keeper_ && keeper_->first_part_complete()) begin_further_part();
}

void Harvest::bring_in(const TreeGrower& grower, std::size_t tree) {
  Sheaf sheaf{StandingTree(grower, plan_, tree, CheckpointArrays::kFinished),
              std::vector<double>(grown_.gains.size()), grower.depth()};
  add_gains(sheaf.tree.arrays, sheaf.tree.split_gains, sheaf.gains);
  if (!grown_.leaf_ids.empty()) grower.write_leaf_ids(grown_.leaf_ids, tree);

  std::scoped_lock lock(mutex_);
  waiting_.emplace(tree, std::move(sheaf));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == grown_.trees;
       next = waiting_.erase(next))
    append(next->second);
  if (context_.progress) context_.progress({grown_.trees + waiting_.size(), plan_.forest.trees});
  keep_if_due();
}

// Not before there is more than the record has. A part that stays open, and the first one, of which
// the model is made, are copied.
void Harvest::keep_if_due() {
  if (!keeper_ || grown_.trees <= keeper_->recorded_trees()) return;
  const std::size_t bytes = open_part().bytes();
  if (open_part().empty() || !keeper_->due(bytes)) return;
  const Stopwatch watch;
  const bool complete = keeper_->completes(bytes);
  StandingTrees kept = complete && further_ ? std::move(*further_) : open_part();
  if (complete) begin_further_part();
  keeper_->keep_beside(std::move(kept), {.complete = complete, .seconds = watch.seconds()});
}

void Harvest::begin_further_part() {
  standing_.forget_record();
  further_.emplace(plan_, StandingTrees::Leaves::left_out);
}

void Harvest::keep_grown() { plan_.keeper->keep_now(open_part(), RecordKeeper::Occasion::grown); }

void Harvest::keep_stopped(const std::vector<StandingTree>& growing) {
  for (const auto& [number, sheaf] : waiting_)
    if (!plan_.keeper->stored(number)) open_part().append(sheaf.tree);
  for (const StandingTree& tree : growing) open_part().append(tree);
  plan_.keeper->keep_now(open_part(), RecordKeeper::Occasion::stopped);
}

void Harvest::append(const Sheaf& sheaf) {
  standing_.append(sheaf.tree);
  if (further_ && !keeper_->stored(sheaf.tree.number)) further_->append(sheaf.tree);
  for (std::size_t f = 0; f < sheaf.gains.size(); ++f) grown_.gains[f] += sheaf.gains[f];
  grown_.max_depth = std::max(grown_.max_depth, sheaf.depth);
  ++grown_.trees;
}

GrownForest Harvest::finish() {
  if (!grown_.leaf_ids.empty()) grown_.leaf_ids.keep_trees(grown_.trees);
  for (double& gain : grown_.gains)
    gain /= static_cast<double>(std::max<std::size_t>(1, grown_.trees));
  grown_.storage = standing_.finish();
  return std::move(grown_);
}

}  // namespace coppice
