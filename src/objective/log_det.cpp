#include "objective/log_det.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::LogDet>;
