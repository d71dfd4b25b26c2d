#include "objective/class_impurity.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::GiniImpurity>;
template class coppice::SplitSearch<coppice::EntropyImpurity>;
