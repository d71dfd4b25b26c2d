// All leaves of a density forest with their cells.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coppice/model.h"
#include "density/cells.h"
#include "infer/leaf_answer.h"

namespace coppice {

class LeafCells {
 public:
  explicit LeafCells(const Forest& forest) : forest_(forest), layout_(layout_of(forest)) {
    for (std::size_t t = 0; t < forest.trees(); ++t) {
      auto tree = std::make_unique<Tree>();
      tree->nodes = nodes_of(forest.arrays(), t);
      tree->cells = std::make_unique<TreeCells>(forest, t, tree->nodes);
      for (std::uint32_t n = 0; n < tree->nodes.size(); ++n)
        if (tree->nodes[n].leaf()) tree->leaf_nodes.push_back(n);
      trees_.push_back(std::move(tree));
    }
  }

  const Forest& forest() const { return forest_; }
  const PayloadLayout& layout() const { return layout_; }
  std::size_t trees() const { return trees_.size(); }
  std::size_t leaves(std::size_t tree) const { return trees_[tree]->leaf_nodes.size(); }
  const TreeCells& cells(std::size_t tree) const { return *trees_[tree]->cells; }
  // The number by which cells know the leaf.
  std::size_t node(std::size_t tree, std::size_t leaf) const {
    return trees_[tree]->leaf_nodes[leaf];
  }
  std::span<const float> payload(std::size_t tree, std::size_t leaf) const {
    const ForestArrays& arrays = forest_.arrays();
    return arrays.payload_of(arrays.first_leaf(tree) + leaf);
  }

 private:
  struct Tree {
    std::vector<TreeNode> nodes;
    std::unique_ptr<TreeCells> cells;
    std::vector<std::uint32_t> leaf_nodes;
  };

  const Forest& forest_;
  PayloadLayout layout_;
  std::vector<std::unique_ptr<Tree>> trees_;
};

}  // namespace coppice
