// The mass of two independent standard normal variables in a convex polygon, to 10^-9.
#pragma once

#include <span>

namespace coppice {

// slope[0] z1 + slope[1] z2 <= bound
struct HalfPlane {
  double slope[2] = {0, 0};
  double bound = 0;
};

// Where all hold; 1 if there is none.
double mass_of_polygon(std::span<const HalfPlane>);

}  // namespace coppice
