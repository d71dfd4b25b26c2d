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

StandingTrees::StandingTrees(const TrainingPlan& plan)
    : keeper_(plan.keeper), builder_(plan.leaf_model.payload_size()) {
  builder_.set_centres({plan.columns.centres().begin(), plan.columns.centres().end()});
}

void StandingTrees::append(const StandingTree& tree) {
  builder_.append(tree.arrays);
  if (!keeper_) return;
  gain_.insert(gain_.end(), tree.split_gains.begin(), tree.split_gains.end());
  root_weight_.push_back(tree.root_weight);
  number_.push_back(tree.number);
  closed_depth_.push_back(tree.closed_depth);
}

void StandingTrees::keep(RecordKeeper::Occasion occasion) const {
  if (number_.empty()) return;
  keeper_->keep(builder_.view(),
                {.gain = gain_,
                 .root_weight = root_weight_,
                 .number = number_,
                 .closed_depth = closed_depth_},
                occasion);
}

}  // namespace coppice
