#include "density/truncated_draw.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/cholesky.h"
#include "base/portable_math.h"
#include "density/normal_share.h"

namespace coppice {
namespace {

class TruncatedDraw {
 public:
  TruncatedDraw(const TreeCells& cells, std::size_t node, const PartialGaussian& gaussian)
      : cells_(cells),
        node_(node),
        gaussian_(gaussian),
        size_(gaussian.features.size()),
        factor_(gaussian.covariance.begin(), gaussian.covariance.end()) {
    factorise(factor_, size_, 0);
  }

  bool by_rejection(std::size_t tries, RandomStream& random, std::span<float> row) const {
    std::vector<double> normal(size_);
    for (std::size_t n = 0; n < tries; ++n) {
      bool inside = true;
      for (std::size_t k = 0; k < size_; ++k) {
        normal[k] = standard_normal(random);
        double x = gaussian_.mean[k];
        for (std::size_t j = 0; j <= k; ++j) x += factor_[triangle_index(k, j)] * normal[j];
        row[gaussian_.features[k]] = static_cast<float>(x);
        inside &= interval(k).contains(double{row[gaussian_.features[k]]});
      }
      if (inside && cells_.meets_projections(node_, [&](std::size_t f) { return row[f]; }))
        return true;
    }
    return false;
  }

  // Cells of a stranger's model may be empty, or lie where there are no floats.
  bool has_points() const {
    constexpr double kMost = std::numeric_limits<float>::max();
    for (std::size_t k = 0; k < size_; ++k)
      if (!(interval(k).lower < interval(k).upper) || interval(k).lower >= kMost ||
          interval(k).upper <= -kMost)
        return false;
    return true;
  }

  // REQUIRES: has_points(). One feature after the other, given the rest: with P the inverse of the
  // covariance it has the variance 1 / P_kk and the mean m_k - sum P_kj (x_j - m_j) / P_kk.
  void by_gibbs(std::size_t sweeps, RandomStream& random, std::span<float> row) const {
    const std::vector<double> inverse = inverse_of_factor(factor_, size_);
    std::vector<double> deviation(size_);
    for (std::size_t k = 0; k < size_; ++k)
      deviation[k] =
          std::clamp(gaussian_.mean[k], interval(k).lower, interval(k).upper) - gaussian_.mean[k];
    const auto precision = [&](std::size_t k, std::size_t j) {
      double sum = 0;
      for (std::size_t l = std::max(k, j); l < size_; ++l)
        sum += inverse[triangle_index(l, k)] * inverse[triangle_index(l, j)];
      return sum;
    };
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep)
      for (std::size_t k = 0; k < size_; ++k) {
        double pull = 0;
        for (std::size_t j = 0; j < size_; ++j)
          if (j != k) pull += precision(k, j) * deviation[j];
        const double own = precision(k, k);
        deviation[k] =
            draw_between(interval(k), gaussian_.mean[k], -pull / own, 1 / std::sqrt(own), random);
      }
    for (std::size_t k = 0; k < size_; ++k)
      row[gaussian_.features[k]] = inside_as_float(interval(k), gaussian_.mean[k] + deviation[k]);
  }

 private:
  const Interval& interval(std::size_t k) const {
    return cells_.interval(node_, gaussian_.features[k]);
  }

  // A deviation from `centre` with this mean and spread, by the inverse distribution function.
  static double draw_between(const Interval& interval, double centre, double mean, double spread,
                             RandomStream& random) {
    const NormalShare& normal = NormalShare::table();
    const double lower = (interval.lower - centre - mean) / spread;
    const double upper = (interval.upper - centre - mean) / spread;
    const double share = normal.between(lower, upper), at = random.uniform();
    double z = lower > 0 ? -normal_quantile(normal.below(-upper) + (1 - at) * share)
                         : normal_quantile(normal.below(lower) + at * share);
    if (!(z >= lower)) z = lower;
    if (!(z <= upper)) z = upper;
    // So far out that no share is left: the end of the interval that is nearest to the mean.
    if (!std::isfinite(z)) z = std::clamp(0.0, lower, upper);
    return mean + spread * z;
  }

  static float inside_as_float(const Interval& interval, double x) {
    const auto rounded = static_cast<float>(x);
    if (double{rounded} < interval.lower) return static_cast<float>(interval.lower);
    if (double{rounded} >= interval.upper)
      return std::nextafter(static_cast<float>(interval.upper), -INFINITY);
    return rounded;
  }

  const TreeCells& cells_;
  std::size_t node_;
  const PartialGaussian& gaussian_;
  std::size_t size_;
  std::vector<double> factor_;
};

}  // namespace

void draw_truncated(const TreeCells& cells, std::size_t node, const PartialGaussian& gaussian,
                    RandomStream& random, std::span<float> row) {
  constexpr std::size_t kBoxTries = 100, kOtherTries = 20000, kSweeps = 50;
  if (gaussian.features.empty()) return;
  const TruncatedDraw draw(cells, node, gaussian);
  const bool box = cells.is_box(node);
  if (!draw.by_rejection(box ? kBoxTries : kOtherTries, random, row) && box && draw.has_points())
    draw.by_gibbs(kSweeps, random, row);
}

}  // namespace coppice
