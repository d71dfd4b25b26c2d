// Collects trees as they are finished, in any order, and keeps them in theirs: at any moment it
// holds the first k trees of the forest.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "grow/forest_trainer.h"
#include "grow/tree_grower.h"
#include "model/forest_builder.h"

namespace coppice {

class Harvest {
 public:
  Harvest(const TrainingPlan&, const RunContext&);

  // Safe to call from several threads. REQUIRES: the leaves of the tree are fitted.
  void bring_in(const TreeGrower&, std::size_t tree);

  GrownForest finish();

 private:
  struct Sheaf {
    TreeArrays arrays;
    std::vector<double> gains;
    std::size_t depth = 0;
  };
  void append(const Sheaf&);

  const RunContext& context_;
  const LeafModel& leaf_model_;
  std::size_t planned_;
  std::mutex mutex_;
  std::map<std::size_t, Sheaf> waiting_;  // for trees before them
  ForestBuilder builder_;
  GrownForest grown_;
};

}  // namespace coppice
