#include "grow/standing_trees.h"

namespace coppice {

StandingTree::StandingTree(const TreeGrower& grower, const TrainingPlan& plan,
                           std::size_t tree_number, std::uint32_t closed)
    : arrays(grower.arrays()),
      root_weight(grower.root_weight()),
      number(static_cast<std::uint32_t>(tree_number)),
      closed_depth(closed) {
  if (plan.keeper) split_gains = grower.split_gains();
  const std::size_t size = plan.leaf_model.payload_size();
  for (std::size_t i = 0; i < arrays.payload.size(); i += size)
    plan.leaf_model.finish(tree_number, std::span(arrays.payload).subspan(i, size));
}

StandingTrees::StandingTrees(const TrainingPlan& plan, Leaves leaves)
    : recording_(plan.keeper != nullptr),
      builder_(leaves == Leaves::kept ? ForestBuilder(plan.leaf_model.payload_size())
                                      : ForestBuilder::without_leaves()) {
  builder_.set_centres({plan.columns.centres().begin(), plan.columns.centres().end()});
}

void StandingTrees::append(const StandingTree& tree) {
  builder_.append(tree.arrays);
  if (!recording_) return;
  gain_.insert(gain_.end(), tree.split_gains.begin(), tree.split_gains.end());
  root_weight_.push_back(tree.root_weight);
  number_.push_back(tree.number);
  closed_depth_.push_back(tree.closed_depth);
}

CheckpointArrays StandingTrees::arrays() const {
  return {
      .gain = gain_, .root_weight = root_weight_, .number = number_, .closed_depth = closed_depth_};
}

std::size_t StandingTrees::bytes() const {
  const ForestArrays trees = builder_.view();
  const ProjectionArrays& projections = trees.projections;
  return 20 * trees.splits() + trees.category_words.size_bytes() + trees.payload.size_bytes() +
         trees.support.size_bytes() + trees.payload_row.wide.size_bytes() +
         8 * projections.count() + 16 * projections.terms();
}

void StandingTrees::forget_record() {
  recording_ = false;
  gain_ = root_weight_ = {};
  number_ = closed_depth_ = {};
}

}  // namespace coppice
