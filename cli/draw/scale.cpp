// See scale.h.
#include "draw/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {
namespace {

template <class Number>
Range finite_range(std::span<const Number> values, double share) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Range range{infinite, -infinite};
  for (const Number value : values) {
    const auto number = static_cast<double>(value);
    if (!std::isfinite(number)) continue;
    range.low = std::min(range.low, number);
    range.high = std::max(range.high, number);
  }
  if (range.low > range.high) return {0, 1};
  double room = range.length() * share;
  if (range.length() <= 1e-9 * std::max(std::abs(range.low), 1e-12)) {
    room = std::max(std::abs(range.low) / 2, 0.5);
  }
  return {range.low - room, range.high + room};
}

// 1, 2 or 5 times a power of ten, the least that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string label(double value, double step, double largest) {
  if (std::abs(value) < step / 1e6) value = 0;
  if (largest >= 1e6 || largest < 1e-3) return fmt::format("{:.6g}", value);
  const double digits = std::max(0.0, -std::floor(std::log10(step) + 1e-9));
  return fmt::format("{:.{}f}", value, static_cast<int>(std::min(digits, 12.0)));
}

std::vector<Tick> stepped(const Range& range, double step) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double first = std::ceil(range.low / step - 1e-9);
  const double last = std::floor(range.high / step + 1e-9);
  std::vector<Tick> made;
  for (double n = first; n <= last; ++n) made.push_back({n * step, label(n * step, step, largest)});
  return made;
}

}  // namespace

Range range_of(std::span<const double> values, double share) { return finite_range(values, share); }
Range range_of(std::span<const float> values, double share) { return finite_range(values, share); }

std::vector<Tick> ticks(const Range& range, int wanted) {
  if (!(range.length() > 0) || !std::isfinite(range.length())) return {};
  double step = round_step(range.length() / wanted);
  std::vector<Tick> made = stepped(range, step);
  while (made.size() < 2) made = stepped(range, step = round_step(step / 2.5));
  return made;
}

std::vector<Tick> whole_ticks(const Range& range, int wanted) {
  if (!(range.length() > 0) || !std::isfinite(range.length())) return {};
  return stepped(range, std::max(1.0, round_step(range.length() / wanted)));
}

}  // namespace coppice
