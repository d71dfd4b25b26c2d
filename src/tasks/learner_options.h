// The options that say what splits look at, as rows of the option table. A text is empty where the
// option has its default, so that models name only what was chosen.
#pragma once

#include <vector>

#include "tasks/option_table.h"

namespace coppice {

std::vector<OptionRow> learner_rows();
std::vector<OptionRow> box_rows();

}  // namespace coppice
