#include "infer/node_layout.h"

#include <algorithm>
#include <array>

#include "model/walk.h"

namespace coppice {
namespace {

ColumnBits column_bits(const Forest& forest) {
  return {feature_bits(forest.info().schema.features.size())};
}

std::uint32_t nodes_of(const ForestArrays& arrays, std::size_t tree) {
  return 2 * (arrays.first_split[tree + 1] - arrays.first_split[tree]) + 1;
}

// How many of the training samples end at each depth; deeper ones count with the last.
class DepthProfile {
 public:
  void add_leaf(std::size_t depth, double weight) {
    weight_[std::min(depth, weight_.size() - 1)] += weight;
    depth_ = std::max(depth_, depth);
  }
  std::uint32_t depth() const { return static_cast<std::uint32_t>(depth_); }

  // As many steps as most of the samples take; all, if that saves few.
  std::uint32_t sure_steps() const {
    double total = 0, on_the_way = 0;
    for (const double weight : weight_) total += weight;
    on_the_way = total;
    for (std::size_t depth = 0; depth < weight_.size(); ++depth) {
      on_the_way -= weight_[depth];
      if (on_the_way < kMost * total) {
        return static_cast<std::uint32_t>(depth + kFew >= depth_ ? depth_ : depth);
      }
    }
    return static_cast<std::uint32_t>(std::min(depth_, weight_.size()));
  }

 private:
  static constexpr double kMost = 0.7;
  static constexpr std::size_t kFew = 3;
  std::array<double, 64> weight_{};
  std::size_t depth_ = 0;
};

// Lays out one tree: the top levels breadth first, since every row visits them, then subtree by
// subtree.
template <class Node>
class TreeLayout {
 public:
  TreeLayout(const Forest& forest, std::size_t tree, NodeLayout<Node>& layout)
      : arrays_(forest.arrays()),
        features_(forest.info().schema.features),
        first_split_(arrays_.first_split[tree]),
        first_leaf_(arrays_.first_leaf(tree)),
        layout_(layout),
        nodes_(layout.nodes.data() + layout.trees[tree].first_node) {}

  TreeShape lay_out(std::uint32_t splits, std::size_t first_node) {
    std::vector<Subtree> level{{0, 0, splits, 0, 0}}, next;
    for (std::size_t depth = 0; depth < kTopLevels && !level.empty(); ++depth, level.swap(next)) {
      next.clear();
      for (const Subtree& subtree : level) place(subtree, next);
    }
    std::reverse(level.begin(), level.end());
    while (!level.empty()) {
      const Subtree subtree = level.back();
      level.pop_back();
      place(subtree, level);
      if (level.size() > 1 && subtree.first != subtree.last)
        std::swap(level.back(), level[level.size() - 2]);  // the left child comes first
    }
    return {first_node, used_, profile_.depth(), profile_.sure_steps()};
  }

 private:
  static constexpr std::size_t kTopLevels = 8;

  // Splits [first, last), a leaf if empty; `leaves` lie left of it.
  struct Subtree {
    std::uint32_t place, first, last, leaves, depth;
  };

  // Writes the root of the subtree and appends its children, left before right.
  void place(const Subtree& subtree, std::vector<Subtree>& children) {
    if (subtree.first == subtree.last) {
      nodes_[subtree.place] = Node::leaf(subtree.leaves, subtree.place, layout_.bits);
      profile_.add_leaf(subtree.depth, arrays_.support[first_leaf_ + subtree.leaves]);
      return;
    }
    const std::uint32_t child = used_;
    used_ += 2;
    nodes_[subtree.place] = split(first_split_ + subtree.first, child);
    const std::uint32_t right = arrays_.right[first_split_ + subtree.first];
    const std::uint32_t depth = subtree.depth + 1;
    children.push_back({child, subtree.first + 1, right, subtree.leaves, depth});
    children.push_back(
        {child + 1, right, subtree.last, subtree.leaves + right - subtree.first, depth});
  }

  Node split(std::size_t at, std::uint32_t child) {
    const std::uint32_t feature = arrays_.code[at] & SplitCode::kFeatureMask;
    const std::uint32_t missing_left = arrays_.code[at] >> 31;
    if (arrays_.code[at] & SplitCode::kKindMask) {
      const std::uint32_t column = feature | 1u << layout_.bits.category_shift();
      const std::uint32_t set = add_set(features_[feature], arrays_.threshold[at], missing_left);
      return Node::split(set, child, column, layout_.bits);
    }
    const std::uint32_t column = feature | missing_left << layout_.bits.feature_bits;
    const std::uint32_t key = number_key(std::bit_cast<float>(arrays_.threshold[at]));
    return Node::split(key, child, column, layout_.bits);
  }

  std::uint32_t add_set(const Feature& feature, std::size_t first_word, std::uint32_t missing) {
    CategoryTable& table = layout_.category_words;
    const auto set = static_cast<std::uint32_t>(table.size());
    const auto words = arrays_.category_words.subspan(first_word, category_words(feature));
    const std::size_t categories = feature.categories.size();
    table.insert(table.end(), words.begin(), words.end());
    table.resize(set + categories / 32 + 1);
    table.back() |= missing << (categories % 32);
    layout_.has_categories = true;
    return set;
  }

  const ForestArrays& arrays_;
  const std::vector<Feature>& features_;
  std::size_t first_split_, first_leaf_;
  NodeLayout<Node>& layout_;
  Node* nodes_;
  std::uint32_t used_ = 1;
  DepthProfile profile_;
};

}  // namespace

template <class Node>
NodeLayout<Node> lay_out(const Forest& forest) {
  const ForestArrays& arrays = forest.arrays();
  NodeLayout<Node> layout;
  layout.bits = column_bits(forest);
  layout.category_words.push_back(0);
  layout.nodes.allocate(arrays.splits() + arrays.leaves());
  layout.trees.resize(arrays.trees());
  std::size_t first_node = 0;
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    const std::uint32_t splits = arrays.first_split[tree + 1] - arrays.first_split[tree];
    layout.trees[tree].first_node = first_node;
    layout.trees[tree] = TreeLayout<Node>(forest, tree, layout).lay_out(splits, first_node);
    first_node += layout.trees[tree].nodes;
  }
  return layout;
}

template NodeLayout<PackedNode> lay_out(const Forest&);
template NodeLayout<WideNode> lay_out(const Forest&);

bool fits_packed_nodes(const Forest& forest) {
  for (std::size_t tree = 0; tree < forest.trees(); ++tree)
    if (!PackedNode::fits(nodes_of(forest.arrays(), tree), column_bits(forest))) return false;
  return true;
}

}  // namespace coppice
