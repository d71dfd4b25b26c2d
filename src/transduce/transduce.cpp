#include "transduce/transduce.h"

#include <algorithm>
#include <cmath>
#include <span>
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
  RowGraph graph;
  std::vector<double> place;              // nodes x dimensions
  std::vector<std::uint32_t> labelled;    // rows
  std::vector<std::uint32_t> label_node;  // their nodes
};

RowMap row_map(const DatasetView& data, const FixedPointTargets& space, std::size_t workers) {
  constexpr std::size_t kNeighbours = 8;
  RowMap map{space.outputs(), {}, {}, {}, {}};
  std::vector<double> place_of_row;
  place_of_row.reserve(data.rows * map.dimensions);
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::size_t k = 0; k < map.dimensions; ++k)
      place_of_row.push_back(static_cast<double>(space.value(row, k)) * space.unit(k));
    if (is_labelled(data, row) && (data.weights.empty() || data.weights[row] > 0))
      map.labelled.push_back(static_cast<std::uint32_t>(row));
  }
  map.graph = row_graph(place_of_row, map.dimensions, kNeighbours, workers);
  std::vector<std::uint32_t> node_of_row(data.rows);
  map.place.reserve(place_of_row.size());
  for (std::uint32_t node = 0; node < data.rows; ++node) {
    const std::size_t row = map.graph.row[node];
    node_of_row[row] = node;
    const double* const from = place_of_row.data() + row * map.dimensions;
    map.place.insert(map.place.end(), from, from + map.dimensions);
  }
  for (const std::uint32_t row : map.labelled) map.label_node.push_back(node_of_row[row]);
  return map;
}

// Per row the labelled row that it is nearest to, by steps between rows that are next to each
// other; kNone if there is no way. The length of steps is that of steps between leaves, see
// LeafGraph.
std::vector<std::uint32_t> nearest_labels(const RowMap& map, const LeafIds& ids, std::size_t tree,
                                          const LeafGaussians& leaves) {
  std::vector<std::uint32_t> leaf(ids.rows());
  for (std::size_t node = 0; node < leaf.size(); ++node)
    leaf[node] = ids.leaf(tree, map.graph.row[node]);
  std::vector<double> step(map.dimensions);
  const auto nearest =
      nearest_sources(leaf.size(), map.label_node, [&](std::uint32_t node, auto&& visit) {
        const double* const from = map.place.data() + node * map.dimensions;
        for (std::size_t at = map.graph.first[node]; at < map.graph.first[node + 1]; ++at) {
          const std::uint32_t other = map.graph.to[at];
          visit(other, [&] {
            const double* const to = map.place.data() + other * map.dimensions;
            for (std::size_t k = 0; k < map.dimensions; ++k) step[k] = to[k] - from[k];
            const double distance = leaves.distance(leaf[node], leaf[other], step);
            return distance * distance;
          });
        }
      });
  std::vector<std::uint32_t> label(leaf.size(), NearestSources::kNone);
  for (std::size_t node = 0; node < leaf.size(); ++node)
    if (nearest.source[node] != NearestSources::kNone)
      label[map.graph.row[node]] = map.labelled[nearest.source[node]];
  return label;
}

// What the labels that arrive say in the leaves of one tree: sums of weights of each class, or of
// weighted targets and their squares.
class LeafLabels {
 public:
  LeafLabels(const DatasetView& data, std::span<const std::uint32_t> nearest, const LeafIds& ids,
             std::size_t tree, std::size_t leaves)
      : classes_(!data.labels.empty()),
        outputs_(classes_ ? data.schema->classes.size() : data.schema->targets.size()),
        weights_(leaves, 0),
        sums_(leaves * width(), 0) {
    for (std::size_t row = 0; row < data.rows; ++row)
      if (nearest[row] != NearestSources::kNone)
        add(data, nearest[row], data.weights.empty() ? 1 : double{data.weights[row]},
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
  std::vector<float> payload;
  if (sources.size() == leaves) {
    for (const std::uint32_t leaf : sources) labels.append_payload(leaf, payload);
  } else {
    const auto nearest = nearest_sources(leaf_graph(gaussians, rule.neighbours), sources);
    for (const std::uint32_t source : nearest.source)
      labels.append_payload(sources[source], payload);
  }
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
