#include "leaf/quantile.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace coppice {

float QuantileLeafModel::fit(const NodeSamples& leaf, std::span<const float> inherited,
                             std::span<float> payload) const {
  const float support = moments_.fit(leaf, inherited, payload.first(moments_.payload_size()));
  const std::size_t points = layout_.points();
  std::vector<std::pair<std::int64_t, std::uint64_t>> sorted;  // target, weight
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    sorted.clear();
    std::uint64_t total = 0;
    for (const SampleId row : leaf.rows) {
      const std::uint64_t weight = std::uint64_t{weights_.units[row]} * leaf.draws[row];
      sorted.emplace_back(targets_.value(row, k), weight);
      total += weight;
    }
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t below = sorted[0].second;
    std::size_t at = 0;
    for (std::size_t i = 0; i < points; ++i) {
      // below / total < (i + 1/2) / points; a bag weighs less than 2^31 units.
      while (2 * points * below < (2 * i + 1) * total) below += sorted[++at].second;
      const double value = static_cast<double>(sorted[at].first) * targets_.unit(k);
      payload[layout_.quantiles(k) + i] = static_cast<float>(targets_.centre(k) + value);
    }
  }
  return support;
}

}  // namespace coppice
