#include "leaf/class_histogram.h"

#include <vector>

namespace coppice {

float ClassHistogramLeaf::fit(const NodeSamples& leaf, std::span<const float>,
                              std::span<float> payload) const {
  std::vector<std::uint64_t> counts(classes_);
  std::uint64_t total = 0;
  for (const SampleId row : leaf.rows) {
    const std::uint64_t weight = std::uint64_t{weights_.units[row]} * leaf.draws[row];
    counts[labels_[row]] += weight;
    total += weight;
  }
  const double prior = prior_ / weights_.unit;
  const double all = static_cast<double>(total) + static_cast<double>(classes_) * prior;
  for (std::size_t c = 0; c < classes_; ++c)
    payload[c] = static_cast<float>((static_cast<double>(counts[c]) + prior) / all);
  return static_cast<float>(static_cast<double>(total) * weights_.unit);
}

}  // namespace coppice
