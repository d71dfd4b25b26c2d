// Collects trees as they are finished, in any order, and keeps them in theirs: at any moment it
// holds the first k trees of the forest.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "grow/forest_trainer.h"
#include "grow/standing_trees.h"
#include "grow/tree_grower.h"

namespace coppice {

class Harvest {
 public:
  Harvest(const TrainingPlan&, const RunContext&);

  // Safe to call from several threads. REQUIRES: the leaves of the tree are fitted.
  void bring_in(const TreeGrower&, std::size_t tree);

  bool holds(std::size_t tree) const { return tree < grown_.trees || waiting_.contains(tree); }

  // All trees are in. REQUIRES: a keeper, as the next one does.
  void keep_grown();
  // Keeps all trees, those that still grow as they stand. Ends the harvest.
  void keep_stopped(const std::vector<StandingTree>& growing);

  GrownForest finish();

 private:
  struct Sheaf {
    StandingTree tree;
    std::vector<double> gains;
    std::size_t depth = 0;
  };
  void append(const Sheaf&);
  void keep_if_due();
  StandingTrees& open_part() { return further_ ? *further_ : standing_; }
  void begin_further_part();

  const TrainingPlan& plan_;
  const RunContext& context_;
  RecordKeeper* keeper_;  // of trees that are brought in one by one
  std::mutex mutex_;
  std::map<std::size_t, Sheaf> waiting_;  // for trees before them
  StandingTrees standing_;                // all trees; the record of the first part
  std::optional<StandingTrees> further_;  // once that is complete: the part that is open
  GrownForest grown_;
};

}  // namespace coppice
