// The split search of every objective. Each is instantiated in its own objective/*.cpp.
#pragma once

#include "objective/class_impurity.h"
#include "objective/general_entropy.h"
#include "objective/variance.h"
#include "split/split_search.h"

namespace coppice {

extern template class SplitSearch<GiniImpurity>;
extern template class SplitSearch<EntropyImpurity>;
extern template class SplitSearch<TsallisEntropy>;
extern template class SplitSearch<RenyiEntropy>;
extern template class SplitSearch<Variance>;
extern template class SplitSearch<MultiVariance>;

}  // namespace coppice
