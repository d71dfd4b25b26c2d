// Masses of polygons beside those of boxes, wedges and sums over a fine grid.
#include "density/polygon_mass.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "density/box_quadrature.h"

namespace coppice {
namespace {

double grid_sum(const std::vector<HalfPlane>& planes) {
  constexpr int kSteps = 1600;
  constexpr double kReach = 8, kStep = 2 * kReach / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kSteps; ++j) {
      const double x = -kReach + (i + 0.5) * kStep, y = -kReach + (j + 0.5) * kStep;
      bool inside = true;
      for (const HalfPlane& plane : planes)
        inside = inside && plane.slope[0] * x + plane.slope[1] * y <= plane.bound;
      if (inside) sum += std::exp(-(x * x + y * y) / 2);
    }
  return sum * kStep * kStep / (2 * std::acos(-1.0));
}

TEST(PolygonMass, OfNothingIsAllAndOfAContradictionNone) {
  EXPECT_NEAR(mass_of_polygon({}), 1, 1e-12);
  const std::vector<HalfPlane> none{{{1, 0}, -1}, {{-1, 0}, -1}};
  EXPECT_EQ(mass_of_polygon(none), 0);
}

// A half-plane has the share of a normal distribution, however it is turned.
TEST(PolygonMass, OfAHalfPlane) {
  for (double angle = 0; angle < 6.3; angle += 0.37)
    for (const double bound : {-2.0, -0.3, 0.0, 1.1}) {
      const std::vector<HalfPlane> plane{{{3 * std::cos(angle), 3 * std::sin(angle)}, 3 * bound}};
      EXPECT_NEAR(mass_of_polygon(plane), std::erfc(-bound / std::sqrt(2.0)) / 2, 1e-9);
    }
}

// A wedge at the origin has the share of its angle.
TEST(PolygonMass, OfAWedge) {
  const double turn = 2 * std::acos(-1.0);
  for (const double angle : {0.01, 0.5, 1.5, 3.0})
    for (const double from : {0.0, 0.4, 2.0, 4.4}) {
      const double to = from + angle;
      const std::vector<HalfPlane> wedge{{{std::sin(from), -std::cos(from)}, 0},
                                         {{-std::sin(to), std::cos(to)}, 0}};
      EXPECT_NEAR(mass_of_polygon(wedge), angle / turn, 1e-9);
    }
}

TEST(PolygonMass, OfABoxIsThatOfTheBox) {
  const std::array<Interval, 2> box{Interval{-0.7, 1.9}, Interval{0.2, 0.9}};
  for (const double r : {0.0, 0.5, -0.95}) {
    // The second variable is r z1 + sqrt(1 - r^2) z2.
    const double rest = std::sqrt(1 - r * r);
    const std::vector<HalfPlane> planes{
        {{1, 0}, 1.9}, {{-1, 0}, 0.7}, {{r, rest}, 0.9}, {{-r, -rest}, -0.2}};
    EXPECT_NEAR(mass_of_polygon(planes), mass_of_two(box, r), 1e-9);
  }
}

TEST(PolygonMass, OfManySidesIsThatOfAGrid) {
  std::vector<HalfPlane> planes;
  for (int n = 0; n < 7; ++n) {
    const double angle = 0.9 * n;
    planes.push_back({{std::cos(angle), std::sin(angle)}, 0.4 + 0.2 * n});
    EXPECT_NEAR(mass_of_polygon(planes), grid_sum(planes), 2e-3);
  }
}

}  // namespace
}  // namespace coppice
