#include "grow/harvest.h"

#include <algorithm>

namespace coppice {

Harvest::Harvest(const TrainingPlan& plan, const RunContext& context)
    : context_(context),
      leaf_model_(plan.leaf_model),
      planned_(plan.forest.trees),
      builder_(plan.leaf_model.payload_size()) {
  grown_.gains.assign(plan.columns.features(), 0);
  builder_.set_centres({plan.columns.centres().begin(), plan.columns.centres().end()});
  if (plan.keep_leaf_ids) grown_.leaf_ids = LeafIds(plan.columns.rows(), plan.forest.trees);
}

void Harvest::bring_in(const TreeGrower& grower, std::size_t tree) {
  Sheaf sheaf{grower.arrays(), std::vector<double>(grown_.gains.size()), grower.depth()};
  grower.add_gains(sheaf.gains);
  const std::size_t size = leaf_model_.payload_size();
  for (std::size_t i = 0; i < sheaf.arrays.payload.size(); i += size)
    leaf_model_.finish(tree, std::span(sheaf.arrays.payload).subspan(i, size));
  if (!grown_.leaf_ids.empty()) grower.write_leaf_ids(grown_.leaf_ids, tree);

  std::scoped_lock lock(mutex_);
  waiting_.emplace(tree, std::move(sheaf));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == grown_.trees;
       next = waiting_.erase(next))
    append(next->second);
  if (context_.progress) context_.progress({grown_.trees + waiting_.size(), planned_});
}

void Harvest::append(const Sheaf& sheaf) {
  builder_.append(sheaf.arrays);
  for (std::size_t f = 0; f < sheaf.gains.size(); ++f) grown_.gains[f] += sheaf.gains[f];
  grown_.max_depth = std::max(grown_.max_depth, sheaf.depth);
  ++grown_.trees;
}

GrownForest Harvest::finish() {
  if (!grown_.leaf_ids.empty()) grown_.leaf_ids.keep_trees(grown_.trees);
  for (double& gain : grown_.gains)
    gain /= static_cast<double>(std::max<std::size_t>(1, grown_.trees));
  grown_.storage = builder_.finish();
  return std::move(grown_);
}

}  // namespace coppice
