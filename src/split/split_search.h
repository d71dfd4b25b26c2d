// The only place where candidates are compared; one instance per objective, shared by every task.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "split/category_search.h"
#include "split/column_search.h"
#include "split/loaded_node.h"
#include "split/node_splitter.h"
#include "split/number_search.h"
#include "split/weak_learner.h"

namespace coppice {

template <Objective O>
class SplitSearch final : public NodeSplitter {
 public:
  // Weights are units per row (see FixedPointWeights).
  SplitSearch(const CodedColumns& columns, O objective, std::span<const std::uint32_t> weights,
              std::unique_ptr<WeakLearner> learner, SearchLimits limits)
      : columns_(columns),
        objective_(objective),
        weights_(weights),
        learner_(std::move(learner)),
        limits_(limits),
        at_hand_(objective_, node_, limits_) {}

  void begin_tree(const NodeSamples& tree) override {
    node_.load(objective_, tree, weights_);
    for (std::size_t feature = 0; feature < columns_.features(); ++feature) {
      if (columns_.column(feature).kind != FeatureKind::categorical) continue;
      at_hand_.codes.gather(columns_.column(feature), tree.rows);
      categories_.begin_tree(at_hand_, feature);
    }
  }

  std::optional<ChosenSplit> best_split(const NodeSamples& node, RandomStream random) override {
    NodeSamples searched{searched_rows(node, random.child(kSubset)), node.draws};
    if (!load_impure(node, searched)) return std::nullopt;
    learner_->begin(searched, random.child(kProjections));
    Boundary best;
    ChosenSplit split;
    bool splittable = node_.samples < kLargeNode;
    for (std::size_t tried = 0; tried < learner_->candidates() || !splittable; ++tried) {
      const std::optional<Projection> projection = learner_->propose();
      if (!projection) break;
      const Boundary found = search(projection->feature, searched,
                                    random.child(kThresholds).child(tried), best, split);
      splittable = splittable || !at_hand_.codes.constant();
      if (found.found()) best = found;
    }
    if (!best.found()) return std::nullopt;
    const double searched_share =
        static_cast<double>(searched.rows.size()) / static_cast<double>(node.rows.size());
    split.gain = (objective_.cost(node_.sums.data()) - best.cost) / searched_share;
    split.node_weight = static_cast<double>(node_.weight) / searched_share;
    return split;
  }

 private:
  // Purposes of a node's random streams; 0 and 1 are its children.
  enum Purpose : std::uint64_t { kSubset = 2, kProjections = 3, kThresholds = 4 };

  // A node of so many samples that only meets constant candidates draws on until it meets another;
  // a smaller one becomes a leaf, which guards against fitting noise with what little is left.
  static constexpr std::uint32_t kLargeNode = 200;

  // Loads the searched rows, or all of the node's if those are pure. False if the node is pure.
  bool load_impure(const NodeSamples& node, NodeSamples& searched) {
    node_.load(objective_, searched, weights_);
    if (!node_.pure(objective_)) return true;
    if (searched.rows.size() == node.rows.size()) return false;
    searched = node;
    node_.load(objective_, searched, weights_);
    return !node_.pure(objective_);
  }

  // The node's rows, or a random subset of them in the same order (selection sampling).
  std::span<const SampleId> searched_rows(const NodeSamples& node, RandomStream random) {
    if (node.rows.size() <= limits_.max_node_samples) return node.rows;
    subset_.clear();
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const auto left = static_cast<std::uint32_t>(node.rows.size() - i);
      if (random.below(left) < limits_.max_node_samples - subset_.size())
        subset_.push_back(node.rows[i]);
    }
    return subset_;
  }

  // A boundary of the candidate that beats `best`, described in `split`, or one that is not found.
  Boundary search(std::uint32_t feature, const NodeSamples& node, RandomStream random,
                  const Boundary& best, ChosenSplit& split) {
    const CodedColumn& column = columns_.column(feature);
    at_hand_.codes.gather(column, node.rows);
    if (at_hand_.codes.constant()) return {};
    const Boundary found = column.kind == FeatureKind::categorical
                               ? categories_.search(at_hand_, feature, random, best, split)
                               : numbers_.search(at_hand_, column, random, best, split);
    if (!found.found()) return found;
    split.feature = feature;
    split.missing_left = goes_missing_left(found, at_hand_.codes.missing, node_.samples);
    return found;
  }

  const CodedColumns& columns_;
  const O objective_;
  std::span<const std::uint32_t> weights_;
  std::unique_ptr<WeakLearner> learner_;
  const SearchLimits limits_;

  std::vector<SampleId> subset_;
  LoadedNode<O> node_;
  ColumnSearch<O> at_hand_;
  NumberSearch<O> numbers_;
  CategorySearch<O> categories_;
};

}  // namespace coppice
