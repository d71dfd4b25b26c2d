#include "leaf/covariance.h"

#include <cmath>
#include <vector>

#include "leaf/leaf_rows.h"

namespace coppice {
namespace {

// A variance may be too small for a float where the covariance is not: |cov| <= sd sd all the same.
void keep_possible(const PayloadLayout& layout, std::span<float> payload) {
  constexpr double kRounding = 1.000001;
  const std::size_t outputs = layout.outputs();
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t j = 0; j < k; ++j) {
      float& covariance = payload[layout.covariance(j, k)];
      const double most =
          kRounding * std::sqrt(double{payload[outputs + j]} * double{payload[outputs + k]});
      if (std::abs(double{covariance}) > most) covariance = 0;
    }
}

}  // namespace

float CovarianceLeaf::fit(const NodeSamples& samples, std::span<const float>,
                          std::span<float> payload) const {
  const LeafRows leaf(samples, weights_);
  const std::size_t outputs = targets_.outputs();
  std::vector<std::vector<double>> deviations;
  for (std::size_t k = 0; k < outputs; ++k) {
    std::vector<double> values = leaf_targets(leaf, targets_, k);
    const double mean = leaf.mean(values);
    for (double& value : values) value -= mean;
    payload[k] = static_cast<float>(targets_.centre(k) + mean);
    deviations.push_back(std::move(values));
  }
  const double freedom = leaf.count() - 1;
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t j = 0; j <= k; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < leaf.weights.size(); ++i)
        sum += leaf.weights[i] * deviations[j][i] * deviations[k][i];
      payload[layout_.covariance(j, k)] = static_cast<float>(freedom > 0 ? sum / freedom : 0);
    }
  keep_possible(layout_, payload);
  return static_cast<float>(leaf.support);
}

}  // namespace coppice
