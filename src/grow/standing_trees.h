// Trees as they stand, one after the other in the arrays of a forest, with what it takes to grow
// them on if somebody keeps that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/forest_trainer.h"
#include "grow/tree_grower.h"
#include "model/checkpoint_arrays.h"
#include "model/forest_builder.h"

namespace coppice {

// What the model and the record have of a tree.
struct StandingTree {
  // As CheckpointArrays has number and closed depth. REQUIRES: the leaves are fitted.
  StandingTree(const TreeGrower&, const TrainingPlan&, std::size_t number,
               std::uint32_t closed_depth);

  TreeArrays arrays;
  std::vector<double> split_gains;
  double root_weight;
  std::uint32_t number, closed_depth;
};

// gains[feature] += the gains of its splits, in the order of the arrays. A sum of terms shares its
// gain out among their features.
void add_gains(const TreeArrays&, std::span<const double> split_gains, std::span<double> gains);

class StandingTrees {
 public:
  enum class Leaves { kept, left_out };
  StandingTrees(const TrainingPlan&, Leaves);

  void append(const StandingTree&);

  // What there is to be kept, until the next call of anything else.
  bool empty() const { return number_.empty(); }
  ForestArrays trees() const { return builder_.view(); }
  CheckpointArrays arrays() const;
  std::size_t bytes() const;
  // What is only about growing on, so far and from now on.
  void forget_record();

  ForestStorage finish() { return builder_.finish(); }

 private:
  bool recording_;
  ForestBuilder builder_;
  std::vector<double> gain_, root_weight_;
  std::vector<std::uint32_t> number_, closed_depth_;
};

}  // namespace coppice
