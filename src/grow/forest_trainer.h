// Trains a forest in stages. What grows between two re-targetings - the forest, one tree, one level
// - is all that tells bagging, boosting and alternating forests apart.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"
#include "data/coded_columns.h"
#include "grow/record_keeper.h"
#include "leaf/leaf_model.h"
#include "split/node_splitter.h"

namespace coppice {

enum class StageUnit {
  forest,  // every tree to the end: one stage, a classic random forest
  tree,    // one tree to the end: boosting
  level,   // one level of every tree: alternating forests
};

// What trees say so far of the rows that they are trained on, and of those out of their bags.
struct Votes {
  std::vector<float> sums;           // rows x votes_size, added in the order of the trees
  std::vector<std::uint32_t> trees;  // per row: those that were counted
};

// Says what the next stage should learn, given what the trees say so far.
class Loss {
 public:
  virtual ~Loss() = default;
  // Called before every stage. Updates the working targets and weights that objective and leaf
  // model were bound to; returns the mean loss of the rows. The workers change no bit.
  virtual double retarget(const Votes&, std::size_t workers) = 0;
};

// The leaves of all trees as they stand after a level.
struct StandingLeaves {
  const LeafIds& ids;                     // of all rows
  const std::vector<std::size_t>& first;  // per tree, and the number of all leaves
  std::vector<float>& payloads;           // leaves x payload size, to be changed in place
};

// Learns the leaves of all trees anew together, after every level.
class LeafRevision {
 public:
  virtual ~LeafRevision() = default;
  // The loss was asked to re-target just before.
  virtual void revise(const StandingLeaves&, std::size_t workers) = 0;
};

struct Staging {
  StageUnit unit = StageUnit::forest;
  Loss* loss = nullptr;              // none: targets and weights stay as they are
  LeafRevision* revision = nullptr;  // of levels
  float vote_scale = 1;              // of a tree's payload in the votes
  bool out_of_bag_votes = false;     // a tree says nothing of the rows in its bag
  bool bags_by_weight = false;       // rows are drawn in proportion to the plan's weights
};

// Everything that training needs; borrowed.
struct TrainingPlan {
  const CodedColumns& columns;
  std::span<const std::uint32_t> weights;                        // units per row; 0: never drawn
  std::function<std::unique_ptr<NodeSplitter>()> make_splitter;  // one per worker
  const LeafModel& leaf_model;
  ForestOptions forest;
  SamplingOptions sampling;
  GrowthOptions growth;
  Staging staging = {};
  std::span<const std::uint32_t> drawn_classes = {};  // that bags draw equally often, by row
  bool keep_leaf_ids = false;
  RecordKeeper* keeper = nullptr;  // if the training can be continued
};

struct GrownForest {
  ForestStorage storage;
  LeafIds leaf_ids;           // if asked for
  std::vector<double> gains;  // per feature, the mean over trees, in units of weight
  std::size_t trees = 0;      // fewer than asked for only if cancelled
  // Trees are missing or, of levels, all are less deep; if somebody keeps them, there are none
  // here.
  bool cancelled = false;
  std::size_t max_depth = 0;
  std::vector<double> stage_losses;  // if there is a loss: before each stage
};

GrownForest train_forest(const TrainingPlan&, const RunContext&);

}  // namespace coppice
