// Integrals of smooth functions by Gauss and Legendre, 16 nodes.
#pragma once

#include <array>
#include <cstddef>

#include "base/portable_math.h"

namespace coppice {

class GaussLegendre {
 public:
  static const GaussLegendre& rule() {
    static const GaussLegendre shared;
    return shared;
  }

  template <class Function>
  double integral(double from, double length, Function&& function) const {
    double sum = 0;
    for (std::size_t i = 0; i < kNodes; ++i)
      sum += weight_[i] * function(from + length * (node_[i] + 1) / 2);
    return sum * length / 2;
  }

 private:
  static constexpr std::size_t kNodes = 16;

  // Newton steps from Chebyshev-like first guesses, with Legendre's recurrence.
  GaussLegendre() {
    constexpr double kPi = 3.141592653589793;
    for (std::size_t i = 0; i < kNodes; ++i) {
      double x = portable_cos(kPi * (static_cast<double>(i) + 0.75) / (kNodes + 0.5));
      double slope = 1;
      for (int step = 0; step < 8; ++step) {
        double value = x, before = 1;
        for (std::size_t n = 2; n <= kNodes; ++n) {
          const auto order = static_cast<double>(n);
          const double next = ((2 * order - 1) * x * value - (order - 1) * before) / order;
          before = value;
          value = next;
        }
        slope = kNodes * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      node_[i] = x;
      weight_[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  std::array<double, kNodes> node_{}, weight_{};
};

}  // namespace coppice
