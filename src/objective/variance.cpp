#include "objective/variance.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::Variance>;
template class coppice::SplitSearch<coppice::MultiVariance>;
