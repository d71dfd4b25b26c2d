// Rows as a graph, the same for all trees: every row with the rows next to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

// Nodes are rows in another order: those that lie near each other have numbers near each other, so
// that a walk finds what it needs in the cache. Neighbours of node n: to[first[n]] ...
// to[first[n + 1] - 1]. Each is one in both directions.
struct RowGraph {
  std::vector<std::uint32_t> row;  // of each node
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> to;

  std::size_t size() const { return first.size() - 1; }
};

// Every row with the `neighbours` nearest ones among those that a k-d tree looks at first: of few
// dimensions the nearest of all. It may fall into pieces. Coordinates are rows x dimensions.
RowGraph row_graph(std::span<const double> coordinates, std::size_t dimensions,
                   std::size_t neighbours, std::size_t workers);

}  // namespace coppice
