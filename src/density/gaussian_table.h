// Gaussians of payloads, ready to be evaluated: log p(x) = constant - |A (x - mean)|^2 / 2 with the
// lower triangle A of A' A = covariance^-1.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/payload_layout.h"

namespace coppice {

class GaussianTable {
 public:
  explicit GaussianTable(const PayloadLayout& layout) : layout_(layout) {}
  // One for every payload row. REQUIRES: payloads of kind gaussian that validation has accepted.
  GaussianTable(const PayloadLayout&, std::span<const float> payload_rows);

  void add(std::span<const float> payload);
  std::size_t size() const { return numbers_.size() / stride(); }

  // Without the weight: the log of the Gaussian alone.
  template <class ValueOf>
  double log_gaussian(std::size_t row, ValueOf&& value_of) const {
    const std::size_t features = layout_.outputs();
    const double* mean = numbers_.data() + row * stride() + 1;
    const double* factor = mean + features;
    double deviation[kFewFeatures], distance = 0;
    std::vector<double> many(features > kFewFeatures ? features : 0);
    double* const x = many.empty() ? deviation : many.data();
    for (std::size_t k = 0; k < features; ++k) {
      x[k] = double{value_of(k)} - mean[k];
      double along = 0;
      for (std::size_t j = 0; j <= k; ++j) along += *factor++ * x[j];
      distance += along * along;
    }
    return mean[-1] - distance / 2;
  }

 private:
  static constexpr std::size_t kFewFeatures = 64;

  std::size_t stride() const {
    const std::size_t features = layout_.outputs();
    return 1 + features + features * (features + 1) / 2;
  }

  PayloadLayout layout_;
  std::vector<double> numbers_;  // constant, mean, A; per Gaussian
};

// The covariance matrix of a payload as a lower triangle.
std::vector<double> covariance_of(const PayloadLayout&, std::span<const float> payload);

}  // namespace coppice
