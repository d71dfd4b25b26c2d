#include "density/node_gaussians.h"

#include "base/cholesky.h"
#include "infer/leaf_answer.h"
#include "model/walk.h"

namespace coppice {
namespace {

struct Moments {
  double weight = 0;
  std::vector<double> mean, covariance;
};

Moments leaf_moments(const PayloadLayout& layout, std::span<const float> payload, double support) {
  Moments moments{.weight = support};
  for (std::size_t k = 0; k < layout.outputs(); ++k) {
    moments.mean.push_back(double{payload[k]});
    for (std::size_t j = 0; j <= k; ++j)
      moments.covariance.push_back(double{payload[layout.covariance(j, k)]});
  }
  return moments;
}

void merge(Moments& into, const Moments& other) {
  if (into.weight <= 0) {
    into = other;
    return;
  }
  const double weight = into.weight + other.weight;
  const double own = into.weight / weight, others = other.weight / weight;
  const std::size_t features = into.mean.size();
  for (std::size_t k = 0; k < features; ++k)
    for (std::size_t j = 0; j <= k; ++j) {
      const double between = (into.mean[k] - other.mean[k]) * (into.mean[j] - other.mean[j]);
      double& covariance = into.covariance[triangle_index(k, j)];
      covariance = own * covariance + others * other.covariance[triangle_index(k, j)] +
                   own * others * between;
    }
  for (std::size_t k = 0; k < features; ++k)
    into.mean[k] = own * into.mean[k] + others * other.mean[k];
  into.weight = weight;
}

std::vector<Moments> moments_of(const Forest& forest, std::size_t tree,
                                std::span<const TreeNode> nodes) {
  const ForestArrays& arrays = forest.arrays();
  const PayloadLayout layout = layout_of(forest);
  std::vector<Moments> moments(nodes.size());
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].leaf()) {
      const std::size_t leaf = arrays.first_leaf(tree) + nodes[n].first_leaf;
      moments[n] = leaf_moments(layout, arrays.payload_of(leaf), double{arrays.support[leaf]});
    }
    if (n > 0) merge(moments[nodes[n].parent], moments[n]);
  }
  return moments;
}

// A matrix that has a factor even as floats: its diagonal grows until it does.
void write_covariance(const PayloadLayout& layout, std::span<const double> covariance,
                      std::span<float> payload) {
  constexpr double kLeastPivot = 1e-8, kStep = 1e-6;
  const std::size_t features = layout.outputs();
  for (double growth = 0;; growth = growth > 0 ? 4 * growth : kStep) {
    std::vector<double> triangle;
    for (std::size_t k = 0; k < features; ++k)
      for (std::size_t j = 0; j <= k; ++j) {
        float& kept = payload[layout.covariance(j, k)];
        kept = static_cast<float>(covariance[triangle_index(k, j)] * (j == k ? 1 + growth : 1));
        triangle.push_back(double{kept});
      }
    if (factorise(triangle, features, kLeastPivot)) return;
  }
}

}  // namespace

std::vector<TreeNode> nodes_of(const ForestArrays& arrays, std::size_t tree) {
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> path;  // nodes from the root to the parent
  std::uint32_t leaves = 0;
  const auto add = [&](std::size_t split, std::size_t depth) {
    path.resize(depth);
    const auto number = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({.parent = depth > 0 ? path.back() : 0,
                     .depth = static_cast<std::uint32_t>(depth),
                     .split = static_cast<std::uint32_t>(split),
                     .first_leaf = leaves});
    path.push_back(number);
  };
  for_each_node(arrays, tree, add, [&](std::size_t, std::size_t depth) {
    add(TreeNode::kNoSplit, depth);
    nodes.back().leaves = 1;
    ++leaves;
  });
  for (std::size_t n = nodes.size(); n-- > 1;) nodes[nodes[n].parent].leaves += nodes[n].leaves;
  return nodes;
}

NodeGaussians node_gaussians(const Forest& forest, std::size_t tree,
                             std::span<const TreeNode> nodes, const CovarianceRule& rule) {
  const std::size_t features = forest.info().schema.features.size();
  const PayloadLayout layout(PayloadKind::gaussian, features);
  std::vector<Moments> moments = moments_of(forest, tree, nodes);
  std::vector<double> floor;
  for (std::size_t k = 0; k < features; ++k)
    floor.push_back(rule.floor * moments[0].covariance[triangle_index(k, k)]);
  NodeGaussians found{.payload = std::vector<float>(nodes.size() * layout.size())};
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Moments& node = moments[n];
    const Moments& above = moments[nodes[n].parent];
    const double samples = node.weight / moments[0].weight * static_cast<double>(rule.rows);
    const double own = samples / (samples + rule.prior);
    std::vector<double> covariance;
    for (std::size_t i = 0; i < node.covariance.size(); ++i)
      covariance.push_back(node.covariance[i] =
                               own * node.covariance[i] + (1 - own) * above.covariance[i]);
    for (std::size_t k = 0; k < features; ++k) covariance[triangle_index(k, k)] += floor[k];
    const auto payload = std::span(found.payload).subspan(n * layout.size(), layout.size());
    for (std::size_t k = 0; k < features; ++k) payload[k] = static_cast<float>(node.mean[k]);
    write_covariance(layout, covariance, payload);
    found.support.push_back(node.weight);
  }
  return found;
}

}  // namespace coppice
