#include "transduce/transduce.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/worker_team.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"
#include "transduce/leaf_graph.h"
#include "transduce/row_graph.h"

namespace coppice {
namespace {

// Where rows lie, and which are next to each other; the same for all trees.
struct RowMap {
  std::size_t dimensions;
  std::vector<double> place;  // rows x dimensions
  RowGraph graph;
  std::vector<std::uint32_t> labelled;
};

RowMap row_map(const DatasetView& data, const FixedPointTargets& space, std::size_t workers) {
  constexpr std::size_t kNeighbours = 8;
  RowMap map{space.outputs(), {}, {}, {}};
  map.place.reserve(data.rows * map.dimensions);
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::size_t k = 0; k < map.dimensions; ++k)
      map.place.push_back(static_cast<double>(space.value(row, k)) * space.unit(k));
    if (is_labelled(data, row) && (data.weights.empty() || data.weights[row] > 0))
      map.labelled.push_back(static_cast<std::uint32_t>(row));
  }
  map.graph = row_graph(map.place, map.dimensions, kNeighbours, workers);
  return map;
}

// The labelled row that each row is nearest to, by steps between rows that are next to each other.
// Their length is that of steps between leaves, see LeafGraph.
NearestSources nearest_labels(const RowMap& map, const LeafIds& ids, std::size_t tree,
                              const LeafGaussians& leaves) {
  std::vector<double> step(map.dimensions);
  return nearest_sources(ids.rows(), map.labelled, [&](std::uint32_t row, auto&& visit) {
    const double* const from = map.place.data() + row * map.dimensions;
    for (std::size_t at = map.graph.first[row]; at < map.graph.first[row + 1]; ++at) {
      const std::uint32_t other = map.graph.to[at];
      const double* const to = map.place.data() + other * map.dimensions;
      for (std::size_t k = 0; k < map.dimensions; ++k) step[k] = to[k] - from[k];
      const double distance = leaves.distance(ids.leaf(tree, row), ids.leaf(tree, other), step);
      visit(other, distance * distance);
    }
  });
}

// What the labels that arrive say in the leaves of one tree: sums of weights of each class, or of
// weighted targets and their squares.
class LeafLabels {
 public:
  LeafLabels(const DatasetView& data, const NearestSources& nearest, const LeafIds& ids,
             std::size_t tree, std::size_t leaves)
      : classes_(!data.labels.empty()),
        outputs_(classes_ ? data.schema->classes.size() : data.schema->targets.size()),
        weights_(leaves, 0),
        sums_(leaves * width(), 0) {
    for (std::size_t row = 0; row < data.rows; ++row)
      if (nearest.source[row] != NearestSources::kNone)
        add(data, nearest.source[row], data.weights.empty() ? 1 : double{data.weights[row]},
            ids.leaf(tree, row));
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

  void add(const DatasetView& data, std::size_t row, double weight, std::size_t leaf) {
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
                                   std::size_t leaves, const TransductionRule& rule,
                                   const RowMap& map) {
  const LeafGaussians gaussians(rule.space, ids, tree, leaves);
  const LeafLabels labels(data, nearest_labels(map, ids, tree, gaussians), ids, tree, leaves);
  const std::vector<std::uint32_t> sources = labels.sources();
  NearestSources nearest{sources, {}};
  if (sources.size() < leaves)
    nearest = nearest_sources(leaf_graph(gaussians, rule.neighbours), sources);
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
  const RowMap map = row_map(data, rule.space, workers);
  for_each_task(grown.trees(), workers, [&](std::size_t, std::size_t t) {
    trees[t] = copy_tree(grown, t, {}).tree;
    trees[t].payload = payload_of_tree(data, ids, t, trees[t].right.size() + 1, rule, map);
  });
  const ForestArrays& arrays = grown.arrays();
  ForestBuilder builder(arrays.payload_size);
  builder.set_centres({arrays.projections.centre.begin(), arrays.projections.centre.end()});
  for (const TreeArrays& tree : trees) builder.append(tree);
  return Forest(builder.finish(), grown.info());
}

}  // namespace coppice
