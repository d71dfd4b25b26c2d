// How likely each feature is to be drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"

namespace coppice {

// By feature, as FeatureUrn wants them; empty: all equal. Learned weights are the impurity
// importances in a forest of a tenth of the trees, at least kFewestTrees, whose features are drawn
// equally often.
std::vector<std::uint32_t> feature_weights(const DatasetView&, const FitOptions&,
                                           const RunContext&);

inline constexpr std::uint32_t kFewestTrees = 10;

}  // namespace coppice
