// Trees as they stand, one after the other in the arrays of a forest, with what it takes to grow
// them on if somebody keeps that.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/forest_trainer.h"
#include "grow/record_keeper.h"
#include "grow/tree_grower.h"
#include "model/forest_builder.h"

namespace coppice {

// What the model and the record have of a tree.
struct StandingTree {
  // As CheckpointArrays has number and closed depth. REQUIRES: the leaves are fitted.
  StandingTree(const TreeGrower&, const TrainingPlan&, std::size_t number,
               std::uint32_t closed_depth);

  TreeArrays arrays;
  std::vector<double> split_gains;  // if somebody keeps them
  double root_weight;
  std::uint32_t number, closed_depth;
};

class StandingTrees {
 public:
  explicit StandingTrees(const TrainingPlan&);

  void append(const StandingTree&);
  // REQUIRES: a keeper. Does nothing if there is no tree.
  void keep(RecordKeeper::Occasion) const;
  ForestStorage finish() { return builder_.finish(); }

 private:
  RecordKeeper* keeper_;
  ForestBuilder builder_;
  std::vector<double> gain_, root_weight_;
  std::vector<std::uint32_t> number_, closed_depth_;
};

}  // namespace coppice
