// A tree with a Gaussian in every node, and what each would weigh as a leaf.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "coppice/model.h"
#include "coppice/options.h"
#include "density/node_gaussians.h"

namespace coppice {

class WeighedTree {
 public:
  // Masses of all nodes, or of leaves only. REQUIRES: a forest as node_gaussians() asks for.
  struct Rule {
    CovarianceRule covariance;
    bool all_nodes = true;
    std::uint64_t seed = 1;
  };
  WeighedTree(const Forest&, std::size_t tree, const Rule&);

  const std::vector<TreeNode>& nodes() const { return nodes_; }
  const PayloadLayout& layout() const { return layout_; }
  std::size_t depth() const;

  // Weights are not known yet.
  std::span<const float> payloads() const { return gaussians_.payload; }
  std::span<const float> payload(std::size_t node) const {
    return payloads().subspan(node * layout_.size(), layout_.size());
  }

  // Of every node that is a leaf of the tree cut at this depth: log p(x) in its cell less that of
  // its Gaussian, log(share of samples / its mass) or log(share / mass of the tree).
  std::vector<double> log_weights(std::size_t most_depth, Normalisation) const;

 private:
  std::vector<TreeNode> nodes_;
  PayloadLayout layout_;
  NodeGaussians gaussians_;
};

}  // namespace coppice
