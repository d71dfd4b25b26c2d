// Leaves as a graph, and the shortest paths in it from leaves that have labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transduce/leaf_gaussians.h"
#include "transduce/nearest_sources.h"

namespace coppice {

// Edges of leaf n: [first[n], first[n + 1]). Each is there in both directions. Its length is the
// square of the symmetric Mahalanobis distance: with the distance itself, a long step across a gap
// costs too little beside the many short ones along an arm.
struct LeafGraph {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> to;
  std::vector<double> length;  // above 0

  std::size_t size() const { return first.size() - 1; }
};

// Every leaf with those of the `neighbours` nearest means, with all if there are no more; and with
// the next one in the order of the tree, which keeps the graph in one piece.
LeafGraph leaf_graph(const LeafGaussians&, std::size_t neighbours);

// REQUIRES: at least one source.
NearestSources nearest_sources(const LeafGraph&, std::span<const std::uint32_t> sources);

}  // namespace coppice
