#include "density/partial.h"

#include <cmath>

#include "base/cholesky.h"
#include "base/portable_math.h"

namespace coppice {

KnownFeatures::KnownFeatures(std::span<const float> values) : row(values.begin(), values.end()) {
  for (std::uint32_t f = 0; f < row.size(); ++f)
    (std::isnan(row[f]) ? unknown : known).push_back(f);
}

// With the known features first, the factor L of the covariance has the blocks
//   [ A 0 ]   x_known = A z;   mean of the others given it: B z;   covariance given it: C C'.
//   [ B C ]
GivenGaussian given(const PayloadLayout& layout, std::span<const float> payload,
                    const KnownFeatures& features) {
  constexpr double kLogOfTwoPi = 1.8378770664093453;
  std::vector<std::uint32_t> order = features.known;
  order.insert(order.end(), features.unknown.begin(), features.unknown.end());
  std::vector<double> factor;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t j = 0; j <= k; ++j)
      factor.push_back(double{
          payload[layout.covariance(std::min(order[j], order[k]), std::max(order[j], order[k]))]});
  factorise(factor, order.size(), 0);
  GivenGaussian found;
  const std::size_t known = features.known.size();
  std::vector<double> z;
  for (std::size_t k = 0; k < known; ++k) {
    double rest = double{features.row[order[k]]} - double{payload[order[k]]};
    for (std::size_t j = 0; j < k; ++j) rest -= factor[triangle_index(k, j)] * z[j];
    z.push_back(rest / factor[triangle_index(k, k)]);
    found.log_known -= (kLogOfTwoPi + z[k] * z[k]) / 2 + portable_log(factor[triangle_index(k, k)]);
  }
  for (std::size_t k = known; k < order.size(); ++k) {
    double mean = double{payload[order[k]]};
    for (std::size_t j = 0; j < known; ++j) mean += factor[triangle_index(k, j)] * z[j];
    found.mean.push_back(mean);
    for (std::size_t l = known; l <= k; ++l) {
      double sum = 0;
      for (std::size_t j = known; j <= l; ++j)
        sum += factor[triangle_index(k, j)] * factor[triangle_index(l, j)];
      found.covariance.push_back(sum);
    }
  }
  return found;
}

}  // namespace coppice
