#include "objective/mixed_gain.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::MixedGain<coppice::LabelEntropy>>;
template class coppice::SplitSearch<coppice::MixedGain<coppice::LogDet>>;
