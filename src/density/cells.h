// The part of space that leads to a node: a box if its path looks at one feature at a time, else
// what the splits on the path say; and the mass of Gaussians in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coppice/model.h"
#include "density/box_mass.h"
#include "density/node_gaussians.h"
#include "model/walk.h"

namespace coppice {

class TreeCells {
 public:
  // Keeps references to forest and nodes.
  TreeCells(const Forest&, std::size_t tree, std::span<const TreeNode>);

  bool is_box(std::size_t node) const { return box_[node]; }
  // What the path says of a feature by itself; all that it says if the cell is a box.
  const Interval& interval(std::size_t node, std::size_t feature) const {
    return intervals_[node * features_ + feature];
  }
  // Asks the splits that are about sums of features; value_of(feature) as in walk.h.
  template <class ValueOf>
  bool meets_projections(std::size_t node, ValueOf&& value_of) const {
    const ForestArrays& arrays = forest_.arrays();
    for (std::size_t n = node; n > 0; n = nodes_[n].parent) {
      const Split split = arrays.split(tree_, nodes_[nodes_[n].parent].split);
      if (split.kind != Split::Kind::projection) continue;
      if (goes_left(arrays, forest_.info().schema, split, value_of) != is_left(n)) return false;
    }
    return true;
  }
  // What the path says of given features, the others being known, as sums of theirs: every one
  // below its bound. Empty if it cannot be said so: products, and the outside of two thresholds.
  struct Bound {
    std::vector<double> slope;  // of the given features
    double bound = 0;
  };
  std::optional<std::vector<Bound>> linear_bounds(std::size_t node,
                                                  std::span<const std::uint32_t> features,
                                                  std::span<const float> row) const;

 private:
  // In pre-order, a left child comes right after its parent.
  bool is_left(std::size_t node) const { return nodes_[node].parent + 1 == node; }
  // The sum that a split compares with its threshold, what is known of it being in `bound`.
  std::optional<Bound> linear_sum(const Split&, std::span<const std::uint32_t> features,
                                  std::span<const float> row) const;

  const Forest& forest_;
  std::size_t tree_, features_;
  std::span<const TreeNode> nodes_;
  std::vector<bool> box_;
  std::vector<Interval> intervals_;  // nodes x features
};

// A Gaussian of some features, the others being known.
struct PartialGaussian {
  std::span<const std::uint32_t> features;
  std::span<const double> mean, covariance;  // lower triangle
  std::span<const float> row;                // of all features; those above do not matter
};

// REQUIRES: the known features are in their intervals.
Mass mass_in_cell(const TreeCells&, std::size_t node, const PartialGaussian&, std::uint64_t seed,
                  const LatticeRule& = {});

}  // namespace coppice
