// The seam between growing (one copy, compiled once) and scoring (one instance per objective).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "data/node_samples.h"
#include "split/projection.h"

namespace coppice {

// A split in terms of codes, for training, and of values, for the model.
struct ChosenSplit {
  std::uint32_t feature = 0;
  Projection projection;  // in place of the feature, if it has terms
  float lower = 0;        // projection: left if lower <= response < threshold
  float threshold = 0;    // numeric: left if value < threshold
  std::uint32_t cut = 0;  // numeric, the same for rows of the node: left if code < cut
  // Codes of the column, the last one on the left and the first one on the right, if known.
  std::uint32_t left_code = 0, right_code = 0;
  std::vector<std::uint32_t> left_categories;  // categorical: bit c is set if category c goes left
  bool missing_left = false;  // also the way of categories that the node did not see
  double gain = 0;            // cost(parent) - cost(left) - cost(right)
  double node_weight = 0;     // of the parent, in units of weight
};

// Rows of several nodes, each ascending.
using TreeParts = std::span<const std::span<const SampleId>>;

// One per worker: it owns the buffers that are reused from node to node.
class NodeSplitter {
 public:
  virtual ~NodeSplitter() = default;
  // Called before the first node of a tree that grows to the end, with all of its samples.
  virtual void begin_tree(const NodeSamples&) = 0;
  // Called before the first node of a level that is a stage by itself, with the rows of its nodes;
  // draws as NodeSamples has them.
  virtual void begin_level(TreeParts nodes, const std::uint16_t* draws) = 0;
  // The best split of a node, or null if it is pure or cannot be split as asked. Valid until the
  // next call.
  virtual const ChosenSplit* best_split(std::span<const SampleId> rows, RandomStream) = 0;
  // Moves the rows that go left to the front, the order of both sides kept; returns their number.
  // REQUIRES: the split and the rows of the last call of best_split().
  virtual std::size_t partition(std::span<SampleId> rows, const ChosenSplit&) = 0;

  // Copies what it needs to know of a node's rows, if that makes the subtree below grow faster.
  // The rows may then be renamed: they go by other names in all calls until release() gives them
  // back theirs. Copies nest. Changes no result.
  virtual bool copy_rows(std::span<SampleId> rows) = 0;
  // REQUIRES: the rows of the last copy that was not released, in any order.
  virtual void release(std::span<SampleId> rows) = 0;
};

}  // namespace coppice
