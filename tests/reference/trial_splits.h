// Every split of a node on one feature that the contracts allow, in the order in which they are
// tried: missing values on the right, then on the left, each from the least value up.
#pragma once

#include <vector>

#include "base/random_stream.h"
#include "tests/reference/reference_forest.h"
#include "tests/reference/training_set.h"

namespace coppice::reference {

// Whether the feature has more than one value in the data, missing being one too. Every category
// that has a name counts, whether it occurs or not.
bool varies(const TrainingSet&, std::uint32_t feature);

struct TrialSplit {
  SplitRule rule;
  double gap = 0;  // between the neighbours, as a share of the column's ranks; 0 if they have none
};

// ranks: of the categories of the feature in this tree; empty for a number.
std::vector<TrialSplit> trial_splits(const TrainingSet&, const Samples&, std::uint32_t feature,
                                     const std::vector<std::uint32_t>& ranks, RandomStream);

}  // namespace coppice::reference
