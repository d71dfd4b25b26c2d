// Options of densities, and what they change of the others' defaults.
#pragma once

#include <vector>

#include "coppice/options.h"
#include "tasks/option_table.h"

namespace coppice {

std::vector<OptionRow> density_rows();

}  // namespace coppice
