// Where rows lie, for Gaussians: numeric features about their means, in standard deviations. A
// missing value lies at the mean; a feature that never varies is left out. If more are left than
// are wanted, the first principal components of them take their place.
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

struct Coordinates {
  std::size_t dimensions = 0;  // 0 if no number varies
  std::vector<double> values;  // rows x dimensions
};

Coordinates coordinates_of(const DatasetView&, std::size_t most_dimensions);

}  // namespace coppice
