// Thresholds and bands against all of them, tried one by one.
#include "split/response_search.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "objective/class_impurity.h"

namespace coppice {
namespace {

struct Node {
  std::vector<std::uint32_t> labels;
  std::vector<float> responses;

  Node(std::size_t rows, std::uint64_t seed, bool missing) {
    RandomStream random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      labels.push_back(random.below(3));
      responses.push_back(static_cast<float>(random.below(12)) / 3 - 2);
      if (missing && random.below(6) == 0)
        responses.back() = std::numeric_limits<float>::quiet_NaN();
    }
  }
};

// The least cost of left: lower <= response < upper (and, if asked, what is missing).
double least_cost(const Node& node, const GiniImpurity& objective, bool bands) {
  std::set<float> values;
  for (const float response : node.responses)
    if (response == response) values.insert(response);
  std::vector<float> edges(values.begin(), values.end());
  edges.push_back(std::numeric_limits<float>::infinity());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < (bands ? edges.size() : 1); ++a)
    for (std::size_t b = a; b < edges.size(); ++b)
      for (const bool missing_left : {false, true}) {
        std::vector<std::uint32_t> left(3), right(3);
        std::uint32_t on_left = 0;
        for (std::size_t i = 0; i < node.labels.size(); ++i) {
          const float r = node.responses[i];
          const bool goes_left = r != r ? missing_left : r >= edges[a] && r < edges[b];
          on_left += goes_left;
          ++(goes_left ? left : right)[node.labels[i]];
        }
        if (on_left == 0 || on_left == node.labels.size()) continue;
        least = std::min(least, objective.cost(left.data()) + objective.cost(right.data()));
      }
  return least;
}

void expect_least_cost(std::uint64_t seed, bool two_sided) {
  const Node node(2 + seed % 40, seed, seed % 3 == 0);
  const GiniImpurity objective{node.labels, 3};
  LoadedNode<GiniImpurity> loaded;
  loaded.load(objective, node.labels.size(), [&](std::size_t i, auto& item, std::uint32_t& draws) {
    draws = 1;
    item = objective.item(static_cast<std::uint32_t>(i), 1);
  });
  SearchLimits limits;
  limits.two_sided = two_sided;
  ColumnSearch<GiniImpurity> at_hand(objective, loaded, limits);
  at_hand.begin_node();
  ResponseSearch<GiniImpurity> search;
  const RandomStream random(seed);
  search.search(at_hand, node.responses, {random, 0});
  const double expected = least_cost(node, objective, two_sided);
  EXPECT_EQ(at_hand.best.boundary.found(), std::isfinite(expected)) << seed;
  if (!at_hand.best.boundary.found()) return;
  EXPECT_NEAR(at_hand.best.boundary.cost, expected, 1e-9) << seed;

  const ChosenSplit& split = at_hand.best.finish();
  std::uint32_t left = 0;
  for (const float r : node.responses)
    left += r != r ? at_hand.best.boundary.missing_left : r >= split.lower && r < split.threshold;
  // Where only what is missing goes left, the boundary was found with the sides exchanged.
  const auto samples = static_cast<std::uint32_t>(node.labels.size());
  const bool exchanged = split.threshold == -std::numeric_limits<float>::infinity();
  EXPECT_EQ(exchanged ? samples - left : left, at_hand.best.boundary.samples_left) << seed;
}

TEST(ResponseSearch, FindsTheBestThreshold) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) expect_least_cost(seed, false);
}

// Twelve values fit into the groups of a band search, so that it is exact.
TEST(ResponseSearch, FindsTheBestBand) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) expect_least_cost(seed, true);
}

}  // namespace
}  // namespace coppice
