#include "infer/votes.h"

#include <algorithm>

namespace coppice {

void add_vote(PayloadKind kind, std::span<const float> payload, std::span<double> sums) {
  const std::size_t outputs =
      kind == PayloadKind::mean_variance ? payload.size() / 2 : payload.size();
  for (std::size_t k = 0; k < outputs; ++k) sums[k] += payload[k];
  for (std::size_t k = outputs; k < payload.size(); ++k) {
    const double mean = payload[k - outputs];
    sums[k] += payload[k] + mean * mean;
  }
}

void read_out(PayloadKind kind, std::span<const double> sums, std::size_t votes,
              std::span<double> mean, std::span<double> variance) {
  const auto count = static_cast<double>(votes);
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = sums[k] / count;
  if (kind != PayloadKind::mean_variance) return;
  for (std::size_t k = 0; k < variance.size(); ++k)
    variance[k] = std::max(0.0, sums[mean.size() + k] / count - mean[k] * mean[k]);
}

std::uint32_t most_probable(std::span<const double> probabilities) {
  const auto largest = std::max_element(probabilities.begin(), probabilities.end());
  return static_cast<std::uint32_t>(largest - probabilities.begin());
}

}  // namespace coppice
