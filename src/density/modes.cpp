// Local maxima that stand out.
#include <algorithm>

#include "coppice/density.h"

namespace coppice {
namespace {

// What the curve falls by on the way from place `from` to a higher one; all of it if there is none.
double fall(std::span<const double> density, std::size_t from, int step) {
  double lowest = density[from];
  for (auto at = static_cast<std::ptrdiff_t>(from) + step;
       at >= 0 && at < static_cast<std::ptrdiff_t>(density.size()); at += step) {
    const double here = density[static_cast<std::size_t>(at)];
    if (here > density[from]) return density[from] - lowest;
    lowest = std::min(lowest, here);
  }
  return density[from];
}

}  // namespace

std::vector<Mode> find_modes(std::span<const double> at, std::span<const double> density,
                             double least_prominence) {
  std::vector<Mode> modes;
  if (density.empty()) return modes;
  const double least = least_prominence * *std::max_element(density.begin(), density.end());
  for (std::size_t i = 0; i < density.size(); ++i) {
    const bool rises = i == 0 || density[i] > density[i - 1];
    const bool falls = i + 1 == density.size() || density[i] >= density[i + 1];
    if (rises && falls && std::min(fall(density, i, -1), fall(density, i, 1)) >= least &&
        density[i] > 0)
      modes.push_back({at[i], density[i]});
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& a, const Mode& b) { return a.density > b.density; });
  return modes;
}

}  // namespace coppice
