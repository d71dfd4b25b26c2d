// How deep the trees of a forest are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "coppice/model.h"
#include "model/walk.h"

namespace coppice {

// The longest path from the root of a tree to a leaf, in splits.
inline std::size_t depth_of(const ForestArrays& arrays, std::size_t tree) {
  std::size_t deepest = 0;
  for_each_node(
      arrays, tree, [](std::size_t, std::size_t) {},
      [&](std::size_t, std::size_t depth) { deepest = std::max(deepest, depth); });
  return deepest;
}

inline std::size_t max_depth(const ForestArrays& arrays) {
  std::size_t deepest = 0;
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
    deepest = std::max(deepest, depth_of(arrays, tree));
  return deepest;
}

}  // namespace coppice
