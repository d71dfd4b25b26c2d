// Means over the unit cube by lattices x_i = frac(i sqrt(prime_j) + shift), folded at 1/2, with
// several random shifts that tell how far they agree (Richtmyer; Genz and Bretz 2009, 4.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "density/box_mass.h"

namespace coppice {

class ShiftedLattice {
 public:
  static constexpr std::size_t kShifts = 8;

  ShiftedLattice(std::size_t dimensions, std::uint64_t seed);

  // Doubles the points until the standard error is small enough. function(point).
  template <class Function>
  Mass mean(const LatticeRule& rule, Function&& function) const {
    std::vector<double> sums(kShifts), point(generator_.size());
    std::size_t done = 0;
    for (std::size_t points = std::min(kFirstPoints, rule.most_points);; points *= 2) {
      for (std::size_t shift = 0; shift < kShifts; ++shift)
        for (std::size_t i = done; i < points; ++i) {
          place(shift, i, point);
          sums[shift] += function(std::span<const double>(point));
        }
      done = points;
      const Mass found = summarise(sums, static_cast<double>(points));
      if (found.error <= rule.error * found.value || points >= rule.most_points) return found;
    }
  }

 private:
  static constexpr std::size_t kFirstPoints = 32;

  void place(std::size_t shift, std::size_t number, std::vector<double>& point) const {
    for (std::size_t j = 0; j < point.size(); ++j) {
      const double x =
          static_cast<double>(number) * generator_[j] + shifts_[shift * point.size() + j];
      const double fraction = x - std::floor(x);
      point[j] = std::abs(2 * fraction - 1);
    }
  }
  static Mass summarise(std::span<const double> sums, double points);

  std::vector<double> generator_, shifts_;
};

}  // namespace coppice
