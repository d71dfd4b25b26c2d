// Numbers to positions on paper, and the round numbers that are written beside an axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace coppice {

struct Range {
  double low = 0, high = 1;

  double length() const { return high - low; }
  double middle() const { return low + length() / 2; }
};

// The least range with all finite values; `share` of its length is added on both sides. A single
// value gets a range of length 1 (or of its size) around it; no value at all [0, 1].
Range range_of(std::span<const double> values, double share = 0);
Range range_of(std::span<const float> values, double share = 0);

// `domain.low` falls on `first`, `domain.high` on `last`; last < first is fine.
struct Scale {
  Range domain;
  double first = 0, last = 1;

  double operator()(double value) const {
    return first + (value - domain.low) / domain.length() * (last - first);
  }
};

struct Tick {
  double value = 0;
  std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within the range: about `wanted` of them, at least
// two unless the range is empty. Labels are as short as they can be and still differ.
std::vector<Tick> ticks(const Range&, int wanted = 5);

// Whole numbers only, for counts.
std::vector<Tick> whole_ticks(const Range&, int wanted = 5);

}  // namespace coppice
