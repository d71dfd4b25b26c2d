#include "objective/general_entropy.h"

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::TsallisEntropy>;
template class coppice::SplitSearch<coppice::RenyiEntropy>;
