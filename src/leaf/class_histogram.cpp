#include "leaf/class_histogram.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace coppice {

float ClassHistogramLeaf::fit(const NodeSamples& leaf, std::span<const float>,
                              std::span<float> payload) const {
  return support_of(write_shares(leaf, payload));
}

// Most leaves of a deep tree are pure.
std::optional<LeafModel::Stocked> ClassHistogramLeaf::stocked(const NodeSamples& leaf) const {
  const std::uint32_t label = labels_[leaf.rows.front()];
  std::uint64_t total = 0;
  for (const SampleId row : leaf.rows) {
    if (labels_[row] != label || weights_.units[row] == 0) return std::nullopt;
    total += units(leaf, row);
  }
  return Stocked{label, support_of(total)};
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
