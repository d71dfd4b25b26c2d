// LIBSVM text: "label index:value ... # comment". What a line does not mention is 0. Columns are
// named f1, f2, ...; the target is named label (label1, label2, ... if there are several).
#pragma once

#include "coppice/read.h"
#include "data/table.h"
#include "data/text_source.h"

namespace coppice {

// In errors, fields are what blanks separate. Columns f1 ... fN exist at least up to the largest N
// that options.kinds names, so that a file that never mentions its last features fits its model.
Table read_libsvm(TextSource&, const ReadOptions&);

}  // namespace coppice
