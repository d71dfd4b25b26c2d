// Where the values of a feature lie and how far they spread: what makes sums of features fair.
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

struct FeatureScales {
  std::vector<float> centre;  // mean of the finite values; 0 for categories
  std::vector<float> spread;  // their standard deviation, never 0; of an even coin for categories
};

FeatureScales measure_scales(const DatasetView&, std::size_t workers);

}  // namespace coppice
