#include "split/category_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {
namespace {

// Enough for an order: what is left of smaller axes after the n-th product is (l2 / l1)^n.
constexpr int kPowerIterations = 16;

double dot(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += a[k] * b[k];
  return sum;
}

void normalise(std::vector<double>& axis) {
  const double length = std::sqrt(dot(axis.data(), axis.data(), axis.size()));
  if (length > 0)
    for (double& entry : axis) entry /= length;
}

}  // namespace

std::span<const std::uint32_t> CategoryOrder::along_main_axis(
    std::span<double> means, std::size_t size, std::span<const std::uint32_t> samples) {
  const std::size_t groups = samples.size();
  centre(means, size, samples);
  axis_.assign(size, 1);
  if (size > 1) find_main_axis(means, samples);
  keys_.resize(groups);
  for (std::size_t g = 0; g < groups; ++g)
    keys_[g] = dot(means.data() + g * size, axis_.data(), size);
  order_.resize(groups);
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
  });
  return order_;
}

void CategoryOrder::centre(std::span<double> means, std::size_t size,
                           std::span<const std::uint32_t> samples) {
  for (std::size_t k = 0; k < size; ++k) {
    double sum = 0, total = 0;
    for (std::size_t g = 0; g < samples.size(); ++g) {
      sum += samples[g] * means[g * size + k];
      total += samples[g];
    }
    for (std::size_t g = 0; g < samples.size(); ++g) means[g * size + k] -= sum / total;
  }
}

// Power iteration from the group that lies farthest out, its samples taken into account.
void CategoryOrder::find_main_axis(std::span<const double> means,
                                   std::span<const std::uint32_t> samples) {
  const std::size_t size = axis_.size();
  double farthest = -1;
  for (std::size_t g = 0; g < samples.size(); ++g) {
    const double* mean = means.data() + g * size;
    const double distance = samples[g] * dot(mean, mean, size);
    if (distance <= farthest) continue;
    farthest = distance;
    axis_.assign(mean, mean + size);
  }
  for (int i = 0; i < kPowerIterations; ++i) {
    normalise(axis_);
    next_axis_.assign(size, 0);
    for (std::size_t g = 0; g < samples.size(); ++g) {
      const double* mean = means.data() + g * size;
      const double weight = samples[g] * dot(mean, axis_.data(), size);
      for (std::size_t k = 0; k < size; ++k) next_axis_[k] += weight * mean[k];
    }
    axis_.swap(next_axis_);
  }
}

}  // namespace coppice
