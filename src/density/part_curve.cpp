#include "density/part_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/cholesky.h"
#include "base/portable_math.h"
#include "base/random_stream.h"

namespace coppice {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Of the points of a curve: the same shifts everywhere leave it smooth, and errors of many parts
// average out.
constexpr LatticeRule kCurveLattice{.most_points = 8, .quadrature = 2};

// The cubic through four equally spaced values, at `t` steps from the first (Lagrange).
double cubic(std::span<const double, 4> value, double t) {
  const double a = t - 1, b = t - 2, c = t - 3;
  return (value[3] * t * a * b - value[0] * a * b * c) / 6 +
         (value[1] * t * b * c - value[2] * t * a * c) / 2;
}

}  // namespace

PartCurve::PartCurve(const MixtureParts& mixture, const MixturePart& part, std::size_t k)
    : cells_(mixture.cells(part)),
      node_(mixture.node(part)),
      log_weight_(part.log_weight - part.log_mass),
      mean_(part.gaussian.mean[k]),
      variance_(part.gaussian.covariance[triangle_index(k, k)]),
      row_(mixture.features().row),
      feature_(mixture.features().unknown[k]),
      seed_(part.seed()) {
  const std::vector<std::uint32_t>& unknown = mixture.features().unknown;
  const auto covariance = [&](std::size_t i, std::size_t j) {
    return part.gaussian.covariance[triangle_index(std::max(i, j), std::min(i, j))];
  };
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (i == k) continue;
    others_.push_back(unknown[i]);
    others_mean_.push_back(part.gaussian.mean[i]);
    slope_.push_back(covariance(i, k) / variance_);
    bounded_others_ += !cells_.is_box(node_) || !cells_.interval(node_, unknown[i]).everything();
    for (std::size_t j = 0; j <= i; ++j)
      if (j != k) covariance_.push_back(covariance(i, j) - slope_.back() * covariance(j, k));
  }
}

double PartCurve::log_bound(double x) const {
  constexpr double kLogOfTwoPi = 1.8378770664093453;
  if (!cells_.interval(node_, feature_).contains(x)) return kNothing;
  const double away = x - mean_;
  return log_weight_ - (kLogOfTwoPi + portable_log(variance_) + away * away / variance_) / 2;
}

double PartCurve::log_mass_of_others(double x) const {
  std::vector<double> mean = others_mean_;
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += slope_[i] * (x - mean_);
  std::vector<float> row = row_;
  row[feature_] = static_cast<float>(x);
  const Mass mass =
      mass_in_cell(cells_, node_, {others_, mean, covariance_, row}, seed_, kCurveLattice);
  return mass.value > 0 ? portable_log(mass.value) : kNothing;
}

std::vector<double> PartCurve::log_masses(std::span<const double> at) const {
  constexpr std::size_t kCheap = 1;  // feature whose mass is a difference of two values
  std::vector<double> logs;
  if (bounded_others_ <= kCheap || at.size() <= kKnots) {
    for (const double x : at) logs.push_back(log_mass_of_others(x));
    return logs;
  }
  const auto [least, most] = std::minmax_element(at.begin(), at.end());
  const double first = *least, step = (*most - *least) / (kKnots - 1);
  std::vector<double> knots;
  for (std::size_t n = 0; n < kKnots; ++n)
    knots.push_back(log_mass_of_others(first + step * static_cast<double>(n)));
  for (const double x : at) {
    const double place = step > 0 ? (x - first) / step : 0;
    const auto left = static_cast<std::size_t>(std::clamp(place - 1, 0.0, double{kKnots - 4}));
    const double log =
        cubic(std::span(knots).subspan(left).first<4>(), place - static_cast<double>(left));
    logs.push_back(std::isfinite(log) ? std::min(log, 0.0) : log_mass_of_others(x));
  }
  return logs;
}

std::vector<double> PartCurve::log_density(std::span<const double> at) const {
  std::vector<double> logs = log_masses(at);
  for (std::size_t i = 0; i < at.size(); ++i) logs[i] += log_bound(at[i]);
  return logs;
}

}  // namespace coppice
