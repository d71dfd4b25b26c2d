// The walk for every processor.
#include "infer/walk_kernels.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsAbreast = 8;  // as many as there are registers for

template <class Node>
void walk_tile_portably(const NodeLayout<Node>& layout, TreeRange trees, const KeyTile& tile,
                        std::uint32_t* leaves) {
  const auto at_root = [](std::size_t, const std::uint32_t*, std::uint32_t* at) {
    std::fill_n(at, KeyTile::kLanes, 0);
  };
  if (layout.has_categories) {
    walk_tile<true, kRowsAbreast>(layout, trees, tile, leaves, 0, at_root);
  } else {
    walk_tile<false, kRowsAbreast>(layout, trees, tile, leaves, 0, at_root);
  }
}

template <class Node>
void walk_row_portably(const NodeLayout<Node>& layout, std::size_t first, const std::uint32_t* keys,
                       std::uint32_t column_mask, std::span<std::uint32_t> leaves) {
  walk_row(layout, first, keys, column_mask, leaves);
}

}  // namespace

template <class Node>
WalkFunctions<Node> portable_walks() {
  return {walk_tile_portably<Node>, walk_row_portably<Node>};
}

template WalkFunctions<PackedNode> portable_walks();
template WalkFunctions<WideNode> portable_walks();

}  // namespace coppice
