// Shortest paths from several sources at once (Dijkstra).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace coppice {

// Of every node the source at the end of the shortest path, ties to the first of them, and the
// length of that path (Criminisi et al. 2012, eq. 7.4).
struct NearestSources {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t>
      source;                    // the place in the list of sources; kNone: no path leads there
  std::vector<double> distance;  // infinite if none does
};

// `sources` are nodes. for_each_edge(node, visit) calls visit(other node, length), where length()
// is above 0, and only asked for where a path could become shorter.
template <class ForEachEdge>
NearestSources nearest_sources(std::size_t nodes, std::span<const std::uint32_t> sources,
                               ForEachEdge&& for_each_edge) {
  NearestSources found{std::vector<std::uint32_t>(nodes, NearestSources::kNone),
                       std::vector<double>(nodes, std::numeric_limits<double>::infinity())};
  using Reached = std::tuple<double, std::uint32_t, std::uint32_t>;  // length, source, node
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> waiting;
  const auto reach = [&](double distance, std::uint32_t source, std::uint32_t node) {
    if (std::pair(distance, source) >= std::pair(found.distance[node], found.source[node])) return;
    found.distance[node] = distance, found.source[node] = source;
    waiting.emplace(distance, source, node);
  };
  for (std::uint32_t source = 0; source < sources.size(); ++source)
    reach(0, source, sources[source]);
  while (!waiting.empty()) {
    const auto [distance, source, node] = waiting.top();
    waiting.pop();
    if (distance > found.distance[node] || source != found.source[node]) continue;
    for_each_edge(node, [&, from = source, way = distance](std::uint32_t to, auto&& length) {
      if (found.distance[to] >= way) reach(way + length(), from, to);
    });
  }
  return found;
}

}  // namespace coppice
