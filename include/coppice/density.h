// Densities: forests whose leaves are Gaussians of the features, cut off at the borders of their
// cells (Criminisi et al. 2012, chapter 5).
#pragma once

#include "coppice/options.h"

namespace coppice {

// What `coppice train --task density` begins with.
FitOptions density_options();

}  // namespace coppice
