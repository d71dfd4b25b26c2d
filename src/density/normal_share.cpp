#include "density/normal_share.h"

namespace coppice {

const NormalShare& NormalShare::table() {
  static const NormalShare shared;
  return shared;
}

// Derivatives of the distribution function are phi, -x phi, (x^2 - 1) phi ...
NormalShare::NormalShare() {
  const auto points = static_cast<std::size_t>(2 * kReach * kPerUnit) + 1;
  for (std::size_t at = 0; at < points; ++at) {
    const double x = static_cast<double>(at) / kPerUnit - kReach, square = x * x;
    const double phi = normal_peak(x);
    polynomials_.push_back({normal_below(x), phi, -x * phi / 2, (square - 1) * phi / 6,
                            (3 - square) * x * phi / 24, ((square - 6) * square + 3) * phi / 120});
  }
}

namespace {

// Rational in 1/2 - p for the middle, in sqrt(-2 log p) for the tails (Acklam's minimax fits).
double first_quantile(double p) {
  constexpr std::array a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                         1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array b{-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                         6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
  constexpr std::array c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                         -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                         3.754408661907416e+00, 1.0};
  constexpr double kTail = 0.02425;
  const auto horner = [](const auto& coefficients, double x) {
    double sum = 0;
    for (const double coefficient : coefficients) sum = sum * x + coefficient;
    return sum;
  };
  if (p < kTail) {
    const double q = std::sqrt(-2 * portable_log(p));
    return horner(c, q) / horner(d, q);
  }
  const double q = p - 0.5;
  return q * horner(a, q * q) / horner(b, q * q);
}

}  // namespace

double normal_quantile(double p) {
  constexpr double kReach = NormalShare::kReach;
  if (!(p > 0)) return -kReach;
  if (p >= 1) return kReach;
  return std::clamp(p <= 0.5 ? first_quantile(p) : -first_quantile(1 - p), -kReach, kReach);
}

}  // namespace coppice
