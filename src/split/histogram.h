// Sums and samples of a node by bin.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "objective/objective.h"
#include "split/loaded_node.h"
#include "split/rows_ahead.h"

namespace coppice {

template <Objective O>
struct Histogram {
  using Sum = typename O::Sum;
  std::size_t width = 0;  // entries of a bin
  std::vector<Sum> sums;
  std::vector<std::uint32_t> samples;

  void clear(std::size_t bins, std::size_t statistics_size) {
    width = statistics_size;
    if (sums.size() < bins * width) sums.resize(bins * width);
    if (samples.size() < bins) samples.resize(bins);
    std::fill_n(sums.begin(), bins * width, Sum{0});
    std::fill_n(samples.begin(), bins, 0);
  }
  void add(const O& objective, std::size_t bin, const typename O::Item& item, std::uint32_t draws) {
    objective.add(sums.data() + bin * width, item);
    samples[bin] += draws;
  }

  // Clears it and puts row i of the node into bin_at(i) < bins, for all rows. Samples are not
  // counted if each weighs one unit.
  template <class BinAt, class Ahead = NoRowsAhead>
  void fill(const O& objective, const LoadedNode<O>& node, bool unit_weights, std::size_t bins,
            BinAt&& bin_at, const Ahead& ahead = {}) {
    const std::size_t size = objective.statistics_size();
    if (bins * size > kFewEntries) {
      clear(bins, size);
      return add_rows(objective, node, unit_weights, bin_at, ahead);
    }
    clear(bins * kTurns, size);
    add_rows(
        objective, node, unit_weights,
        [&](std::size_t i) { return bin_at(i) * kTurns + i % kTurns; }, ahead);
    join_turns(bins);
  }

  const Sum* bin(std::size_t index) const { return sums.data() + index * width; }

 private:
  // Of few bins, neighbouring rows often share one, and each waits until the last is added, unless
  // they take turns among copies of it.
  static constexpr std::size_t kTurns = 4, kFewEntries = 256;

  template <class BinAt, class Ahead>
  void add_rows(const O& objective, const LoadedNode<O>& node, bool unit_weights, BinAt&& bin_at,
                const Ahead& ahead) {
    Sum* const all = sums.data();
    const std::size_t size = width, rows = node.items.size();
    const auto* const items = node.items.data();
    if (unit_weights)
      return for_each_row(rows, ahead,
                          [&](std::size_t i) { objective.add(all + bin_at(i) * size, items[i]); });
    std::uint32_t* const counts = samples.data();
    const std::uint32_t* const draws = node.draws.data();
    for_each_row(rows, ahead, [&](std::size_t i) {
      const std::size_t bin = bin_at(i);
      objective.add(all + bin * size, items[i]);
      counts[bin] += draws[i];
    });
  }

  void join_turns(std::size_t bins) {
    for (std::size_t bin = 0; bin < bins; ++bin) {
      join(sums.data(), bin, width);
      join(samples.data(), bin, 1);
    }
  }
  template <class Number>
  static void join(Number* all, std::size_t bin, std::size_t size) {
    const Number* const turns = all + bin * kTurns * size;
    for (std::size_t k = 0; k < size; ++k) {
      Number sum = 0;
      for (std::size_t turn = 0; turn < kTurns; ++turn) sum += turns[turn * size + k];
      all[bin * size + k] = sum;
    }
  }
};

}  // namespace coppice
