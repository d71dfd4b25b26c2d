#include "leaf/class_histogram.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace coppice {

float ClassHistogramLeaf::fit(const NodeSamples& leaf, std::span<const float>,
                              std::span<float> payload) const {
  std::uint64_t total = 0;
  if (prior_ == 0 && pure(leaf)) {
    for (const SampleId row : leaf.rows) total += units(leaf, row);
    std::fill(payload.begin(), payload.end(), 0.0f);
    payload[labels_[leaf.rows.front()]] = 1;
  } else {
    total = write_shares(leaf, payload);
  }
  return static_cast<float>(static_cast<double>(total) * weights_.unit);
}

// Most leaves of a deep tree are.
bool ClassHistogramLeaf::pure(const NodeSamples& leaf) const {
  return std::all_of(leaf.rows.begin(), leaf.rows.end(), [&](SampleId row) {
    return labels_[row] == labels_[leaf.rows.front()] && weights_.units[row] > 0;
  });
}

// A bag weighs less than kMaxTotalWeight.
void ClassHistogramLeaf::count(const NodeSamples& leaf, std::span<std::uint32_t> counts) const {
  std::fill(counts.begin(), counts.end(), 0);
  for (const SampleId row : leaf.rows)
    counts[labels_[row]] += static_cast<std::uint32_t>(units(leaf, row));
}

std::uint64_t ClassHistogramLeaf::write_shares(const NodeSamples& leaf,
                                               std::span<float> payload) const {
  constexpr std::size_t kFewClasses = 64;  // which need no allocation
  std::uint32_t few[kFewClasses];
  std::vector<std::uint32_t> many(classes_ > kFewClasses ? classes_ : 0);
  const std::span<std::uint32_t> counts(many.empty() ? few : many.data(), classes_);
  count(leaf, counts);
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const double prior = prior_count();
  const double all = static_cast<double>(total) + static_cast<double>(classes_) * prior;
  for (std::size_t c = 0; c < classes_; ++c) {
    const double weight = static_cast<double>(counts[c]) + prior;
    payload[c] = weight > 0 ? static_cast<float>(weight / all) : 0;
  }
  return total;
}

}  // namespace coppice
