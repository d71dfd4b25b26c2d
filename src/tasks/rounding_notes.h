// What users should know of targets that models, which hold floats, keep too coarsely.
#pragma once

#include <string>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

// A sentence for every target that floats round by more than a hundredth of its standard
// deviation: one far from 0 for how little it varies, or one that is smaller than any float. It
// says what to do.
std::vector<std::string> rounding_notes(const DatasetView&);

}  // namespace coppice
