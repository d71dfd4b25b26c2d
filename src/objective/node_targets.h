// The targets of a node as small whole numbers: sums of weight * product fit 62 bits, and the
// narrower a node, the finer its unit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "data/fixed_point.h"

namespace coppice {

// Bits, sign included, of numbers whose products can be summed over so much weight.
inline int bits_of_factors(std::uint64_t total_weight) {
  return std::min(30, (62 - static_cast<int>(std::bit_width(total_weight))) / 2);
}

// (sum w) (sum w a b) - (sum w a) (sum w b), over sum w: what is left of a sum of products about
// the means. Exact but for the last rounding.
inline double scatter(std::int64_t w, std::int64_t ab, std::int64_t a, std::int64_t b) {
  __extension__ typedef __int128 Wide;
  return static_cast<double>(Wide{w} * ab - Wide{a} * b) / static_cast<double>(w);
}

class NodeTargets {
 public:
  // Items have a row of the data and a weight.
  template <class Item>
  void load(const FixedPointTargets& targets, std::span<const Item> items) {
    outputs_ = targets.outputs();
    values_.resize(items.size() * outputs_);
    shifts_.assign(outputs_, 0);
    if (items.empty()) return;
    std::uint64_t total = 0;
    for (const Item& item : items) total += item.weight;
    for (std::size_t k = 0; k < outputs_; ++k) load_output(targets, items, k, total);
  }

  std::span<const std::int32_t> row(std::size_t position) const {
    return {values_.data() + position * outputs_, outputs_};
  }
  // What one step of an output is in units of the fixed-point targets.
  double step(std::size_t output) const { return std::ldexp(1.0, shifts_[output]); }

 private:
  template <class Item>
  void load_output(const FixedPointTargets& targets, std::span<const Item> items, std::size_t k,
                   std::uint64_t total) {
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    for (const Item& item : items) {
      least = std::min(least, targets.value(item.row, k));
      most = std::max(most, targets.value(item.row, k));
    }
    const std::int64_t middle = least + (most - least) / 2;
    const auto range = static_cast<std::uint64_t>(most - least);
    shifts_[k] = std::max(0, static_cast<int>(std::bit_width(range)) - bits_of_factors(total));
    for (std::size_t i = 0; i < items.size(); ++i)
      values_[i * outputs_ + k] =
          static_cast<std::int32_t>((targets.value(items[i].row, k) - middle) >> shifts_[k]);
  }

  std::size_t outputs_ = 0;
  std::vector<std::int32_t> values_;  // row-major
  std::vector<int> shifts_;
};

}  // namespace coppice
