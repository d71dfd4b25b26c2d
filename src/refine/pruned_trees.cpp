#include "refine/pruned_trees.h"

#include <numeric>
#include <utility>

namespace coppice {

PrunedTrees::PrunedTrees(const Forest& forest)
    : arrays_(forest.arrays()), start_(arrays_.splits()), number_(arrays_.leaves()) {
  std::iota(number_.begin(), number_.end(), 0u);
  for (std::size_t tree = 0; tree < arrays_.trees(); ++tree) {
    const std::size_t first = arrays_.first_split[tree];
    const std::size_t splits = arrays_.first_split[tree + 1] - first;
    cuts_.emplace_back(splits, false);
    first_leaf_.push_back(arrays_.first_leaf(tree));
    if (splits > 0) start_[first] = static_cast<std::uint32_t>(first_leaf_.back());
    for (std::size_t n = 0; n < splits; ++n) {
      const Split split = arrays_.split(tree, n);
      right_.push_back(split.right);
      right_is_leaf_.push_back(split.right_is_leaf);
      if (split.right != n + 1) start_[first + n + 1] = start_[first + n];
      if (!split.right_is_leaf)
        start_[first + split.right] =
            start_[first + n] + split.right - static_cast<std::uint32_t>(n);
    }
  }
  first_leaf_.push_back(arrays_.leaves());
}

std::vector<PrunedTrees::Pair> PrunedTrees::pairs() const {
  std::vector<Pair> found;
  for (std::uint32_t tree = 0; tree < cuts_.size(); ++tree) {
    const std::vector<bool>& cut = cuts_[tree];
    const std::size_t first = arrays_.first_split[tree];
    for (std::uint32_t split = 0; split < cut.size(); ++split) {
      if (cut[split]) continue;
      const std::uint32_t right = right_[first + split];
      if (right != split + 1 && !cut[split + 1]) continue;          // left: not a leaf
      if (!right_is_leaf_[first + split] && !cut[right]) continue;  // right: not a leaf
      const std::size_t left_leaf = start_[first + split];
      found.push_back({tree, split, number_[left_leaf], number_[left_leaf + right - split]});
    }
  }
  return found;
}

// Leaves of a pair are neighbours: the right one takes the number of the left one.
std::vector<std::uint32_t> PrunedTrees::merge(std::span<const Pair> merged) {
  std::vector<std::uint8_t> joins_left(leaves(), 0);
  for (const Pair& pair : merged) {
    cuts_[pair.tree][pair.split] = true;
    joins_left[pair.right] = 1;
  }
  std::vector<std::uint32_t> next(leaves());
  std::uint32_t count = 0;
  for (std::size_t leaf = 0; leaf < next.size(); ++leaf) {
    if (!joins_left[leaf]) ++count;
    next[leaf] = count - 1;
  }
  for (std::uint32_t& number : number_) number = next[number];
  for (std::size_t tree = 0; tree < cuts_.size(); ++tree)
    first_leaf_[tree] = next[first_leaf_[tree]];
  first_leaf_.back() = count;
  return next;
}

std::vector<std::uint32_t> PrunedTrees::cut(Cuts cuts) {
  cuts_ = std::move(cuts);
  return number_leaves();
}

// Leaves of the forest below a cut share a number; all splits below a cut are cut.
std::vector<std::uint32_t> PrunedTrees::number_leaves() {
  const std::vector<std::uint32_t> before = number_;
  std::vector<std::uint32_t> next(leaves());
  std::uint32_t count = 0;
  for (std::size_t tree = 0; tree < cuts_.size(); ++tree) {
    first_leaf_[tree] = count;
    std::vector<std::uint8_t> joins_left(cuts_[tree].size() + 1, 0);
    for (std::size_t n = 0; n < cuts_[tree].size(); ++n) {
      if (!cuts_[tree][n]) continue;
      const std::size_t left = start_[arrays_.first_split[tree] + n] - arrays_.first_leaf(tree);
      joins_left[left + right_[arrays_.first_split[tree] + n] - n] = 1;
    }
    for (std::size_t leaf = 0; leaf < joins_left.size(); ++leaf) {
      if (!joins_left[leaf]) ++count;
      const std::size_t number = arrays_.first_leaf(tree) + leaf;
      number_[number] = count - 1;
      next[before[number]] = count - 1;
    }
  }
  first_leaf_.back() = count;
  return next;
}

}  // namespace coppice
