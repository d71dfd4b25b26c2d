// How deep the trees of a forest are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "coppice/model.h"
#include "model/walk.h"

namespace coppice {

// The longest path from root to leaf, in splits.
inline std::size_t max_depth(const ForestArrays& arrays) {
  std::size_t deepest = 0;
  const auto ignore = [](std::size_t, std::size_t) {};
  const auto look = [&](std::size_t, std::size_t depth) { deepest = std::max(deepest, depth); };
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
    for_each_node(arrays, tree, ignore, look);
  return deepest;
}

}  // namespace coppice
