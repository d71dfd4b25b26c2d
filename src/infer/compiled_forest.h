// A forest ready for traversal by the engine that suits it. All engines find the same leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "coppice/model.h"
#include "infer/code_tile.h"
#include "infer/coded_trees.h"
#include "infer/node_layout.h"
#include "infer/projected_forest.h"
#include "infer/row_keys.h"
#include "infer/walk_kernels.h"

namespace coppice {

enum class Engine {
  wide,          // 16 bytes per node, for any forest
  packed,        // 8 bytes per node
  packed_avx2,   // the same nodes, for processors with AVX2
  coded_avx512,  // shallow trees of numbers, 16 of them at a time, for processors with AVX-512
  projected,     // for splits on several features
};

std::string_view engine_name(Engine);

// Those that can run this forest on this machine, the fastest last.
std::vector<Engine> engines_for(const Forest&);

// The fastest engine, and why it is, in a sentence.
struct EngineChoice {
  Engine engine = Engine::wide;
  std::string reason;
};
EngineChoice choose_engine(const Forest&);

class CompiledForest {
 public:
  explicit CompiledForest(const Forest& forest)
      : CompiledForest(forest, engines_for(forest).back()) {}
  // REQUIRES: the engine is one of engines_for(forest).
  CompiledForest(const Forest&, Engine);

  Engine engine() const { return engine_; }
  std::size_t trees() const { return trees_; }
  std::size_t bytes() const;
  std::span<const FeatureKeys> feature_keys() const { return features_; }

  // Rows that should share a pass over the trees, given as many; a multiple of KeyTile::kLanes.
  std::size_t rows_per_tile() const { return rows_per_tile_; }

  // leaves[(tree - first) * rows + row] in some trees for the rows of a tile.
  class Tile;
  void find_leaves(const Tile&, TreeRange, std::uint32_t* leaves) const;

  // leaves[tree - first] of one row, many trees at a time. REQUIRES: has_row_walk().
  class RowKeys;
  bool has_row_walk() const { return !projected_; }
  void find_leaves(const RowKeys&, std::size_t first, std::span<std::uint32_t> leaves) const;

  // The leaf of one row in one tree; value(feature) is the row's value, NaN if missing.
  template <class Value>
  std::uint32_t find_leaf(std::size_t tree, Value&& value) const {
    if (projected_) return projected_->find_leaf(tree, value);
    if (const auto* packed = std::get_if<Walker<PackedNode>>(&walker_))
      return walk_alone(packed->layout, tree, value);
    return walk_alone(std::get<Walker<WideNode>>(walker_).layout, tree, value);
  }

 private:
  template <class Node>
  struct Walker {
    NodeLayout<Node> layout;
    WalkFunctions<Node> walks;
  };

  template <class Node, class Value>
  std::uint32_t walk_alone(const NodeLayout<Node>& layout, std::size_t tree, Value&& value) const;

  Engine engine_;
  std::size_t trees_;
  std::vector<FeatureKeys> features_;
  std::variant<Walker<PackedNode>, Walker<WideNode>> walker_;
  std::optional<CodedTrees> coded_;           // in place of the walker, for tiles
  std::optional<ProjectedForest> projected_;  // in place of the walker
  std::size_t rows_per_tile_;
  std::size_t trees_per_block_;
};

// Rows as the engine reads them: as codes, as keys or as they are.
class CompiledForest::Tile {
 public:
  // Keeps a reference to the forest.
  explicit Tile(const CompiledForest& forest) : forest_(&forest), keys_(forest.features_) {}

  // Rows [first, first + count) of the source. REQUIRES: count > 0.
  void load(const RowSource&, std::size_t first, std::size_t count);
  std::size_t rows() const { return rows_; }

 private:
  friend CompiledForest;

  const CompiledForest* forest_;
  std::size_t rows_ = 0;
  KeyTile keys_;
  CodeTile codes_;
  std::vector<float> copied_;
  const float* values_ = nullptr;  // one row after the other
};

// The keys of one row. Rows of few features need no memory but this.
class CompiledForest::RowKeys {
 public:
  RowKeys(const CompiledForest&, const RowSource&, std::size_t row);
  const std::uint32_t* keys() const { return many_.empty() ? few_ : many_.data(); }
  std::uint32_t column_mask() const { return column_mask_; }

 private:
  std::uint32_t few_[512];
  std::vector<std::uint32_t> many_;
  std::uint32_t column_mask_;
};

template <class Node, class Value>
std::uint32_t CompiledForest::walk_alone(const NodeLayout<Node>& layout, std::size_t tree,
                                         Value&& value) const {
  const std::uint32_t feature_mask = (1u << layout.bits.feature_bits) - 1;
  const StepFields fields(layout, 0);  // a single column holds the key that is asked for
  const Node* nodes = layout.tree(tree);
  std::uint32_t at = 0;
  while (!nodes[at].is_leaf()) {
    const Node& node = nodes[at];
    const std::uint32_t feature = node.column() & feature_mask;
    const bool missing_left = node.column() >> layout.bits.feature_bits & 1;
    std::uint32_t key = features_[feature](value(feature));
    if (missing_left && key == kMissingRightKey) key = kMissingLeftKey;
    at = next_by_any<1>(node, &key, fields);
  }
  return nodes[at].leaf_number();
}

}  // namespace coppice
