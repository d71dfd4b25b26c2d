// The split search of every objective. Each is instantiated in its own objective/*.cpp.
#pragma once

#include "objective/absolute_deviation.h"
#include "objective/class_impurity.h"
#include "objective/feature_variance.h"
#include "objective/general_entropy.h"
#include "objective/log_det.h"
#include "objective/mixed_gain.h"
#include "objective/probabilistic_linear.h"
#include "objective/twoing.h"
#include "objective/variance.h"
#include "split/split_search.h"

namespace coppice {

extern template class SplitSearch<GiniImpurity>;
extern template class SplitSearch<EntropyImpurity>;
extern template class SplitSearch<TsallisEntropy>;
extern template class SplitSearch<RenyiEntropy>;
extern template class SplitSearch<Variance>;
extern template class SplitSearch<MultiVariance>;
extern template class SplitSearch<Twoing>;
extern template class SplitSearch<AbsoluteDeviation>;
extern template class SplitSearch<FeatureVariance>;
extern template class SplitSearch<LogDet>;
extern template class SplitSearch<ProbabilisticLinear>;
extern template class SplitSearch<MixedGain<LabelEntropy>>;
extern template class SplitSearch<MixedGain<LogDet>>;

}  // namespace coppice
