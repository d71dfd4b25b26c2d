#include "transduce/row_graph.h"

#include <algorithm>

#include "base/worker_team.h"
#include "transduce/point_tree.h"

namespace coppice {

namespace {

// Per node the nodes that are nearest to it.
using Neighbours = std::vector<std::vector<std::uint32_t>>;

Neighbours nearest_nodes(const PointTree& points, std::size_t count, std::size_t workers) {
  constexpr std::size_t kBlock = 1024;
  constexpr std::size_t kMostVisits = 4096;  // points a search looks at, of more dimensions
  const std::span<const std::uint32_t> row = points.order();
  std::vector<std::uint32_t> node(row.size());
  for (std::uint32_t n = 0; n < row.size(); ++n) node[row[n]] = n;
  Neighbours nearest(row.size());
  for_each_task((row.size() + kBlock - 1) / kBlock, workers, [&](std::size_t, std::size_t block) {
    for (std::size_t n = block * kBlock; n < std::min(row.size(), (block + 1) * kBlock); ++n) {
      nearest[n] = points.nearest(row[n], count, kMostVisits);
      for (std::uint32_t& other : nearest[n]) other = node[other];
    }
  });
  return nearest;
}

// Calls join(from, to) for both directions of every pair of which one is near the other.
template <class Join>
void for_each_direction(const Neighbours& nearest, Join&& join) {
  for (std::uint32_t node = 0; node < nearest.size(); ++node)
    for (const std::uint32_t other : nearest[node]) {
      join(node, other);
      const auto& back = nearest[other];
      if (std::find(back.begin(), back.end(), node) == back.end()) join(other, node);
    }
}

}  // namespace

RowGraph row_graph(std::span<const double> coordinates, std::size_t dimensions,
                   std::size_t neighbours, std::size_t workers) {
  const PointTree points(coordinates, dimensions);
  const Neighbours nearest = nearest_nodes(points, neighbours, workers);
  RowGraph graph{{points.order().begin(), points.order().end()},
                 std::vector<std::size_t>(nearest.size() + 1, 0),
                 {}};
  for_each_direction(nearest, [&](std::uint32_t from, std::uint32_t) { ++graph.first[from + 1]; });
  for (std::size_t n = 0; n < nearest.size(); ++n) graph.first[n + 1] += graph.first[n];
  graph.to.resize(graph.first.back());
  std::vector<std::size_t> next(graph.first.begin(), graph.first.end() - 1);
  for_each_direction(nearest,
                     [&](std::uint32_t from, std::uint32_t to) { graph.to[next[from]++] = to; });
  return graph;
}

}  // namespace coppice
