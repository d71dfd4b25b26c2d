#include "tasks/mixture.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/portable_math.h"

namespace coppice {
namespace {

constexpr double kRootTwoPi = 2.506628274631000502;
constexpr double kReach = 8;              // deviations that matter
constexpr double kLeastDeviation = 1e-9;  // as a share of the mean

double density_of(const Mixture::Part& part, double y) {
  const double z = (y - part.mean) / part.deviation;
  if (std::abs(z) > kReach) return 0;
  return part.weight * portable_exp(-0.5 * z * z) / (part.deviation * kRootTwoPi);
}

}  // namespace

Mixture::Mixture(std::vector<Part> parts, std::size_t independent) : parts_(std::move(parts)) {
  samples_ = std::all_of(parts_.begin(), parts_.end(),
                         [](const Part& part) { return part.deviation <= 0; });
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
    return std::tie(a.mean, a.deviation, a.weight) < std::tie(b.mean, b.deviation, b.weight);
  });
  double total = 0, mean = 0, squares = 0;
  for (const Part& part : parts_) total += part.weight;
  for (Part& part : parts_) {
    part.weight /= total;
    mean += part.weight * part.mean;
  }
  for (const Part& part : parts_) squares += part.weight * (part.mean - mean) * (part.mean - mean);
  const double fifth_root =
      portable_exp(0.2 * portable_log(static_cast<double>(std::max<std::size_t>(1, independent))));
  const double bandwidth = std::max(1.06 * std::sqrt(squares) / fifth_root,
                                    kLeastDeviation * std::max(1e-30, std::abs(mean)));
  for (Part& part : parts_) part.deviation = std::max(part.deviation, bandwidth);
}

double Mixture::density(double y) const {
  double sum = 0;
  for (const Part& part : parts_) sum += density_of(part, y);
  return sum;
}

double Mixture::below(double y) const {
  double sum = 0;
  for (const Part& part : parts_)
    sum += part.weight * normal_below((y - part.mean) / part.deviation);
  return sum;
}

// Each sample stands in the middle of its share; between two of them lies a straight line.
double Mixture::quantile_of_samples(double level) const {
  double last = 0, before = 0;
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    const double middle = before + parts_[n].weight / 2;
    if (level <= middle) {
      if (n == 0) break;
      const double share = (level - last) / (middle - last);
      return parts_[n - 1].mean + share * (parts_[n].mean - parts_[n - 1].mean);
    }
    last = middle;
    before += parts_[n].weight;
  }
  return level < 0.5 ? parts_.front().mean : parts_.back().mean;
}

// Newton's steps inside a bracket that every step narrows.
double Mixture::quantile(double level) const {
  if (samples_) return quantile_of_samples(level);
  double lower = parts_[0].mean, upper = lower;
  for (const Part& part : parts_) {
    lower = std::min(lower, part.mean - kReach * part.deviation);
    upper = std::max(upper, part.mean + kReach * part.deviation);
  }
  constexpr int kMostSteps = 100;
  constexpr double kEnough = 1e-12;
  double y = parts_[static_cast<std::size_t>(level * static_cast<double>(parts_.size()))].mean;
  for (int step = 0; step < kMostSteps && upper - lower > kEnough * std::abs(y); ++step) {
    const double excess = below(y) - level;
    (excess > 0 ? upper : lower) = y;
    const double slope = density(y);
    const double next = slope > 0 ? y - excess / slope : upper;
    if (std::abs(excess) < kEnough) break;
    y = next > lower && next < upper ? next : (lower + upper) / 2;
  }
  return y;
}

// Mean shift from the best of some means: every step raises the density.
double Mixture::mode() const {
  constexpr std::size_t kMostStarts = 64;
  constexpr int kMostSteps = 100;
  const std::size_t starts = std::min(parts_.size(), kMostStarts);
  double best = parts_[0].mean, most = -1;
  for (std::size_t n = 0; n < starts; ++n) {
    const double y = parts_[n * parts_.size() / starts].mean, height = density(y);
    if (height > most) {
      best = y;
      most = height;
    }
  }
  for (int step = 0; step < kMostSteps; ++step) {
    double sum = 0, total = 0;
    for (const Part& part : parts_) {
      const double pull = density_of(part, best) / (part.deviation * part.deviation);
      sum += pull * part.mean;
      total += pull;
    }
    if (!(total > 0) || sum / total == best) break;
    best = sum / total;
  }
  return best;
}

}  // namespace coppice
