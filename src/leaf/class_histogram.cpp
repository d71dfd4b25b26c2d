#include "leaf/class_histogram.h"

#include <algorithm>
#include <vector>

namespace coppice {

bool ClassHistogramLeaf::pure(const NodeSamples& leaf) const {
  return std::all_of(leaf.rows.begin(), leaf.rows.end(), [&](SampleId row) {
    return labels_[row] == labels_[leaf.rows.front()] && weights_.units[row] > 0;
  });
}

// What most leaves of a deep tree are; the same bits as those of fit().
float ClassHistogramLeaf::fit_pure(const NodeSamples& leaf, std::span<float> payload) const {
  std::uint64_t total = 0;
  for (const SampleId row : leaf.rows)
    total += std::uint64_t{weights_.units[row]} * leaf.draws[row];
  std::fill(payload.begin(), payload.end(), 0.0f);
  payload[labels_[leaf.rows.front()]] = 1;
  return static_cast<float>(static_cast<double>(total) * weights_.unit);
}

float ClassHistogramLeaf::fit(const NodeSamples& leaf, std::span<const float>,
                              std::span<float> payload) const {
  if (prior_ == 0 && pure(leaf)) return fit_pure(leaf, payload);
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
