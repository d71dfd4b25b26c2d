// A tree as an earlier training left it: what its nodes were split by, so that it can be grown
// again without a search and then further.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/checkpoint_arrays.h"
#include "split/node_splitter.h"

namespace coppice {

class RecordedTree {
 public:
  // A node by its split, or one of these.
  using Place = std::uint32_t;
  static constexpr Place kUnknown = ~Place{0};  // nothing is recorded of it
  static constexpr Place kLeaf = kUnknown - 1;  // it was looked at and stays a leaf

  // `index` counts the trees of the checkpoint. Borrowed.
  RecordedTree(const StoredCheckpoint& checkpoint, std::size_t index);

  Place root() const { return splits_ > 0 ? 0 : leaf_at(0); }
  struct Children {
    Place left = kUnknown, right = kUnknown;
  };
  // REQUIRES: a split. `depth` is that of the children.
  Children children(Place split, std::uint32_t depth) const;
  ChosenSplit split(Place) const;
  // Whether nothing is left to be searched.
  bool finished() const { return closed_depth_ == CheckpointArrays::kFinished; }

 private:
  Place leaf_at(std::uint32_t depth) const { return depth < closed_depth_ ? kLeaf : kUnknown; }
  std::vector<std::uint32_t> words(std::size_t first, std::size_t feature) const;
  Projection projection(std::size_t number) const;

  const StoredCheckpoint* checkpoint_;
  std::size_t index_, splits_;
  std::uint32_t closed_depth_;
};

}  // namespace coppice
