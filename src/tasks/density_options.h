// Options of densities, and what they change of the others' defaults.
#pragma once

#include <vector>

#include "coppice/options.h"
#include "tasks/option_table.h"

namespace coppice {

std::vector<OptionRow> density_rows();

// A density that was not told a depth chooses one of so many levels.
GrowthOptions growth_of(const FitOptions&);

}  // namespace coppice
