// From what the leaves should hold to a forest.
#pragma once

#include <vector>

#include "coppice/refine.h"
#include "refine/prepared.h"

namespace coppice {

// Per tree: the splits that become leaves; no entry of a tree: none.
using Cuts = std::vector<std::vector<bool>>;

// W has an entry per leaf that is left, and so have the leaves of the rows. The variance of a leaf
// that holds a mean is the mean squared residual of the refined forest over the leaf's rows (over
// all rows if there are none in it).
Forest refined_forest(const Forest&, const Cuts&, const Prepared&, Refinement, const OutputBlock& w,
                      std::size_t workers);

}  // namespace coppice
