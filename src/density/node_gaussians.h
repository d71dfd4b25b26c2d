// The Gaussian of every node of a tree, so that the tree may be cut at any depth: moments of leaves
// are merged upwards, then every node takes over some of the covariance of the one above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "coppice/model.h"

namespace coppice {

struct TreeNode {
  static constexpr std::uint32_t kNoSplit = ~0u;

  std::uint32_t parent = 0;  // of the root: itself
  std::uint32_t depth = 0;
  std::uint32_t split = kNoSplit;  // within the tree; none of a leaf
  std::uint32_t first_leaf = 0, leaves = 0;

  bool leaf() const { return split == kNoSplit; }
  // Whether it is a leaf of the tree cut at this depth.
  bool leaf_at(std::size_t most_depth) const {
    return depth == most_depth || (leaf() && depth < most_depth);
  }
};

// In pre-order.
std::vector<TreeNode> nodes_of(const ForestArrays&, std::size_t tree);

// What is made of the covariance S of n samples in a node below one with the covariance P:
//   (n S + prior P) / (n + prior) + floor x the variances in the root.
struct CovarianceRule {
  double prior = 0, floor = 0;
  std::size_t rows = 0;  // samples in the root
};

struct NodeGaussians {
  std::vector<float> payload;   // a row per node; weight and mass are not known yet
  std::vector<double> support;  // weight of the in-bag samples of each node
};
// REQUIRES: leaves of kind mean_covariance, of the features.
NodeGaussians node_gaussians(const Forest&, std::size_t tree, std::span<const TreeNode>,
                             const CovarianceRule&);

}  // namespace coppice
