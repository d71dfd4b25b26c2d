// The mass of a Gaussian in a box: quadrature up to three features, above that separation of
// variables (Genz 1992) on a randomly shifted lattice.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace coppice {

struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  bool everything() const { return lower == -upper && upper > 0 && upper == upper * 2; }
  bool contains(double x) const { return lower <= x && x < upper; }
};

struct Mass {
  double value = 1;
  double error = 0;  // standard error, or 0 where quadrature is exact to 10^-9
};

// What a lattice may take.
struct LatticeRule {
  std::size_t most_points = 2048;  // per shift
  double error = 5e-4;             // standard error, relative to the mass, that is small enough
  std::size_t quadrature = 3;      // features, 3 at most, up to which there is no lattice
};

// The covariance is a lower triangle; the box is about the mean.
Mass box_mass(std::span<const double> covariance, std::span<const Interval> box, std::uint64_t seed,
              const LatticeRule& = {});

}  // namespace coppice
