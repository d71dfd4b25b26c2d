// A forest laid out for traversal: children are neighbours, so a step is one comparison and one
// addition. Derived from the model, never saved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

struct CompiledNode {
  std::uint32_t code = 0;   // SplitCode; kLeaf for a leaf
  std::uint32_t child = 0;  // the left child, the right one follows; or the number of the leaf
  float threshold = 0;      // or the first category word, by its bits

  static constexpr std::uint32_t kLeaf = SplitCode::kRightIsLeaf;
  bool leaf() const { return code == kLeaf; }
};

class CompiledForest {
 public:
  explicit CompiledForest(const Forest&);

  std::size_t trees() const { return roots_.size(); }

  // leaves[tree * count + row] for `count` rows of `features` floats each, one after the other.
  void find_leaves(const float* rows, std::size_t count, std::size_t features,
                   std::uint32_t* leaves) const;

  // The leaf of one row in one tree; value(feature) is the row's value, NaN if missing.
  template <class Value>
  std::uint32_t find_leaf(std::size_t tree, Value&& value) const {
    std::uint32_t node = roots_[tree];
    while (!nodes_[node].leaf()) node = nodes_[node].child + !goes_left(nodes_[node], value);
    return nodes_[node].child;
  }

 private:
  void lay_out(const ForestArrays&, std::size_t tree);

  template <class Value>
  bool goes_left(const CompiledNode& node, Value&& value) const {
    const std::uint32_t feature = node.code & SplitCode::kFeatureMask;
    const float x = value(feature);
    if (node.code & SplitCode::kKindMask) return in_category_set(node, feature, x);
    return x < node.threshold || (x != x && (node.code & SplitCode::kMissingLeft));
  }
  bool in_category_set(const CompiledNode&, std::uint32_t feature, float x) const;

  std::vector<CompiledNode> nodes_;
  std::vector<std::uint32_t> roots_;
  std::span<const std::uint32_t> category_words_;  // of the forest, which must outlive this
  std::vector<std::uint32_t> categories_;          // per feature
};

}  // namespace coppice
