// What a refined forest says about its refinement.
#pragma once

#include "coppice/refine.h"

namespace coppice {

ForestInfo with_refinement_facts(ForestInfo, const RefineOptions&, const RefinementLoss&,
                                 const RefineReport&);

}  // namespace coppice
