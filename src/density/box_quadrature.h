// Masses of boxes under Gaussians of two and three features with variances 1, to 10^-9.
#pragma once

#include <array>

#include "density/box_mass.h"

namespace coppice {

double mass_of_two(const std::array<Interval, 2>& box, double correlation);

// Correlations of the first and second, first and third, second and third.
double mass_of_three(const std::array<Interval, 3>& box, const std::array<double, 3>& correlation);

}  // namespace coppice
