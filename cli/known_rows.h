// The rows of a file whose target is known: those that answers can be compared with.
#pragma once

#include <string>

#include "coppice/dataset.h"
#include "coppice/model.h"

namespace coppice {

bool truth_known(const Dataset&, std::size_t row);

// Throws Error(invalid_data), naming the file, if there is none.
Dataset rows_with_truth(const Dataset&, const std::string& path);

// The misclassified share, or the root of the mean squared error. REQUIRES: the truth is known.
double error_on(const Forest&, const Dataset&);

}  // namespace coppice
