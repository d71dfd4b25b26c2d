// One unknown feature of a part of a mixture: its density along a line, the other unknown features
// integrated out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "density/mixture_parts.h"

namespace coppice {

class PartCurve {
 public:
  // `k` is the place of the feature among the unknown ones. Keeps references.
  PartCurve(const MixtureParts&, const MixturePart&, std::size_t k);

  // Log of the part's density with the others anywhere: what log_density() has as a bound.
  // -infinity outside of the cell.
  double log_bound(double x) const;

  // Log density of the part at places that are inside of its cell. The mass of the others in the
  // cell is log-concave along the line: where it is costly and there are many places, it is worked
  // out at kKnots of them and interpolated by cubics.
  std::vector<double> log_density(std::span<const double> at) const;

 private:
  static constexpr std::size_t kKnots = 9;

  double log_mass_of_others(double x) const;
  std::vector<double> log_masses(std::span<const double> at) const;

  const TreeCells& cells_;
  std::size_t node_;
  double log_weight_, mean_, variance_;
  std::vector<std::uint32_t> others_;
  std::vector<double> others_mean_, slope_, covariance_;  // given the feature: mean + slope (x - m)
  std::vector<float> row_;
  std::uint32_t feature_;
  std::uint64_t seed_;
  std::size_t bounded_others_ = 0;
};

}  // namespace coppice
