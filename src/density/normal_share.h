// The normal distribution function and its inverse, fast enough for millions of calls and the same
// bits everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/portable_math.h"

namespace coppice {

// Taylor polynomials of degree 5 about points 1/32 apart; within 10^-13.
class NormalShare {
 public:
  static constexpr double kReach = 8.5;  // 0 and 1 beyond

  static const NormalShare& table();

  // The share of a standard normal distribution below x.
  double below(double x) const {
    if (!(x > -kReach)) return 0;
    if (x >= kReach) return 1;
    const auto at = static_cast<std::size_t>((x + kReach) * kPerUnit + 0.5);
    const double h = x - (static_cast<double>(at) / kPerUnit - kReach);
    const std::array<double, 6>& c = polynomials_[at];
    return c[0] + h * (c[1] + h * (c[2] + h * (c[3] + h * (c[4] + h * c[5]))));
  }
  // Of an interval; in the upper tail without loss of digits.
  double between(double lower, double upper) const {
    if (!(lower < upper)) return 0;
    return lower > 0 ? below(-lower) - below(-upper) : below(upper) - below(lower);
  }

 private:
  static constexpr double kPerUnit = 32;
  NormalShare();

  std::vector<std::array<double, 6>> polynomials_;
};

// x with a share p of a standard normal distribution below it, within 10^-8; -8.5 and 8.5 at 0 and
// 1.
double normal_quantile(double p);

inline double normal_peak(double x) { return 0.3989422804014327 * portable_exp(-x * x / 2); }

}  // namespace coppice
