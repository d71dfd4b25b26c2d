// Geodesics between leaves against the slow obvious way: Floyd and Warshall over all pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random_stream.h"
#include "transduce/leaf_graph.h"

namespace coppice {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

using Matrix = std::vector<std::vector<double>>;

Matrix shortest_paths(Matrix length) {
  for (std::size_t via = 0; via < length.size(); ++via)
    for (std::size_t a = 0; a < length.size(); ++a)
      for (std::size_t b = 0; b < length.size(); ++b)
        length[a][b] = std::min(length[a][b], length[a][via] + length[via][b]);
  return length;
}

struct Points {
  std::vector<double> values;
  LeafIds ids;
  std::size_t leaves;
};

Points random_points(std::size_t leaves, std::size_t dimensions, std::uint64_t seed) {
  RandomStream random(seed);
  const std::size_t rows = 6 * leaves;
  Points points{{}, LeafIds(rows, 1), leaves};
  std::vector<double> centres(leaves * dimensions);
  for (double& x : centres) x = 10 * random.uniform();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < dimensions; ++k)
      points.values.push_back(centres[row % leaves * dimensions + k] + random.uniform());
    points.ids.set(0, row, static_cast<std::uint32_t>(row % leaves), false);
  }
  return points;
}

void expect_nearest(const LeafGraph& graph, const Matrix& paths,
                    const std::vector<std::uint32_t>& sources) {
  const NearestSources found = nearest_sources(graph, sources);
  for (std::size_t leaf = 0; leaf < graph.size(); ++leaf) {
    double least = kFar;
    for (const std::uint32_t source : sources) least = std::min(least, paths[source][leaf]);
    EXPECT_NEAR(found.distance[leaf], least, 1e-9 * least);
    EXPECT_NEAR(paths[sources[found.source[leaf]]][leaf], least, 1e-9 * least);
  }
}

Matrix edges_of(const LeafGraph& graph) {
  Matrix length(graph.size(), std::vector<double>(graph.size(), kFar));
  for (std::size_t leaf = 0; leaf < graph.size(); ++leaf) {
    length[leaf][leaf] = 0;
    for (std::size_t edge = graph.first[leaf]; edge < graph.first[leaf + 1]; ++edge)
      length[leaf][graph.to[edge]] = graph.length[edge];
  }
  return length;
}

TEST(Geodesic, AgreesWithAllPairsOfTheCompleteGraph) {
  for (const std::size_t dimensions : {1, 2, 4}) {
    const Points points = random_points(40, dimensions, dimensions);
    const LeafGaussians leaves(FixedPointTargets(points.values, dimensions), points.ids, 0, 40);
    Matrix length(40, std::vector<double>(40, 0));
    for (std::size_t a = 0; a < 40; ++a)
      for (std::size_t b = 0; b < 40; ++b)
        if (a != b) length[a][b] = std::pow(leaves.distance(a, b), 2);
    expect_nearest(leaf_graph(leaves, 39), shortest_paths(length), {3, 17, 30});
  }
}

TEST(Geodesic, OfFewNeighboursAgreesOnTheirGraph) {
  const Points points = random_points(120, 2, 9);
  const LeafGaussians leaves(FixedPointTargets(points.values, 2), points.ids, 0, 120);
  const LeafGraph graph = leaf_graph(leaves, 5);
  EXPECT_LT(graph.to.size(), 120u * 14);
  const Matrix paths = shortest_paths(edges_of(graph));
  for (const auto& row : paths)
    for (const double path : row) EXPECT_LT(path, kFar);  // one piece
  expect_nearest(graph, paths, {0, 50, 119});
}

}  // namespace
}  // namespace coppice
