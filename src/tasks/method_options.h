// The options about methods, as rows of option_table().
#pragma once

#include <vector>

#include "tasks/option_table.h"

namespace coppice {

std::vector<OptionRow> method_rows();

}  // namespace coppice
