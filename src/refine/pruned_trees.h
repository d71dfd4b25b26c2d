// Trees whose leaves are merged bit by bit: which splits are cut, and what number a leaf then has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"
#include "refine/refined_forest.h"

namespace coppice {

class PrunedTrees {
 public:
  // Borrows the forest; nothing is cut.
  explicit PrunedTrees(const Forest&);

  // Both children of the split are leaves now; leaves are numbered over all trees.
  struct Pair {
    std::uint32_t tree = 0, split = 0;
    std::size_t left = 0, right = 0;
  };
  std::vector<Pair> pairs() const;

  // The new number of every leaf that was there before.
  std::vector<std::uint32_t> merge(std::span<const Pair>);
  // Cuts what another one has cut: the new number of every leaf of the forest.
  // REQUIRES: nothing is cut yet.
  std::vector<std::uint32_t> cut(Cuts cuts);

  const Cuts& cuts() const { return cuts_; }
  std::size_t leaves() const { return first_leaf_.back(); }
  const std::vector<std::size_t>& first_leaf() const { return first_leaf_; }

 private:
  std::vector<std::uint32_t> number_leaves();

  const ForestArrays& arrays_;
  Cuts cuts_;
  std::vector<std::uint32_t> start_;   // per split: the first leaf of the forest below it
  std::vector<std::uint32_t> right_;   // per split: its right child within the tree
  std::vector<bool> right_is_leaf_;    // per split, of the forest
  std::vector<std::uint32_t> number_;  // per leaf of the forest: its number now
  std::vector<std::size_t> first_leaf_;
};

}  // namespace coppice
