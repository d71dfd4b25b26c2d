// What all objectives of classification share: a set of samples is the weight of each class.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>

#include "base/lanes.h"

namespace coppice {

struct ClassCounts {
  struct Item {
    std::uint32_t label, weight;
  };
  using Sum = std::uint32_t;

  std::span<const std::uint32_t> labels;
  std::size_t classes = 0;

  std::size_t statistics_size() const { return classes; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {labels[row], weight}; }
  void add(Sum* counts, const Item& item) const { counts[item.label] += item.weight; }
  // Of lanes side by side, see split/lane_sums.h.
  [[gnu::always_inline]] void add_to_lanes(Lanes<Sum>* counts, const Item& item,
                                           const LaneMask& mask) const {
    add_masked(counts[item.label], mask, item.weight);
  }
  bool alike(const Item& a, const Item& b) const { return a.label == b.label; }
  std::uint64_t weight(const Sum* counts) const {
    return std::accumulate(counts, counts + classes, std::uint64_t{0});
  }

  std::size_t mean_size() const { return classes; }
  void mean(const Sum* counts, double* shares) const {
    const auto total = static_cast<double>(weight(counts));
    for (std::size_t c = 0; c < classes; ++c) shares[c] = counts[c] / total;
  }
};

}  // namespace coppice
