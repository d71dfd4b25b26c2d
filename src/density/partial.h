// A Gaussian of all features given some of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "density/cells.h"

namespace coppice {

// Which features of a row are known.
struct KnownFeatures {
  std::vector<std::uint32_t> known, unknown;
  std::vector<float> row;

  explicit KnownFeatures(std::span<const float> values);
};

struct GivenGaussian {
  double log_known = 0;  // log density of the known features under the whole Gaussian
  std::vector<double> mean, covariance;  // of the unknown ones, in their order; lower triangle
};
GivenGaussian given(const PayloadLayout&, std::span<const float> payload, const KnownFeatures&);

}  // namespace coppice
