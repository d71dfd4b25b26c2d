// The walk through trees, many rows (or many trees) abreast: each lane is a chain of loads, and
// only chains side by side keep the processor busy. Compiled once portably and once for AVX2; both
// take the same steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "infer/node_layout.h"
#include "infer/row_keys.h"

namespace coppice {

// Trees [first, first + count).
struct TreeRange {
  std::size_t first = 0, count = 0;
};

// Trees that a block of rows passes while its keys are near.
inline constexpr std::size_t kMostTreesPerBlock = 8;

// Rows of a tile through some trees, at most kMostTreesPerBlock: leaves[(tree - first) * rows +
// row].
template <class Node>
using TileWalk = void (*)(const NodeLayout<Node>&, TreeRange, const KeyTile&,
                          std::uint32_t* leaves);

// One row through trees [first, first + leaves.size()). keys[column], with the mask of a KeyTile.
template <class Node>
using RowWalk = void (*)(const NodeLayout<Node>&, std::size_t first, const std::uint32_t* keys,
                         std::uint32_t column_mask, std::span<std::uint32_t> leaves);

template <class Node>
struct WalkFunctions {
  TileWalk<Node> tile;
  RowWalk<Node> row;
};

template <class Node>
WalkFunctions<Node> portable_walks();

// REQUIRES: processor_has_avx2().
template <class Node>
WalkFunctions<Node> avx2_walks();
bool processor_has_avx2();

// Trees abreast in the walk of a single row.
inline constexpr std::size_t kTreesAbreast = 16;

// What all steps through a layout share; copied, so that it stays in registers.
struct StepFields {
  std::uint32_t column_mask, width, category_shift;
  const std::uint32_t* category_words;

  template <class Node>
  StepFields(const NodeLayout<Node>& layout, std::uint32_t mask)
      : column_mask(mask),
        width(layout.bits.width()),
        category_shift(layout.bits.category_shift()),
        category_words(layout.category_words.data()) {}
};

// The node after `node`, in a tree without category sets. `stride` is the distance of columns.
template <std::size_t stride, class Node>
[[gnu::always_inline]] inline std::uint32_t next_by_number(const Node& node,
                                                           const std::uint32_t* keys,
                                                           const StepFields& fields) {
  const NodeParts parts = node.parts(fields.width);
  const std::size_t column = parts.column & fields.column_mask;
  // Subtracting takes fewer instructions than adding (key of the row >= key of the node).
  return parts.child + 1 - (keys[column * stride] < parts.key);
}

// The same with category sets: both questions are asked and one answer is taken, since which one
// it will be cannot be foretold.
template <std::size_t stride, class Node>
[[gnu::always_inline]] inline std::uint32_t next_by_any(const Node& node, const std::uint32_t* keys,
                                                        const StepFields& fields) {
  const std::uint32_t key = keys[std::size_t{node.column() & fields.column_mask} * stride];
  const std::uint32_t set = 0u - (node.column() >> fields.category_shift & 1);  // all ones or none
  const std::uint32_t word = fields.category_words[(node.key + key / 32) & set];
  const std::uint32_t outside = ~(word >> (key % 32)) & 1;
  const std::uint32_t above = key >= node.key;
  return node.child(fields.width) + ((outside & set) | (above & ~set));
}

template <bool categories, std::size_t stride, class Node>
[[gnu::always_inline]] inline std::uint32_t next_node(const Node& node, const std::uint32_t* keys,
                                                      const StepFields& fields) {
  if constexpr (categories) return next_by_any<stride>(node, keys, fields);
  return next_by_number<stride>(node, keys, fields);
}

// --- Rows abreast --------------------------------------------------------------------------------

// Moves `lanes` rows of a block from the nodes `at` to their leaves; `steps` of the tree's sure
// steps are left.
template <bool categories, std::size_t lanes, class Node>
[[gnu::always_inline]] inline void walk_lanes(const Node* nodes, const StepFields fields,
                                              const std::uint32_t* keys, std::uint32_t steps,
                                              bool until_all_rest, std::uint32_t* leaves) {
  std::size_t at[lanes];
#pragma GCC unroll 16
  for (std::size_t lane = 0; lane < lanes; ++lane) at[lane] = leaves[lane];
  for (; steps > 0; --steps) {
#pragma GCC unroll 16
    for (std::size_t lane = 0; lane < lanes; ++lane)
      at[lane] = next_node<categories, KeyTile::kLanes>(nodes[at[lane]], keys + lane, fields);
  }
  for (std::uint32_t moved = until_all_rest; moved != 0;) {
#pragma GCC unroll 16
    for (std::size_t lane = 0; lane < lanes; ++lane)
      at[lane] = next_node<categories, KeyTile::kLanes>(nodes[at[lane]], keys + lane, fields);
    moved = 0;
#pragma GCC unroll 16
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t next =
          next_node<categories, KeyTile::kLanes>(nodes[at[lane]], keys + lane, fields);
      moved |= next ^ static_cast<std::uint32_t>(at[lane]);
      at[lane] = next;
    }
  }
#pragma GCC unroll 16
  for (std::size_t lane = 0; lane < lanes; ++lane) leaves[lane] = nodes[at[lane]].leaf_number();
}

// Nodes are visited in no order, but fetched in order once.
template <class Node>
inline void fetch_tree(const Node* nodes, std::size_t count) {
  for (std::size_t n = 0; n < count; n += 64 / sizeof(Node)) __builtin_prefetch(nodes + n, 0, 2);
}

// Walks a block through a tree from the nodes `at`, below which `skipped` levels were decided.
template <bool categories, std::size_t lanes, class Node>
[[gnu::always_inline]] inline void walk_block(const NodeLayout<Node>& layout, std::size_t tree,
                                              const StepFields& fields, const std::uint32_t* block,
                                              std::uint32_t skipped, std::uint32_t* at) {
  const TreeShape shape = layout.trees[tree];
  const std::uint32_t steps = shape.sure_steps - std::min(skipped, shape.sure_steps);
  const bool until_all_rest = shape.sure_steps < shape.depth;
  for (std::size_t lane = 0; lane < KeyTile::kLanes; lane += lanes)
    walk_lanes<categories, lanes>(layout.tree(tree), fields, block + lane, steps, until_all_rest,
                                  at + lane);
}

// Start is start(number of the tree in the range, block, at): puts the rows where they are after
// `skipped` levels.
template <bool categories, std::size_t lanes, class Node, class Start>
[[gnu::always_inline]] inline void walk_tile(const NodeLayout<Node>& layout, TreeRange trees,
                                             const KeyTile& tile, std::uint32_t* leaves,
                                             std::uint32_t skipped, Start&& start) {
  constexpr std::size_t kLanes = KeyTile::kLanes;
  const StepFields fields(layout, tile.column_mask());
  for (std::size_t t = 0; t < trees.count; ++t) {
    const std::uint32_t nodes = layout.trees[trees.first + t].nodes;
    if (tile.rows() > nodes / 64) fetch_tree(layout.tree(trees.first + t), nodes);
  }
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    const std::size_t rows = std::min(kLanes, tile.rows() - b * kLanes);
    for (std::size_t t = 0; t < trees.count; ++t) {
      std::uint32_t at[kLanes];
      start(t, tile.block(b), at);
      walk_block<categories, lanes>(layout, trees.first + t, fields, tile.block(b), skipped, at);
      std::copy_n(at, rows, leaves + t * tile.rows() + b * kLanes);
    }
  }
}

// --- Trees abreast -------------------------------------------------------------------------------

template <bool categories, class Node>
[[gnu::always_inline]] inline void walk_trees(const NodeLayout<Node>& layout, std::size_t first,
                                              const std::uint32_t* keys, const StepFields fields,
                                              std::span<std::uint32_t> leaves) {
  const Node* nodes[kTreesAbreast];
  std::uint32_t at[kTreesAbreast] = {};
  for (std::size_t lane = 0; lane < kTreesAbreast; ++lane)  // the last tree fills the rest
    nodes[lane] = layout.tree(first + std::min(lane, leaves.size() - 1));
  for (std::uint32_t moved = 1; moved != 0;) {
    moved = 0;
#pragma GCC unroll 16
    for (std::size_t lane = 0; lane < kTreesAbreast; ++lane) {
      const std::uint32_t next = next_node<categories, 1>(nodes[lane][at[lane]], keys, fields);
      moved |= next ^ at[lane];
      at[lane] = next;
    }
  }
  for (std::size_t lane = 0; lane < leaves.size(); ++lane)
    leaves[lane] = nodes[lane][at[lane]].leaf_number();
}

template <class Node>
[[gnu::always_inline]] inline void walk_row(const NodeLayout<Node>& layout, std::size_t first,
                                            const std::uint32_t* keys, std::uint32_t column_mask,
                                            std::span<std::uint32_t> leaves) {
  const StepFields fields(layout, column_mask);
  for (std::size_t done = 0; done < leaves.size(); done += kTreesAbreast) {
    const auto some = leaves.subspan(done, std::min(kTreesAbreast, leaves.size() - done));
    if (layout.has_categories) {
      walk_trees<true>(layout, first + done, keys, fields, some);
    } else {
      walk_trees<false>(layout, first + done, keys, fields, some);
    }
  }
}

}  // namespace coppice
