// Argument reduction followed by power series that are longer than a double can tell.
#include "base/portable_math.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace coppice {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// ln 2 = high + low; the high part has 33 bits, so that its product with an exponent is exact.
constexpr double kLn2High = 0x1.62e42fefp-1;
constexpr double kLn2Low = 0x1.473de6af278edp-34;
constexpr double kLog2E = 0x1.71547652b82fep+0;

// pi / 2 = first + second + third; 33, 33 and 53 bits.
constexpr double kHalfPiFirst = 0x1.921fb544p+0;
constexpr double kHalfPiSecond = 0x1.0b4611a6p-34;
constexpr double kHalfPiThird = 0x1.3198a2e037073p-69;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kHalfPi = 0x1.921fb54442d18p+0;
constexpr double kHalfPiRest = 0x1.1a62633145c07p-54;

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// x = 2^exponent * (1 + fraction) with 1 + fraction in [sqrt(1/2), sqrt(2)).
struct Decomposed {
  double exponent;
  double fraction;
};

// REQUIRES: x positive and finite.
Decomposed decompose(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
  double mantissa = std::bit_cast<double>((bits & kMantissa) | (std::uint64_t{1023} << 52));
  if (mantissa >= 0x1.6a09e667f3bcdp+0) {
    mantissa *= 0.5;
    ++exponent;
  }
  return {static_cast<double>(exponent), mantissa - 1.0};
}

// With s = f / (2 + f): ln(1 + f) = 2 (s + s^3 / 3 + s^5 / 5 + ...) and 2 s = f - s f, hence
// ln(1 + f) = f - s (f - r), where only the small second term is rounded more than once.
double log_one_plus(double f) {
  static constexpr std::array<double, 11> kSeries = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,
                                                     2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                                     2.0 / 19, 2.0 / 21, 2.0 / 23};
  const double s = f / (2.0 + f);
  const double square = s * s;
  const double r = square * polynomial(kSeries, square);
  return f - s * (f - r);
}

bool is_positive_and_finite(double x) { return x > 0 && x < kInfinity; }

double logarithm_at_the_border(double x) {
  if (x == 0) return -kInfinity;
  return x == kInfinity ? kInfinity : kNotANumber;
}

// 2^exponent for exponents of normal numbers.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

double nearest_whole(double x) {
  return static_cast<double>(static_cast<int>(x + (x < 0 ? -0.5 : 0.5)));
}

// x = quarter turns * pi / 2 + (angle + rest) with |angle| <= pi / 4 and a far smaller rest.
struct Reduced {
  int quarter;  // 0 ... 3
  double angle;
  double rest;
};

// REQUIRES: |x| <= 10^6, so that the products with the first two parts of pi / 2 are exact.
Reduced reduce(double x) {
  const double turns = nearest_whole(x * kTwoOverPi);
  const double first = x - turns * kHalfPiFirst;
  const double second = turns * kHalfPiSecond;
  const double sum = first - second;
  const double lost = (first - sum) - second;
  const double third = lost - turns * kHalfPiThird;
  const double angle = sum + third;
  return {static_cast<int>(turns) & 3, angle, (sum - angle) + third};
}

double sine_near_zero(double x, double rest) {
  static constexpr std::array<double, 8> kSeries = {
      -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
      -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  const double square = x * x;
  return x + (x * square * polynomial(kSeries, square) + rest * (1.0 - 0.5 * square));
}

double cosine_near_zero(double x, double rest) {
  static constexpr std::array<double, 7> kSeries = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  const double square = x * x;
  const double half = 0.5 * square;
  const double sum = 1.0 - half;
  const double lost = (1.0 - sum) - half;
  return sum + (lost + (square * square * polynomial(kSeries, square) - x * rest));
}

// sin(x + quarters * pi / 2)
double sine_of_turned(double x, int quarters) {
  if (!(x >= -1e6 && x <= 1e6)) return kNotANumber;
  const Reduced reduced = reduce(x);
  const int quarter = (reduced.quarter + quarters) & 3;
  const double value = quarter % 2 == 0 ? sine_near_zero(reduced.angle, reduced.rest)
                                        : cosine_near_zero(reduced.angle, reduced.rest);
  return quarter < 2 ? value : -value;
}

// atan(c) + atan((x - c) / (1 + x c)) = atan(x), with c the nearest eighth.
// REQUIRES: 0 <= x <= 1.
double atan_of_fraction(double x) {
  static constexpr std::array<double, 9> kAtanOfEighths = {
      0,
      0x1.fd5ba9aac2f6ep-4,
      0x1.f5b75f92c80ddp-3,
      0x1.6f61941e4def1p-2,
      0x1.dac670561bb4fp-2,
      0x1.1e00babdefeb4p-1,
      0x1.4978fa3269ee1p-1,
      0x1.700a7c5784634p-1,
      0x1.921fb54442d18p-1,
  };
  static constexpr std::array<double, 7> kSeries = {-1.0 / 3,  1.0 / 5,  -1.0 / 7, 1.0 / 9,
                                                    -1.0 / 11, 1.0 / 13, -1.0 / 15};
  const auto eighths = static_cast<std::size_t>(x * 8.0 + 0.5);
  const double c = static_cast<double>(eighths) / 8.0;
  const double t = (x - c) / (1.0 + x * c);
  const double square = t * t;
  return kAtanOfEighths[eighths] + (t + t * square * polynomial(kSeries, square));
}

}  // namespace

double portable_log(double x) {
  if (!is_positive_and_finite(x)) return logarithm_at_the_border(x);
  const auto [exponent, fraction] = decompose(x);
  return exponent * kLn2High + (exponent * kLn2Low + log_one_plus(fraction));
}

double portable_log2(double x) {
  if (!is_positive_and_finite(x)) return logarithm_at_the_border(x);
  const auto [exponent, fraction] = decompose(x);
  return exponent + log_one_plus(fraction) * kLog2E;
}

double portable_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  static constexpr std::array<double, 12> kSeries = {
      1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
      1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  const double doublings = nearest_whole(x * kLog2E);
  const double high = x - doublings * kLn2High;
  const double low = doublings * kLn2Low;
  const double r = high - low;
  const double rest = (high - r) - low;
  const double value = 1.0 + (r + (rest + r * r * polynomial(kSeries, r)));
  // Two steps: 2^doublings itself may be no normal number.
  const int half = static_cast<int>(doublings) / 2;
  return value * power_of_two(half) * power_of_two(static_cast<int>(doublings) - half);
}

double portable_sin(double x) { return sine_of_turned(x, 0); }

double portable_cos(double x) { return sine_of_turned(x, 1); }

double portable_atan(double x) {
  if (std::isnan(x)) return x;
  const double size = std::abs(x);
  const double angle =
      size <= 1.0 ? atan_of_fraction(size) : kHalfPi - (atan_of_fraction(1.0 / size) - kHalfPiRest);
  return std::copysign(angle, x);
}

// Marsaglia's polar method.
// 1/2 + density(x) (x + x^3/3 + x^5/(3 5) + ...)
double normal_below(double x) {
  constexpr double kFar = 8, kRootTwoPi = 2.506628274631000502;
  if (x != x) return x;
  if (x < -kFar) return 0;
  if (x > kFar) return 1;
  double term = x, sum = x;
  for (double odd = 3; sum + term != sum; odd += 2) {
    term *= x * x / odd;
    sum += term;
  }
  const double below = 0.5 + sum * portable_exp(-0.5 * x * x) / kRootTwoPi;
  return below < 0 ? 0 : (below > 1 ? 1 : below);
}

double standard_normal(RandomStream& random) {
  while (true) {
    const double u = 2.0 * random.uniform() - 1.0;
    const double v = 2.0 * random.uniform() - 1.0;
    const double square = u * u + v * v;
    if (square > 0 && square < 1) return u * std::sqrt(-2.0 * portable_log(square) / square);
  }
}

}  // namespace coppice
