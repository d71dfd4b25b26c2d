// Trees taken out of a forest again, whole or cut.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/model.h"
#include "model/tree_arrays.h"

namespace coppice {

struct CutTree {
  TreeArrays tree;                      // support added up; without payload
  std::vector<std::uint32_t> new_leaf;  // per leaf of the old tree
};

// The tree with every split s that cut[s] names made a leaf. Empty: nothing is cut.
CutTree copy_tree(const Forest&, std::size_t tree, const std::vector<bool>& cut);

}  // namespace coppice
