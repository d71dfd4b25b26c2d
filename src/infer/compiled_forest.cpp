#include "infer/compiled_forest.h"

#include <bit>

namespace coppice {

CompiledForest::CompiledForest(const Forest& forest)
    : category_words_(forest.arrays().category_words) {
  for (const Feature& feature : forest.info().schema.features)
    categories_.push_back(static_cast<std::uint32_t>(feature.categories.size()));
  const ForestArrays& arrays = forest.arrays();
  nodes_.reserve(arrays.splits() + arrays.leaves());
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) lay_out(arrays, tree);
}

void CompiledForest::lay_out(const ForestArrays& arrays, std::size_t tree) {
  // A node of the tree: its place in nodes_, its split, and how many leaves lie left of it.
  struct Pending {
    std::uint32_t place, split, leaves_before;
    bool leaf;
  };
  const std::size_t first = arrays.first_split[tree];
  const bool stump = arrays.first_split[tree + 1] == first;
  roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.emplace_back();
  std::vector<Pending> pending{{roots_.back(), 0, 0, stump}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (next.leaf) {
      nodes_[next.place] = {.code = CompiledNode::kLeaf, .child = next.leaves_before};
      continue;
    }
    const std::uint32_t code = arrays.code[first + next.split];
    const std::uint32_t right = arrays.right[first + next.split];
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[next.place] = {.code = code & ~SplitCode::kRightIsLeaf,
                          .child = child,
                          .threshold = std::bit_cast<float>(arrays.threshold[first + next.split])};
    nodes_.resize(nodes_.size() + 2);
    pending.push_back({child + 1, right, next.leaves_before + right - next.split,
                       (code & SplitCode::kRightIsLeaf) != 0});
    pending.push_back({child, next.split + 1, next.leaves_before, right == next.split + 1});
  }
}

void CompiledForest::find_leaves(const float* rows, std::size_t count, std::size_t features,
                                 std::uint32_t* leaves) const {
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    for (std::size_t row = 0; row < count; ++row) {
      const float* values = rows + row * features;
      leaves[tree * count + row] =
          find_leaf(tree, [values](std::uint32_t feature) { return values[feature]; });
    }
  }
}

// Anything that is not the code of a known category counts as missing.
bool CompiledForest::in_category_set(const CompiledNode& node, std::uint32_t feature,
                                     float x) const {
  if (!(x >= 0 && x < static_cast<float>(categories_[feature])))
    return (node.code & SplitCode::kMissingLeft) != 0;
  const auto category = static_cast<std::uint32_t>(x);
  const std::size_t word = std::bit_cast<std::uint32_t>(node.threshold) + category / 32;
  return category_words_[word] >> (category % 32) & 1;
}

}  // namespace coppice
