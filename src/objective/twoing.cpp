#include "objective/twoing.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::Twoing>;
