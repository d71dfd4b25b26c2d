// Shallow trees of numeric splits, 16 of them side by side: a lane per tree, 4 bytes per node. The
// trees of a group are filled up to complete ones, so that the place of a node follows from the
// path to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"
#include "infer/code_tile.h"
#include "infer/threshold_codes.h"
#include "infer/walk_kernels.h"

namespace coppice {

bool processor_has_avx512();

class CodedTrees {
 public:
  static constexpr std::size_t kLanes = 16;

  // Whether the forest can be laid out like this, on this machine.
  static bool fit(const Forest&);
  // Whether that answers faster than a walk of many rows through one tree. REQUIRES: fit().
  static bool pay(const Forest&);

  explicit CodedTrees(const Forest& forest) : CodedTrees(forest, {}) {}

  const ThresholdCodes& codes() const { return codes_; }
  std::size_t bytes() const {
    return codes_.bytes() + nodes_.size() * sizeof(std::uint32_t) +
           leaves_.size() * sizeof(std::uint16_t) + groups_.size() * sizeof(Group);
  }

  // leaves[(tree - first) * rows + row] in some trees for the rows of a tile.
  void find_leaves(const CodeTile&, TreeRange, std::uint32_t* leaves) const;

 private:
  // Nodes by place and lane, places being 1 for the root and 2 p, 2 p + 1 below p; leaves by place
  // less 2^levels, and lane: as many as nodes.
  struct Group {
    std::size_t first = 0;  // node, and leaf
    std::uint32_t levels = 0;
  };
  struct Walk;

  // code of the threshold | feature << 16 | missing_left << 31
  static constexpr std::uint32_t kFeatureShift = 16;

  // Splits [first, last) of a tree, a leaf if empty; `leaves` lie left of it.
  struct Subtree {
    std::uint32_t place, first, last, leaves;
  };

  // Codes by split, which are found on the way.
  CodedTrees(const Forest&, std::vector<std::uint16_t>&& of_splits);

  void lay_out(const ForestArrays&, std::size_t tree, std::span<const std::uint16_t> of_splits);
  void fill_leaves(const Group&, std::size_t lane, const Subtree&);

  ThresholdCodes codes_;
  std::vector<Group> groups_;
  LargeVector<std::uint32_t> nodes_;
  LargeVector<std::uint16_t> leaves_;
};

}  // namespace coppice
