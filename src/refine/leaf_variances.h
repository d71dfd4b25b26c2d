// How far the rows of a leaf are from what the refined forest says of them.
#pragma once

#include "refine/refinable_rows.h"

namespace coppice {

// Leaves x targets: the mean squared residual over the rows of each leaf, scaled as the targets
// are; over all rows for a leaf without any.
OutputBlock leaf_variances(const RefinableRows&, const OutputBlock& w, std::size_t workers);

}  // namespace coppice
