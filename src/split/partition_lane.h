// Sends the rows of a node to its sides by values that lie in lanes, eight rows at a time where the
// processor has AVX2.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "data/node_samples.h"

namespace coppice {

// As partition_rows(): row i goes left if values[i][lane] < cut.
std::size_t partition_by_lane(std::span<SampleId> rows, std::vector<SampleId>& right,
                              const Lanes<float>* values, std::size_t lane, float cut);

}  // namespace coppice
