// The rows of every leaf, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "affinity/leaf_incidence.h"

namespace coppice {

class LeafMembers {
 public:
  explicit LeafMembers(const LeafIncidence& leaves) : first_(leaves.leaves() + 1) {
    for (std::size_t leaf = 0; leaf < leaves.leaves(); ++leaf)
      first_[leaf + 1] = first_[leaf] + leaves.sizes()[leaf];
    rows_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t tree = 0; tree < leaves.trees(); ++tree)
      for (std::size_t row = 0; row < leaves.rows(); ++row)
        rows_[next[leaves.leaf(tree, row)]++] = static_cast<std::uint32_t>(row);
  }

  std::span<const std::uint32_t> of(std::size_t leaf) const {
    return std::span(rows_).subspan(first_[leaf], first_[leaf + 1] - first_[leaf]);
  }

  static std::size_t bytes(std::size_t rows, std::size_t trees) { return rows * trees * 4; }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace coppice
