// The last step of every reader: from a table to a data set.
#pragma once

#include <string>

#include "coppice/dataset.h"
#include "data/table.h"

namespace coppice {

// Sorts and recodes categories and classes; everything goes where its column's use says. `file` is
// for errors. Throws Error(invalid_data) if there are no rows or a weight cannot be used.
Dataset assemble(Table, const std::string& file);

}  // namespace coppice
