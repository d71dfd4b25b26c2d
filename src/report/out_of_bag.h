// Out-of-bag estimates: every row is predicted by the trees that were not trained on it.
#pragma once

#include <optional>

#include "coppice/fit.h"

namespace coppice {

// Nothing if no row was ever out of bag. The error is the mean over rows by their
// weights.
std::optional<OutOfBag> out_of_bag(const Forest&, const LeafIds&, const DatasetView&,
                                   std::size_t workers);

}  // namespace coppice
