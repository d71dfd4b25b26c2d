#include "leaf/additive.h"

#include <algorithm>
#include <utility>

namespace coppice {

float AdditiveLeaf::fit(const NodeSamples& leaf, std::span<const float> inherited,
                        std::span<float> payload) const {
  const std::size_t outputs = targets_.residuals.outputs();
  const double rate = inherited.empty() ? rule_.first_rate : rule_.rate;
  double total = 0;
  for (const SampleId row : leaf.rows) total += weight_of(leaf, row);
  for (std::size_t k = 0; k < outputs; ++k) {
    const double step = correction(leaf, k, total);
    double squares = 0;
    for (const SampleId row : leaf.rows) {
      const double rest = residual(row, k) - step;
      squares += rest * rest * weight_of(leaf, row);
    }
    payload[k] = static_cast<float>((inherited.empty() ? 0.0 : double{inherited[k]}) + rate * step);
    payload[outputs + k] = static_cast<float>(squares / total);
  }
  return static_cast<float>(total * weights_.unit);
}

double AdditiveLeaf::correction(const NodeSamples& leaf, std::size_t output, double total) const {
  switch (rule_.correction) {
    case Correction::median:
      return median(leaf, output);
    case Correction::huber: {
      const double middle = median(leaf, output);
      return middle + clipped_mean(leaf, output, middle, total);
    }
    case Correction::mean:
      break;
  }
  return mean(leaf, output, total);
}

double AdditiveLeaf::mean(const NodeSamples& leaf, std::size_t output, double total) const {
  const FixedPointTargets& pseudo = targets_.pseudo;
  std::int64_t sum = 0;
  for (const SampleId row : leaf.rows)
    sum += pseudo.value(row, output) * weights_.units[row] * leaf.draws[row];
  return pseudo.centre(output) + static_cast<double>(sum) / total * pseudo.unit(output);
}

// The least residual up to which half of the weight lies.
double AdditiveLeaf::median(const NodeSamples& leaf, std::size_t output) const {
  std::vector<std::pair<std::int64_t, SampleId>> sorted;
  sorted.reserve(leaf.rows.size());
  std::uint64_t total = 0;
  for (const SampleId row : leaf.rows) {
    sorted.emplace_back(targets_.residuals.value(row, output), row);
    total += std::uint64_t{weights_.units[row]} * leaf.draws[row];
  }
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t below = 0;
  std::size_t at = 0;
  for (;; ++at) {
    const SampleId row = sorted[at].second;
    below += std::uint64_t{weights_.units[row]} * leaf.draws[row];
    if (2 * below >= total) return residual(row, output);
  }
}

double AdditiveLeaf::clipped_mean(const NodeSamples& leaf, std::size_t output, double middle,
                                  double total) const {
  double sum = 0;
  for (const SampleId row : leaf.rows)
    sum += std::clamp(residual(row, output) - middle, -rule_.delta, rule_.delta) *
           weight_of(leaf, row);
  return sum / total;
}

void AdditiveLeaf::finish(std::size_t tree, std::span<float> payload) const {
  const std::size_t outputs = payload.size() / 2;
  const bool centred = rule_.trees_add_up && tree > 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    const double deviation = scale_.deviation[k];
    const double centre = centred ? 0 : scale_.centre[k];
    payload[k] = static_cast<float>(centre + double{payload[k]} * deviation);
    payload[outputs + k] = static_cast<float>(double{payload[outputs + k]} * deviation * deviation);
  }
}

}  // namespace coppice
