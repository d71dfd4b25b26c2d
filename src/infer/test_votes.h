// For tests: votes of the three plain kinds of payload, added up the obvious way.
#pragma once

#include <algorithm>
#include <span>

#include "base/portable_math.h"
#include "coppice/model.h"

namespace coppice::test {

// sums has payload_size entries. For mean_variance: [ sum mean | sum (variance + mean^2) ].
inline void add_vote(PayloadKind kind, std::span<const float> payload, std::span<double> sums) {
  const std::size_t outputs =
      kind == PayloadKind::mean_variance ? payload.size() / 2 : payload.size();
  for (std::size_t k = 0; k < outputs; ++k) sums[k] += payload[k];
  for (std::size_t k = outputs; k < payload.size(); ++k) {
    const double mean = payload[k - outputs];
    sums[k] += payload[k] + mean * mean;
  }
}

inline void softmax(std::span<const double> scores, std::span<double> probabilities) {
  const double most = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (std::size_t k = 0; k < scores.size(); ++k)
    total += probabilities[k] = portable_exp(scores[k] - most);
  for (double& probability : probabilities) probability /= total;
}

// Mean over `votes` trees and, for mean_variance, the variance of the mixture of all leaves:
//   var = E[leaf variance + leaf mean^2] - E[leaf mean]^2
inline void read_out(PayloadKind kind, std::span<const double> sums, std::size_t votes,
                     std::span<double> mean, std::span<double> variance) {
  if (kind == PayloadKind::class_scores) return softmax(sums, mean);
  const auto count = static_cast<double>(votes);
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = sums[k] / count;
  if (kind != PayloadKind::mean_variance) return;
  for (std::size_t k = 0; k < variance.size(); ++k)
    variance[k] = std::max(0.0, sums[mean.size() + k] / count - mean[k] * mean[k]);
}

}  // namespace coppice::test
