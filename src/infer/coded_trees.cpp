#include "infer/coded_trees.h"

#include <algorithm>
#include <bit>

#include "model/depth.h"

namespace coppice {
namespace {

constexpr std::size_t kFewestLevels = 3;  // the walk takes these without asking
constexpr std::size_t kMostLevels = 12;
constexpr std::size_t kMostEmptiness = 4;  // places per node of the forest at most, if it is to pay

// Of every group of trees: the levels of the deepest.
std::vector<std::size_t> levels_of_groups(const ForestArrays& arrays) {
  std::vector<std::size_t> levels;
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    if (tree % CodedTrees::kLanes == 0) levels.push_back(kFewestLevels);
    levels.back() = std::max(levels.back(), depth_of(arrays, tree));
  }
  return levels;
}

}  // namespace

bool CodedTrees::fit(const Forest& forest) {
  const ForestArrays& arrays = forest.arrays();
  const std::size_t features = forest.info().schema.features.size();
  if (!processor_has_avx512() || CodeTile::pages_of(features) > CodeTile::kMostPages) return false;
  if (arrays.projections.count() > 0 || !arrays.category_words.empty()) return false;
  if (arrays.splits() > arrays.trees() << kMostLevels) return false;  // some tree is too deep
  if (!ThresholdCodes::fit(arrays, features)) return false;
  return max_depth(arrays) <= kMostLevels;
}

bool CodedTrees::pay(const Forest& forest) {
  const ForestArrays& arrays = forest.arrays();
  const std::size_t features = forest.info().schema.features.size();
  if (arrays.trees() < std::max(features, kLanes)) return false;  // coding a row costs that much
  std::size_t places = 0;
  for (const std::size_t levels : levels_of_groups(arrays)) places += kLanes << levels;
  return places <= kMostEmptiness * arrays.leaves();
}

CodedTrees::CodedTrees(const Forest& forest, std::vector<std::uint16_t>&& of_splits)
    : codes_(forest, of_splits) {
  const ForestArrays& arrays = forest.arrays();
  std::size_t places = 0;
  for (const std::size_t levels : levels_of_groups(arrays)) {
    groups_.push_back({places, static_cast<std::uint32_t>(levels)});
    places += kLanes << levels;
  }
  nodes_.resize(places, 0);
  leaves_.resize(places + 1, 0);  // leaves are read two at a time
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) lay_out(arrays, tree, of_splits);
}

void CodedTrees::lay_out(const ForestArrays& arrays, std::size_t tree,
                         std::span<const std::uint16_t> of_splits) {
  const Group& group = groups_[tree / kLanes];
  const std::size_t first_split = arrays.first_split[tree], lane = tree % kLanes;
  std::vector<Subtree> open{
      {1, 0, static_cast<std::uint32_t>(arrays.first_split[tree + 1] - first_split), 0}};
  while (!open.empty()) {
    const Subtree at = open.back();
    open.pop_back();
    if (at.first == at.last) {
      fill_leaves(group, lane, at);
      continue;
    }
    const std::size_t split = first_split + at.first;
    const std::uint32_t code = arrays.code[split], right = arrays.right[split];
    nodes_[group.first + at.place * kLanes + lane] =
        of_splits[split] | (code & SplitCode::kFeatureMask) << kFeatureShift |
        (code & SplitCode::kMissingLeft);
    open.push_back({2 * at.place, at.first + 1, right, at.leaves});
    open.push_back({2 * at.place + 1, right, at.last, at.leaves + right - at.first});
  }
}

// A leaf above the last level stands at all places below it: whatever is asked there, a row ends in
// it.
void CodedTrees::fill_leaves(const Group& group, std::size_t lane, const Subtree& leaf) {
  const std::uint32_t below =
      group.levels + 1 - static_cast<std::uint32_t>(std::bit_width(leaf.place));
  const std::size_t first = (std::size_t{leaf.place} << below) - (std::size_t{1} << group.levels);
  for (std::size_t place = first; place < first + (std::size_t{1} << below); ++place)
    leaves_[group.first + place * kLanes + lane] = static_cast<std::uint16_t>(leaf.leaves);
}

}  // namespace coppice
