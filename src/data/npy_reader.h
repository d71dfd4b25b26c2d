// NumPy arrays of one or two dimensions. Columns are named f1, f2, ...
#pragma once

#include "coppice/read.h"
#include "data/table.h"
#include "data/text_source.h"

namespace coppice {

// In errors, the line is the row of the array and the field its column.
Table read_npy(TextSource&, const ReadOptions&);

}  // namespace coppice
