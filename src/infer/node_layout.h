// A forest laid out for traversal: children are neighbours and leaves lead to themselves, so a step
// is one comparison and one addition, without a branch. Derived from the model, never saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coppice/model.h"
#include "infer/node_memory.h"
#include "infer/row_keys.h"

namespace coppice {

// Where a row goes at a node is a question to a column of a KeyTile:
//   column = feature | missing_left << feature_bits | category_set << (feature_bits + 1)
struct ColumnBits {
  std::uint32_t feature_bits = 0;

  std::uint32_t category_shift() const { return feature_bits + 1; }
  std::uint32_t width() const { return feature_bits + 2; }
};

// The key is that of the threshold (left if key of the row < key of the node), the first word of
// the category set, or above all keys of rows for a leaf.

struct NodeParts {
  std::uint32_t key, column, child;  // more may stand above the bits of the column
};

// 8 bytes: word = child << bits.width() | column. A leaf has kFirstFreeKey + its number.
struct PackedNode {
  std::uint32_t word, key;

  static constexpr std::uint32_t kMaxLeaves = 0u - kFirstFreeKey;
  static bool fits(std::uint32_t nodes, ColumnBits bits) {
    return bits.width() < 32 && nodes / 2 < kMaxLeaves && nodes <= 1u << (32 - bits.width());
  }
  static PackedNode split(std::uint32_t key, std::uint32_t child, std::uint32_t column,
                          ColumnBits bits) {
    return {child << bits.width() | column, key};
  }
  static PackedNode leaf(std::uint32_t number, std::uint32_t self, ColumnBits bits) {
    return {self << bits.width(), kFirstFreeKey + number};
  }
  // By one load.
  NodeParts parts(std::uint32_t width) const {
    std::uint64_t both;
    std::memcpy(&both, this, sizeof(both));
    const auto lower = static_cast<std::uint32_t>(both);
    return {static_cast<std::uint32_t>(both >> 32), lower, lower >> width};
  }
  std::uint32_t column() const { return word; }  // and more above it
  std::uint32_t child(std::uint32_t width) const { return word >> width; }
  bool is_leaf() const { return key >= kFirstFreeKey; }
  std::uint32_t leaf_number() const { return key - kFirstFreeKey; }
};

// 16 bytes, for any number of features and nodes.
struct WideNode {
  std::uint32_t key, left, columns, number;

  static constexpr std::uint32_t kLeafKey = ~0u;
  static bool fits(std::uint32_t, ColumnBits) { return true; }
  static WideNode split(std::uint32_t key, std::uint32_t child, std::uint32_t column, ColumnBits) {
    return {key, child, column, 0};
  }
  static WideNode leaf(std::uint32_t number, std::uint32_t self, ColumnBits) {
    return {kLeafKey, self, 0, number};
  }
  NodeParts parts(std::uint32_t) const { return {key, columns, left}; }
  std::uint32_t column() const { return columns; }
  std::uint32_t child(std::uint32_t) const { return left; }
  bool is_leaf() const { return key == kLeafKey; }
  std::uint32_t leaf_number() const { return number; }
};

// What a walk through one tree needs.
struct TreeShape {
  std::size_t first_node = 0;
  std::uint32_t nodes = 1;
  std::uint32_t depth = 0;
  std::uint32_t sure_steps = 0;  // most rows are on their way for as many steps
};

// Bits of the sets of all category splits. The bit after the last category says whether missing
// values go left. The first word belongs to no set.
using CategoryTable = std::vector<std::uint32_t>;

template <class Node>
struct NodeLayout {
  ColumnBits bits;
  bool has_categories = false;
  CategoryTable category_words;
  std::vector<TreeShape> trees;
  NodeMemory<Node> nodes;

  const Node* tree(std::size_t number) const { return nodes.data() + trees[number].first_node; }
  std::size_t bytes() const {
    return nodes.bytes() + category_words.size() * sizeof(std::uint32_t) +
           trees.size() * sizeof(TreeShape);
  }
};

template <class Node>
NodeLayout<Node> lay_out(const Forest&);

extern template NodeLayout<PackedNode> lay_out(const Forest&);
extern template NodeLayout<WideNode> lay_out(const Forest&);

// Whether every tree fits into packed nodes.
bool fits_packed_nodes(const Forest&);

}  // namespace coppice
