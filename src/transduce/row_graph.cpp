#include "transduce/row_graph.h"

#include <algorithm>

#include "base/worker_team.h"
#include "transduce/point_tree.h"

namespace coppice {

RowGraph row_graph(std::span<const double> coordinates, std::size_t dimensions,
                   std::size_t neighbours, std::size_t workers) {
  constexpr std::size_t kBlock = 1024;
  constexpr std::size_t kMostVisits = 4096;  // points a search looks at, of more dimensions
  const std::size_t rows = coordinates.size() / dimensions;
  const PointTree points(coordinates, dimensions);
  std::vector<std::vector<std::uint32_t>> nearest(rows);
  for_each_task((rows + kBlock - 1) / kBlock, workers, [&](std::size_t, std::size_t block) {
    for (std::size_t row = block * kBlock; row < std::min(rows, (block + 1) * kBlock); ++row)
      nearest[row] = points.nearest(row, neighbours, kMostVisits);
  });
  RowGraph graph{std::vector<std::size_t>(rows + 1, 0), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    graph.first[row + 1] += nearest[row].size();
    for (const std::uint32_t other : nearest[row]) ++graph.first[other + 1];
  }
  for (std::size_t row = 0; row < rows; ++row) graph.first[row + 1] += graph.first[row];
  graph.to.resize(graph.first.back());
  std::vector<std::size_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::size_t row = 0; row < rows; ++row)
    for (const std::uint32_t other : nearest[row]) {
      graph.to[next[row]++] = other;
      graph.to[next[other]++] = static_cast<std::uint32_t>(row);
    }
  return graph;
}

}  // namespace coppice
