#include "density/box_mass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/cholesky.h"
#include "base/random_stream.h"
#include "density/box_quadrature.h"
#include "density/lattice.h"
#include "density/normal_share.h"

namespace coppice {
namespace {

constexpr double kLeastSpread = 1e-8;

// Correlations and a box in standard deviations.
struct Standardised {
  std::vector<double> correlation;  // lower triangle
  std::vector<Interval> box;
};

Standardised standardise(std::span<const double> covariance, std::span<const Interval> box) {
  Standardised made{{covariance.begin(), covariance.end()}, {box.begin(), box.end()}};
  std::vector<double> scale;
  for (std::size_t k = 0; k < box.size(); ++k) {
    scale.push_back(std::sqrt(covariance[triangle_index(k, k)]));
    made.box[k] = {box[k].lower / scale[k], box[k].upper / scale[k]};
    for (std::size_t j = 0; j <= k; ++j)
      made.correlation[triangle_index(k, j)] =
          j == k ? 1
                 : std::clamp(covariance[triangle_index(k, j)] / scale[j] / scale[k], -1.0, 1.0);
  }
  return made;
}

double quadrature(const Standardised& given) {
  const auto& r = given.correlation;
  const auto& box = given.box;
  if (box.size() == 1) return NormalShare::table().between(box[0].lower, box[0].upper);
  if (box.size() == 2) return mass_of_two({box[0], box[1]}, r[triangle_index(1, 0)]);
  // The variable that the others depend on least comes first.
  const double r12 = r[triangle_index(1, 0)], r13 = r[triangle_index(2, 0)],
               r23 = r[triangle_index(2, 1)];
  const double most = std::max({std::abs(r12), std::abs(r13), std::abs(r23)});
  if (most == std::abs(r12)) return mass_of_three({box[2], box[0], box[1]}, {r13, r23, r12});
  if (most == std::abs(r13)) return mass_of_three({box[1], box[0], box[2]}, {r12, r23, r13});
  return mass_of_three({box[0], box[1], box[2]}, {r12, r13, r23});
}

// x = L y with variables in the order of their expected shares, the smallest first.
class SeparatedBox {
 public:
  explicit SeparatedBox(const Standardised& given)
      : given_(given), order_(given.box.size()), factor_(given.correlation.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::vector<double> expected;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      choose(i, expected);
      box_.push_back(given.box[order_[i]]);
    }
  }

  // The mass if the variables before the last are drawn at these shares of what is left to them.
  double share_at(std::span<const double> at, std::vector<double>& drawn) const {
    const NormalShare& normal = NormalShare::table();
    double product = 1;
    drawn.resize(box_.size());
    for (std::size_t i = 0; i < box_.size(); ++i) {
      double shift = 0;
      const double* row = factor_.data() + triangle_index(i, 0);
      for (std::size_t k = 0; k < i; ++k) shift += row[k] * drawn[k];
      const double lower = (box_[i].lower - shift) / row[i];
      const double upper = (box_[i].upper - shift) / row[i];
      const double share = normal.between(lower, upper);
      product *= share;
      if (i + 1 == box_.size() || product <= 0) break;
      drawn[i] = lower > 0 ? -normal_quantile(normal.below(-upper) + (1 - at[i]) * share)
                           : normal_quantile(normal.below(lower) + at[i] * share);
    }
    return product;
  }

 private:
  double correlation(std::size_t a, std::size_t b) const {
    return given_.correlation[a > b ? triangle_index(a, b) : triangle_index(b, a)];
  }

  // Of variable v given those chosen before: what is left of its variance, its mean at their
  // expected values, and row i of the factor.
  struct Conditional {
    double spread = 1, mean = 0, share = 1;
    std::vector<double> row = {};
  };
  Conditional conditional(std::size_t i, std::size_t v, std::span<const double> expected) const {
    Conditional found;
    double variance = 1;
    for (std::size_t k = 0; k < i; ++k) {
      double entry = correlation(v, order_[k]);
      const double* before = factor_.data() + triangle_index(k, 0);
      for (std::size_t l = 0; l < k; ++l) entry -= found.row[l] * before[l];
      found.row.push_back(entry / before[k]);
      variance -= found.row[k] * found.row[k];
      found.mean += found.row[k] * expected[k];
    }
    found.spread = std::sqrt(std::max(variance, kLeastSpread));
    const Interval& box = given_.box[v];
    found.share = NormalShare::table().between((box.lower - found.mean) / found.spread,
                                               (box.upper - found.mean) / found.spread);
    return found;
  }

  void choose(std::size_t i, std::vector<double>& expected) {
    Conditional best;
    std::size_t chosen = i;
    for (std::size_t at = i; at < order_.size(); ++at) {
      Conditional found = conditional(i, order_[at], expected);
      if (at > i && found.share >= best.share) continue;
      best = std::move(found);
      chosen = at;
    }
    std::swap(order_[i], order_[chosen]);
    std::copy(best.row.begin(), best.row.end(),
              factor_.begin() + static_cast<std::ptrdiff_t>(triangle_index(i, 0)));
    factor_[triangle_index(i, i)] = best.spread;
    const Interval& box = given_.box[order_[i]];
    const auto peak = [&](double border) {
      const double x = (border - best.mean) / best.spread;
      return std::abs(x) < NormalShare::kReach ? normal_peak(x) : 0;
    };
    expected.push_back(best.share > 0 ? (peak(box.lower) - peak(box.upper)) / best.share : 0);
  }

  const Standardised& given_;
  std::vector<std::size_t> order_;
  std::vector<double> factor_;
  std::vector<Interval> box_;
};

Mass on_lattice(const Standardised& given, std::uint64_t seed, const LatticeRule& rule) {
  const SeparatedBox box(given);
  const ShiftedLattice lattice(given.box.size() - 1, seed);
  std::vector<double> drawn;
  return lattice.mean(rule, [&](std::span<const double> at) { return box.share_at(at, drawn); });
}

}  // namespace

Mass box_mass(std::span<const double> covariance, std::span<const Interval> box, std::uint64_t seed,
              const LatticeRule& rule) {
  if (box.empty()) return {};
  const Standardised given = standardise(covariance, box);
  if (box.size() <= rule.quadrature) return {std::clamp(quadrature(given), 0.0, 1.0), 0};
  return on_lattice(given, seed, rule);
}

}  // namespace coppice
