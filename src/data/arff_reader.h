// Weka's ARFF: declared attributes, then rows, dense or sparse.
#pragma once

#include "coppice/read.h"
#include "data/table.h"
#include "data/text_source.h"

namespace coppice {

// Nominal and string attributes are text; a nominal one keeps all its declared values. Dates and
// nested tables can only be ignored.
Table read_arff(TextSource&, const ReadOptions&);

}  // namespace coppice
