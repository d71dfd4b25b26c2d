// A task bound to its data: objective, leaf model and what a leaf's payload means.
#pragma once

#include <functional>
#include <memory>

#include "coppice/dataset.h"
#include "coppice/model.h"
#include "coppice/options.h"
#include "data/coded_columns.h"
#include "data/fixed_point.h"
#include "grow/forest_trainer.h"
#include "leaf/linear.h"
#include "split/split_search.h"
#include "tasks/working_weights.h"

namespace coppice {

using SplitterFactory = std::function<std::unique_ptr<NodeSplitter>(
    const CodedColumns&, std::unique_ptr<WeakLearner>, SearchLimits)>;

struct Task {
  PayloadKind payload_kind = PayloadKind::class_histogram;
  std::unique_ptr<FixedPointTargets> targets = {};         // of numbers
  std::unique_ptr<FixedPointTargets> energy_targets = {};  // if splits look at others
  std::vector<std::uint8_t> labelled = {};                 // per row, if some are not
  std::unique_ptr<LeafModel> leaf_model = {};
  SplitterFactory make_splitter = {};
  // Methods in stages only.
  std::unique_ptr<WorkingWeights> working_weights = {};
  std::unique_ptr<Loss> loss = {};
  std::unique_ptr<LeafRevision> revision = {};
  Staging staging = {};
  bool trees_add_up = false;  // a tree alone says nothing: Ensemble::sum
};

// From what the user chose to what the inner loops run; visited once per fit. Data and weights are
// borrowed.
Task bind_task(const TaskChoice&, const DatasetView&, const FixedPointWeights&);

// Splits that tell classes apart, or explain targets. Weights are units per row.
SplitterFactory class_splitters(const Classification&, const DatasetView&,
                                std::span<const std::uint32_t> weights);
SplitterFactory variance_splitters(const FixedPointTargets&,
                                   std::span<const std::uint32_t> weights);
// Targets and features in one table are needed by FeatureVarianceObjective only.
SplitterFactory target_splitters(const Regression&, const FixedPointTargets&,
                                 const FixedPointWeights&,
                                 const FixedPointTargets* with_features = nullptr);

// Floats of a leaf's payload.
std::size_t payload_floats(const TaskChoice&, const Schema&);

// What the leaf model keeps of the data while the forest grows.
std::size_t leaf_model_bytes(const TaskChoice&, const Schema&, std::size_t rows);

// What the objective keeps of the data while the forest grows, and each of its workers.
struct ObjectiveBytes {
  std::size_t shared = 0, per_worker = 0;
};
ObjectiveBytes objective_bytes(const TaskChoice&, const Schema&, std::size_t rows);

// The weight of every row: the sample's times its class's.
std::vector<double> row_weights(const TaskChoice&, const DatasetView&);

// The classes that bags draw equally often; empty if they do not.
std::span<const std::uint32_t> drawn_classes(const TaskChoice&, const DatasetView&);

// In-bag samples that a leaf of this task keeps at least.
std::uint32_t least_leaf_samples(const FitOptions&, std::size_t features);

LinearLeafRule rule_of(const LinearLeaf&);

// Bins per feature of this choice for this task.
std::uint32_t bins_per_feature(const BinnedThresholds&, const TaskChoice&);
std::uint32_t rows_searched_exactly(const BinnedThresholds&, const TaskChoice&);

// Features drawn per node, at least 1.
std::size_t features_per_node(const FeatureChoice&, const TaskChoice&, std::size_t features);

}  // namespace coppice
