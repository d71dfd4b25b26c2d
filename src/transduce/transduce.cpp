#include "transduce/transduce.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/worker_team.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"
#include "transduce/leaf_graph.h"

namespace coppice {
namespace {

// What labelled rows say in the leaves of one tree: sums of weights of each class, or of weighted
// targets and their squares.
class LeafLabels {
 public:
  LeafLabels(const DatasetView& data, const LeafIds& ids, std::size_t tree, std::size_t leaves)
      : classes_(!data.labels.empty()),
        outputs_(classes_ ? data.schema->classes.size() : data.schema->targets.size()),
        weights_(leaves, 0),
        sums_(leaves * width(), 0) {
    for (std::size_t row = 0; row < data.rows; ++row)
      if (is_labelled(data, row)) add(data, row, ids.leaf(tree, row));
  }

  // The leaves that have any.
  std::vector<std::uint32_t> sources() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t leaf = 0; leaf < weights_.size(); ++leaf)
      if (weights_[leaf] > 0) found.push_back(leaf);
    return found;
  }

  void append_payload(std::size_t leaf, std::vector<float>& payload) const {
    const double* const sums = sums_.data() + leaf * width();
    for (std::size_t k = 0; k < outputs_; ++k)
      payload.push_back(static_cast<float>(sums[k] / weights_[leaf]));
    for (std::size_t k = 0; !classes_ && k < outputs_; ++k) {
      const double mean = sums[k] / weights_[leaf];
      const double variance = sums[outputs_ + k] / weights_[leaf] - mean * mean;
      payload.push_back(static_cast<float>(std::max(0.0, variance)));
    }
  }

 private:
  std::size_t width() const { return classes_ ? outputs_ : 2 * outputs_; }

  void add(const DatasetView& data, std::size_t row, std::size_t leaf) {
    const double weight = data.weights.empty() ? 1 : double{data.weights[row]};
    double* const sums = sums_.data() + leaf * width();
    weights_[leaf] += weight;
    if (classes_) sums[data.labels[row]] += weight;
    for (std::size_t k = 0; !classes_ && k < outputs_; ++k) {
      const double target = data.targets[row * outputs_ + k];
      sums[k] += weight * target;
      sums[outputs_ + k] += weight * target * target;
    }
  }

  bool classes_;
  std::size_t outputs_;
  std::vector<double> weights_, sums_;
};

std::vector<float> payload_of_tree(const DatasetView& data, const LeafIds& ids, std::size_t tree,
                                   std::size_t leaves, const TransductionRule& rule) {
  const LeafLabels labels(data, ids, tree, leaves);
  const LeafGraph graph = leaf_graph(LeafGaussians(rule.space, ids, tree, leaves), rule.neighbours);
  const NearestSources nearest = nearest_sources(graph, labels.sources());
  std::vector<float> payload;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    labels.append_payload(nearest.source[leaf], payload);
  return payload;
}

}  // namespace

bool is_labelled(const DatasetView& data, std::size_t row) {
  if (!data.labels.empty()) return data.labels[row] != kNoLabel;
  const std::size_t outputs = data.schema->targets.size();
  for (std::size_t k = 0; k < outputs; ++k)
    if (!std::isfinite(data.targets[row * outputs + k])) return false;
  return outputs > 0 && !data.targets.empty();
}

Forest transduced(const Forest& grown, const LeafIds& ids, const DatasetView& data,
                  const TransductionRule& rule, std::size_t workers) {
  std::vector<TreeArrays> trees(grown.trees());
  for_each_task(grown.trees(), workers, [&](std::size_t, std::size_t t) {
    trees[t] = copy_tree(grown, t, {}).tree;
    trees[t].payload = payload_of_tree(data, ids, t, trees[t].right.size() + 1, rule);
  });
  const ForestArrays& arrays = grown.arrays();
  ForestBuilder builder(arrays.payload_size);
  builder.set_centres({arrays.projections.centre.begin(), arrays.projections.centre.end()});
  for (const TreeArrays& tree : trees) builder.append(tree);
  return Forest(builder.finish(), grown.info());
}

}  // namespace coppice
