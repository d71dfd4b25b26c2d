#include "leaf/newton.h"

#include <algorithm>

namespace coppice {

float NewtonLeaf::fit(const NodeSamples& leaf, std::span<const float> inherited,
                      std::span<float> payload) const {
  // A leaf of samples that are all but certain would step without end where there is no ridge.
  constexpr double kLeastCurvature = 1e-6;
  const std::size_t classes = payload.size();
  std::vector<double> slope(classes), curvature(classes);
  double total = 0;
  for (const SampleId row : leaf.rows) {
    const double weight = weights_.unit * weights_.units[row] * leaf.draws[row];
    const float* const p = probabilities_.data() + row * classes;
    for (std::size_t k = 0; k < classes; ++k) {
      slope[k] -= weight * double{p[k]};
      curvature[k] += weight * double{p[k]} * (1 - double{p[k]});
    }
    slope[labels_[row]] += weight;
    total += weight;
  }
  const auto count = static_cast<double>(classes);
  const double share = rule_.rate * (classes > 1 ? (count - 1) / count : 1);
  for (std::size_t k = 0; k < classes; ++k) {
    const double step =
        share * slope[k] / std::max(curvature[k] + rule_.ridge, kLeastCurvature * total);
    payload[k] = static_cast<float>((inherited.empty() ? 0.0 : double{inherited[k]}) + step);
  }
  return static_cast<float>(total);
}

void NewtonLeaf::finish(std::size_t tree, std::span<float> payload) const {
  for (std::size_t k = 0; tree == 0 && k < payload.size(); ++k) payload[k] += rule_.first[k];
}

}  // namespace coppice
