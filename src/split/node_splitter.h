// The seam between growing (one copy, compiled once) and scoring (one instance per objective).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random_stream.h"
#include "data/node_samples.h"

namespace coppice {

// A split in terms of codes, for training, and of values, for the model.
struct ChosenSplit {
  std::uint32_t feature = 0;
  std::uint32_t cut = 0;                       // numeric: left if code < cut
  float threshold = 0;                         // numeric: left if value < threshold
  std::vector<std::uint32_t> left_categories;  // categorical: bit c is set if category c goes left
  bool missing_left = false;  // also the way of categories that the node did not see
  double gain = 0;            // cost(parent) - cost(left) - cost(right)
  double node_weight = 0;     // of the parent, in units of weight
};

// One per worker: it owns the buffers that are reused from node to node.
class NodeSplitter {
 public:
  virtual ~NodeSplitter() = default;
  // Called before the first node of a tree, or of a tree's stage, with all of the tree's samples.
  virtual void begin_tree(const NodeSamples&) = 0;
  // The best split of a node, or nothing if it is pure or cannot be split as asked.
  virtual std::optional<ChosenSplit> best_split(const NodeSamples&, RandomStream) = 0;
};

}  // namespace coppice
