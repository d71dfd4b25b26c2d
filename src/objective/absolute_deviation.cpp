#include "objective/absolute_deviation.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::AbsoluteDeviation>;
