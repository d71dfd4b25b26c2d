// Masses of boxes against quadrature that shares nothing with them but the standard library.
#include "density/box_mass.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/random_stream.h"
#include "density/normal_share.h"

namespace coppice {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double peak(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979323846); }

double simpson(const std::function<double(double)>& f, double from, double to, int parts) {
  const double h = (to - from) / (2 * parts);
  double sum = f(from) + f(to);
  for (int i = 1; i < 2 * parts; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

double clipped(double x) { return std::min(9.0, std::max(-9.0, x)); }

// Variances 1. The last variable is integrated in closed form.
double slow_mass_of_two(const std::array<Interval, 2>& box, double r, int parts) {
  const double s = std::sqrt(1 - r * r);
  return simpson(
      [&](double x) {
        return peak(x) * (below((box[1].upper - r * x) / s) - below((box[1].lower - r * x) / s));
      },
      clipped(box[0].lower), clipped(box[0].upper), parts);
}

double slow_mass_of_three(const std::array<Interval, 3>& box, double r12, double r13, double r23,
                          int parts) {
  const double s2 = std::sqrt(1 - r12 * r12), s3 = std::sqrt(1 - r13 * r13);
  return simpson(
      [&](double x) {
        const auto shifted = [&](const Interval& i, double r, double s) {
          return Interval{(i.lower - r * x) / s, (i.upper - r * x) / s};
        };
        return peak(x) * slow_mass_of_two({shifted(box[1], r12, s2), shifted(box[2], r13, s3)},
                                          (r23 - r12 * r13) / (s2 * s3), parts);
      },
      clipped(box[0].lower), clipped(box[0].upper), parts);
}

TEST(NormalShare, AgreesWithTheStandardLibrary) {
  for (double x = -9; x < 9; x += 0.0137) {
    EXPECT_NEAR(NormalShare::table().below(x), below(x), 1e-12);
    if (std::abs(x) < 5) {
      EXPECT_NEAR(normal_quantile(below(x)), x, 1e-6);
    }
  }
  EXPECT_EQ(NormalShare::table().below(-kInfinity), 0);
  EXPECT_EQ(NormalShare::table().below(kInfinity), 1);
}

TEST(BoxMass, OfOneFeature) {
  const std::vector<double> variance{4};
  EXPECT_NEAR(box_mass(variance, std::vector<Interval>{{-1, 3}}, 1).value, below(1.5) - below(-0.5),
              1e-12);
  EXPECT_NEAR(box_mass(variance, std::vector<Interval>{{12, kInfinity}}, 1).value, below(-6),
              1e-15);
  EXPECT_EQ(box_mass({}, {}, 1).value, 1);
}

TEST(BoxMass, OfTwoFeaturesAgreesWithSimpson) {
  RandomStream random(5);
  for (const double r : {0.0, 0.3, -0.8, 0.95, -0.999, 0.99999}) {
    for (int draw = 0; draw < 4; ++draw) {
      const double a = 3 * random.uniform() - 2, b = 3 * random.uniform() - 2;
      const std::array<Interval, 2> box{Interval{a, draw == 1 ? kInfinity : a + 1.5},
                                        Interval{draw == 2 ? -kInfinity : b, b + 1}};
      // Scales do not matter.
      const std::vector<double> covariance{9, r * 3 * 0.5, 0.25};
      const std::vector<Interval> scaled{{3 * box[0].lower, 3 * box[0].upper},
                                         {0.5 * box[1].lower, 0.5 * box[1].upper}};
      EXPECT_NEAR(box_mass(covariance, scaled, 1).value, slow_mass_of_two(box, r, 20000), 1e-6)
          << "correlation " << r;
    }
  }
}

TEST(BoxMass, OfThreeFeaturesAgreesWithSimpson) {
  for (const auto& [r12, r13, r23] : {std::array{0.0, 0.0, 0.0}, std::array{0.5, -0.2, 0.4},
                                      std::array{0.9, 0.8, 0.95}, std::array{-0.97, 0.9, -0.95}}) {
    const std::array<Interval, 3> box{Interval{-1, 1.5}, Interval{-0.5, kInfinity},
                                      Interval{-2, 0.7}};
    const std::vector<double> covariance{1, r12, 1, r13, r23, 1};
    EXPECT_NEAR(box_mass(covariance, box, 1).value, slow_mass_of_three(box, r12, r13, r23, 400),
                1e-6);
  }
}

// With equal correlations r, x_i = sqrt(r) z + sqrt(1 - r) e_i: one integral over z.
double slow_mass_with_equal_correlations(std::span<const Interval> box, double r) {
  return simpson(
      [&](double z) {
        double product = peak(z);
        for (const Interval& i : box)
          product *= below((i.upper - std::sqrt(r) * z) / std::sqrt(1 - r)) -
                     below((i.lower - std::sqrt(r) * z) / std::sqrt(1 - r));
        return product;
      },
      -9, 9, 2000);
}

TEST(BoxMass, OfUpToTenFeaturesByLattice) {
  RandomStream random(3);
  for (const std::size_t size : {4, 5, 7, 10})
    for (const double r : {0.1, 0.5, 0.9}) {
      std::vector<Interval> box;
      std::vector<double> covariance;
      for (std::size_t k = 0; k < size; ++k) {
        const double lower = -2.5 * random.uniform();
        box.push_back({k % 3 == 2 ? -kInfinity : lower, lower + 2 + random.uniform()});
        for (std::size_t j = 0; j <= k; ++j) covariance.push_back(j == k ? 1 : r);
      }
      const Mass found = box_mass(covariance, box, 11);
      const double expected = slow_mass_with_equal_correlations(box, r);
      EXPECT_NEAR(found.value, expected, 1e-3);
      EXPECT_NEAR(found.value, expected, 6 * found.error + 1e-9) << size << " features, " << r;
    }
}

TEST(BoxMass, OfAnEmptyBoxIsNothing) {
  const std::vector<double> covariance{1, 0.5, 1};
  EXPECT_EQ(box_mass(covariance, std::vector<Interval>{{1, 1}, {-1, 1}}, 1).value, 0);
  EXPECT_EQ(box_mass(covariance, std::vector<Interval>{{2, 1}, {-1, 1}}, 1).value, 0);
}

}  // namespace
}  // namespace coppice
