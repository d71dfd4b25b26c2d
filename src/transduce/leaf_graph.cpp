#include "transduce/leaf_graph.h"

#include <algorithm>
#include <utility>

#include "transduce/point_tree.h"

namespace coppice {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;  // the lower leaf first

std::vector<Edge> edges_of(const LeafGaussians& leaves, std::size_t neighbours) {
  std::vector<Edge> edges;
  const auto count = static_cast<std::uint32_t>(leaves.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    edges.emplace_back(std::minmax(a, b));
  };
  if (count <= neighbours + 1) {
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) join(a, b);
    return edges;
  }
  const PointTree points(leaves.means(), leaves.dimensions());
  for (std::uint32_t a = 0; a < count; ++a) {
    for (const std::uint32_t b : points.nearest(a, neighbours)) join(a, b);
    if (a + 1 < count) join(a, a + 1);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

LeafGraph leaf_graph(const LeafGaussians& leaves, std::size_t neighbours) {
  const std::vector<Edge> edges = edges_of(leaves, neighbours);
  LeafGraph graph;
  graph.first.assign(leaves.size() + 1, 0);
  for (const auto& [a, b] : edges) ++graph.first[a + 1], ++graph.first[b + 1];
  for (std::size_t n = 1; n < graph.first.size(); ++n) graph.first[n] += graph.first[n - 1];
  graph.to.resize(2 * edges.size());
  graph.length.resize(2 * edges.size());
  std::vector<std::size_t> next(graph.first.begin(), graph.first.end() - 1);
  for (const auto& [a, b] : edges) {
    const double distance = leaves.distance(a, b), length = distance * distance;
    graph.to[next[a]] = b, graph.length[next[a]++] = length;
    graph.to[next[b]] = a, graph.length[next[b]++] = length;
  }
  return graph;
}

NearestSources nearest_sources(const LeafGraph& graph, std::span<const std::uint32_t> sources) {
  return nearest_sources(graph.size(), sources, [&](std::uint32_t leaf, auto&& visit) {
    for (std::size_t edge = graph.first[leaf]; edge < graph.first[leaf + 1]; ++edge)
      visit(graph.to[edge], [&] { return graph.length[edge]; });
  });
}

}  // namespace coppice
