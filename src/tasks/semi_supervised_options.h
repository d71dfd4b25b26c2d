// Options of learning from few labels, for the option table.
#pragma once

#include <vector>

#include "tasks/option_table.h"

namespace coppice {

std::vector<OptionRow> semi_supervised_rows();

}  // namespace coppice
