// Comma-separated text: one pass over the file, a second one only if a column of numbers turns out
// to be text.
#pragma once

#include "coppice/read.h"
#include "data/table.h"
#include "data/text_source.h"

namespace coppice {

// Throws Error(invalid_data) with file:line:field, where a record counts from its first line.
Table read_csv(TextSource&, const ReadOptions&);

}  // namespace coppice
