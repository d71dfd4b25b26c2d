// What is known of a forest before it is grown.
#pragma once

#include "coppice/fit.h"
#include "coppice/model.h"

namespace coppice {

// What the forest will say of itself, without what is learnt. Throws what fit() would refuse.
ForestInfo planned_forest(const DatasetView&, const FitOptions&);

}  // namespace coppice
