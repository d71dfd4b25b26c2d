// p(unknown | known) of a density forest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"
#include "coppice/error.h"
#include "density/conditional_parts.h"
#include "density/normal_share.h"
#include "density/part_curve.h"
#include "density/truncated_draw.h"

namespace coppice {
namespace {

// The standard deviations beyond which nothing of a Gaussian is looked for.
constexpr double kReach = 5.5;

std::size_t place_among(const std::vector<std::uint32_t>& features, std::uint32_t feature) {
  return static_cast<std::size_t>(std::find(features.begin(), features.end(), feature) -
                                  features.begin());
}

// Mean and variance of a normal variable cut off at the borders of an interval.
struct CutMoments {
  double mean = 0, variance = 0;
};
CutMoments cut_moments(double mean, double variance, const Interval& interval) {
  const double spread = std::sqrt(variance);
  const double lower = (interval.lower - mean) / spread, upper = (interval.upper - mean) / spread;
  const double share = NormalShare::table().between(lower, upper);
  if (!(share > 1e-300)) return {std::min(std::max(mean, interval.lower), interval.upper), 0};
  const auto peak = [](double x) { return std::isfinite(x) ? normal_peak(x) : 0; };
  const auto slope = [&](double x) { return std::isfinite(x) ? x * peak(x) : 0; };
  const double shift = (peak(lower) - peak(upper)) / share;
  const double shrink = 1 + (slope(lower) - slope(upper)) / share - shift * shift;
  return {mean + spread * shift, variance * std::max(0.0, shrink)};
}

// Whether a part's cell bounds at most one unknown feature, so that its moments are known.
bool moments_are_known(const MixtureParts& mixture, const MixturePart& part) {
  const TreeCells& cells = mixture.cells(part);
  const std::size_t node = mixture.node(part);
  std::size_t bounded = 0;
  for (const std::uint32_t f : mixture.features().unknown)
    bounded += !cells.interval(node, f).everything();
  return cells.is_box(node) && bounded <= 1;
}

}  // namespace

Conditional::Conditional(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Conditional::Conditional(Conditional&&) noexcept = default;
Conditional::~Conditional() = default;

double Conditional::log_known() const { return parts_->mixture.log_known(); }
const std::vector<std::uint32_t>& Conditional::unknown() const {
  return parts_->mixture.features().unknown;
}

// A part that could add no more than a share of kNegligible to what is there is left out.
std::vector<double> Conditional::density(std::uint32_t feature, std::span<const double> at) const {
  constexpr double kNegligible = 1e-6;
  const MixtureParts& mixture = parts_->mixture;
  const std::size_t k = place_among(unknown(), feature);
  std::vector<double> found(at.size(), 0.0);
  std::vector<std::size_t> wanted;
  std::vector<double> places;
  for (const MixturePart& part : mixture.parts()) {
    const PartCurve curve(mixture, part, k);
    wanted.clear();
    places.clear();
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double most = portable_exp(curve.log_bound(at[i]) - log_known());
      if (!(most > kNegligible * found[i])) continue;
      wanted.push_back(i);
      places.push_back(at[i]);
    }
    const std::vector<double> logs = curve.log_density(places);
    for (std::size_t n = 0; n < wanted.size(); ++n)
      found[wanted[n]] += portable_exp(logs[n] - log_known());
  }
  return found;
}

Conditional::Range Conditional::range(std::uint32_t feature) const {
  const MixtureParts& mixture = parts_->mixture;
  const std::size_t k = place_among(unknown(), feature);
  Range range{INFINITY, -INFINITY};
  for (const MixturePart& part : mixture.parts()) {
    if (part.log_weight < log_known() - 14) continue;
    const double mean = part.gaussian.mean[k];
    const double reach = kReach * std::sqrt(part.gaussian.covariance[triangle_index(k, k)]);
    const Interval& interval = mixture.cells(part).interval(mixture.node(part), feature);
    const double lower = std::max(mean - reach, interval.lower);
    const double upper = std::min(mean + reach, interval.upper);
    if (!(lower < upper)) continue;
    range.lower = std::min(range.lower, lower);
    range.upper = std::max(range.upper, upper);
  }
  return range;
}

Conditional::Moments Conditional::moments() const {
  constexpr std::size_t kDraws = 4096;
  const MixtureParts& mixture = parts_->mixture;
  const std::vector<std::uint32_t>& features = unknown();
  std::vector<double> mean(features.size()), square(features.size());
  const bool exact =
      std::all_of(mixture.parts().begin(), mixture.parts().end(),
                  [&](const auto& part) { return moments_are_known(mixture, part); });
  if (exact && features.size() == 1) {
    for (const MixturePart& part : mixture.parts()) {
      const double weight = portable_exp(part.log_weight - log_known());
      const CutMoments cut =
          cut_moments(part.gaussian.mean[0], part.gaussian.covariance[0],
                      mixture.cells(part).interval(mixture.node(part), features[0]));
      mean[0] += weight * cut.mean;
      square[0] += weight * (cut.variance + cut.mean * cut.mean);
    }
  } else {
    const std::vector<float> rows = sample(kDraws, 1);
    const std::size_t width = mixture.features().row.size();
    for (std::size_t k = 0; k < features.size(); ++k)
      for (std::size_t row = 0; row < kDraws; ++row) {
        const double x = double{rows[row * width + features[k]]};
        mean[k] += x / kDraws;
        square[k] += x * x / kDraws;
      }
  }
  Moments found{mean, {}};
  for (std::size_t k = 0; k < features.size(); ++k)
    found.variance.push_back(std::max(0.0, square[k] - mean[k] * mean[k]));
  return found;
}

std::vector<float> Conditional::sample(std::size_t rows, std::uint64_t seed) const {
  const MixtureParts& mixture = parts_->mixture;
  if (mixture.parts().empty())
    throw Error(ErrorKind::invalid_option,
                "the density is 0 where these values are, so nothing can be drawn given them");
  std::vector<double> cumulated;
  double sum = 0;
  for (const MixturePart& part : mixture.parts())
    cumulated.push_back(sum += portable_exp(part.log_weight - log_known()));
  const std::vector<float>& known = mixture.features().row;
  std::vector<float> drawn;
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random = RandomStream(seed).child(row);
    const auto found = std::upper_bound(cumulated.begin(), cumulated.end(), random.uniform() * sum);
    const auto number = std::min<std::size_t>(static_cast<std::size_t>(found - cumulated.begin()),
                                              cumulated.size() - 1);
    const MixturePart& part = mixture.parts()[number];
    drawn.insert(drawn.end(), known.begin(), known.end());
    draw_truncated(mixture.cells(part), mixture.node(part), part.partial(mixture.features()),
                   random, std::span(drawn).last(known.size()));
  }
  return drawn;
}

}  // namespace coppice
