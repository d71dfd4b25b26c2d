#include "leaf/mean.h"

namespace coppice {

float MeanLeaf::fit(const NodeSamples& leaf, std::span<const float>,
                    std::span<float> payload) const {
  const std::size_t outputs = targets_.outputs();
  double total = 0;
  for (const SampleId row : leaf.rows)
    total += static_cast<double>(weights_.units[row]) * leaf.draws[row];
  for (std::size_t k = 0; k < outputs; ++k) {
    std::int64_t sum = 0;
    for (const SampleId row : leaf.rows)
      sum += targets_.value(row, k) * weights_.units[row] * leaf.draws[row];
    const double mean = static_cast<double>(sum) / total;
    double squares = 0;
    for (const SampleId row : leaf.rows) {
      const double deviation = static_cast<double>(targets_.value(row, k)) - mean;
      squares += deviation * deviation * weights_.units[row] * leaf.draws[row];
    }
    payload[k] = static_cast<float>(targets_.centre(k) + mean * targets_.unit(k));
    payload[outputs + k] = static_cast<float>(squares / total * targets_.squared_unit(k));
  }
  return static_cast<float>(total * weights_.unit);
}

void MeanLeaf::fetch(const NodeSamples& leaf) const {
  for (const SampleId row : leaf.rows) {
    __builtin_prefetch(targets_.row(row).data());
    __builtin_prefetch(&weights_.units[row]);
    __builtin_prefetch(&leaf.draws[row]);
  }
}

}  // namespace coppice
