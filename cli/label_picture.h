// The picture `coppice plot --what labels`: rows with the classes that have reached them.
#pragma once

#include "plot_kinds.h"

namespace coppice {

// REQUIRES: a classification forest on two numeric features. Throws Error(invalid_option) without
// rows, or if there is no such tree.
Drawing propagated_labels(const PlotRequest&);

}  // namespace coppice
