#include "grow/standing_trees.h"

#include "coppice/model.h"

namespace coppice {

StandingTree::StandingTree(const TreeGrower& grower, const TrainingPlan& plan,
                           std::size_t tree_number, std::uint32_t closed)
    : root_weight(grower.root_weight()),
      number(static_cast<std::uint32_t>(tree_number)),
      closed_depth(closed) {
  TreeGrower::Standing standing = grower.standing();
  arrays = std::move(standing.arrays);
  split_gains = std::move(standing.split_gains);
  const std::size_t size = plan.leaf_model.payload_size();
  for (std::size_t i = 0; i < arrays.payload.size(); i += size)
    plan.leaf_model.finish(tree_number, std::span(arrays.payload).subspan(i, size));
}

void add_gains(const TreeArrays& tree, std::span<const double> split_gains,
               std::span<double> gains) {
  std::size_t next_term = 0;
  for (std::size_t split = 0; split < split_gains.size(); ++split) {
    const std::uint32_t number = tree.code[split] & SplitCode::kFeatureMask;
    if (SplitCode::kind_of(tree.code[split]) != Split::Kind::projection) {
      gains[number] += split_gains[split];
      continue;
    }
    const std::size_t terms = tree.terms_of[number];
    const double share = split_gains[split] / static_cast<double>(2 * terms);
    for (const Term& term : std::span(tree.terms).subspan(next_term, terms)) {
      gains[term.feature] += share;
      gains[term.partner == Term::kNoPartner ? term.feature : term.partner] += share;
    }
    next_term += terms;
  }
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
