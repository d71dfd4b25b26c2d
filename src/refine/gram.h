// The normal equations of the squared loss written down and solved at once: for few leaves, or many
// outputs, cheaper than conjugate gradients.
#pragma once

#include <cstddef>
#include <vector>

#include "refine/constant_leaves.h"
#include "refine/solved.h"

namespace coppice {

// Whether to solve at once. Counts additions: conjugate gradients take two per row, tree, output
// and iteration, of which about 60 are needed; the matrix takes one per row and pair of trees, and
// its factor 1/6 unknowns^3.
bool gram_is_cheaper(const ConstantLeaves&, std::size_t outputs);

// Phi' V Phi: the weight of the rows that two leaves share.
class LeafGram {
 public:
  LeafGram(const ConstantLeaves&, std::size_t workers);

  // w = (I + scale Phi' V Phi)^-1 b.
  void solve(double scale, const OutputBlock& b, OutputBlock& w, std::size_t workers) const;
  double at(std::size_t leaf, std::size_t other) const {
    return leaf <= other ? upper_[leaf * size_ + other] : upper_[other * size_ + leaf];
  }

 private:
  std::size_t size_ = 0;
  std::vector<double> upper_;  // of a square matrix, row after row; below the diagonal: 0
};

}  // namespace coppice
