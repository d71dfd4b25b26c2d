#include "tasks/rounding_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace coppice {
namespace {

struct Rounding {
  double mean = 0, deviation = 0;
  double error = 0;  // root of the mean square
};

// Targets that are not known do not count. Numbers may be as small as there are: they are divided
// by the largest one, so that squares stay numbers.
Rounding rounding_of(std::span<const double> targets, std::size_t first, std::size_t step) {
  double largest = 0, known = 0;
  for (std::size_t n = first; n < targets.size(); n += step)
    if (!std::isnan(targets[n])) largest = std::max(largest, std::abs(targets[n])), ++known;
  if (!(largest > 0)) return {};
  Rounding found;
  for (std::size_t n = first; n < targets.size(); n += step)
    if (!std::isnan(targets[n])) found.mean += targets[n] / largest / known;
  for (std::size_t n = first; n < targets.size(); n += step) {
    if (std::isnan(targets[n])) continue;
    const double off = targets[n] / largest - found.mean;
    const double rounded = (targets[n] - double{static_cast<float>(targets[n])}) / largest;
    found.deviation += off * off / known;
    found.error += rounded * rounded / known;
  }
  return {found.mean * largest, std::sqrt(found.deviation) * largest,
          std::sqrt(found.error) * largest};
}

std::string sentence(const std::string& name, const Rounding& rounding) {
  const bool tiny = std::abs(rounding.mean) < double{std::numeric_limits<float>::min()};
  const std::string why = tiny ? "is smaller than floats, which models hold, can tell apart"
                               : "varies little for numbers so far from 0: models hold floats";
  const std::string remedy = tiny ? "multiply it by a large number"
                                  : fmt::format("subtract {:.6g} from it", rounding.mean);
  return fmt::format(
      "target '{}' {}; it is rounded by {:.2g}, its standard deviation being {:.2g}; {} before "
      "training",
      name, why, rounding.error, rounding.deviation, remedy);
}

}  // namespace

std::vector<std::string> rounding_notes(const DatasetView& data) {
  constexpr double kTolerated = 0.01;
  std::vector<std::string> notes;
  const std::vector<std::string>& names = data.schema->targets;
  if (data.targets.empty()) return notes;
  for (std::size_t target = 0; target < names.size(); ++target) {
    const Rounding rounding = rounding_of(data.targets, target, names.size());
    if (rounding.error > kTolerated * rounding.deviation && rounding.deviation > 0)
      notes.push_back(sentence(names[target], rounding));
  }
  return notes;
}

}  // namespace coppice
