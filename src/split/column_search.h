// What the searches of numeric and of categorical columns share: the codes of the candidate at
// hand, its histogram, and both scans where values are missing.
#pragma once

#include <cstdint>

#include "split/groups.h"
#include "split/loaded_node.h"
#include "split/scan.h"

namespace coppice {

struct SearchLimits {
  std::uint32_t min_child_samples = 1;
  std::uint32_t random_thresholds = 0;  // per candidate; 0: every boundary between two groups
  std::uint32_t max_node_samples = UINT32_MAX;  // larger nodes are searched on a random subset
};

template <Objective O>
class ColumnSearch {
 public:
  using Sum = typename O::Sum;

  ColumnSearch(const O& searched_for, const LoadedNode<O>& loaded, const SearchLimits& set)
      : objective(searched_for), node(loaded), limits(set), running_(searched_for) {}

  const O& objective;
  const LoadedNode<O>& node;
  const SearchLimits& limits;
  NodeCodes codes;
  Histogram<O> histogram;

  // Bins [0, bins) and, behind them, one for the missing values.
  template <class BinOf>
  void fill_histogram(std::size_t bins, BinOf&& bin_of) {
    histogram.clear(bins + 1, objective.statistics_size());
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::uint32_t code = codes.codes[i];
      const std::size_t bin = code == codes.missing_code ? bins : bin_of(code);
      histogram.add(objective, bin, node.items[i], node.draws[i]);
    }
  }

  // The best boundary between bins [0, bins) of the filled histogram.
  Boundary scan_bins(std::size_t bins, double gap_unit, const Boundary& to_beat) {
    return scan_all(BinCursor<O>(histogram, bins), bins, gap_unit, to_beat);
  }
  // The best boundary between the bins in the given order; a group is a place in it.
  Boundary scan_in_order(std::span<const std::uint32_t> order, const Boundary& to_beat) {
    return scan_all(OrderCursor<O>(histogram, order), order.size(), 0, to_beat);
  }
  // The best boundary between runs of equal codes; needs no histogram.
  Boundary scan_sorted(double gap_unit, const Boundary& to_beat) {
    sorted_.sort(codes);
    collect_missing();
    return scan_both_ways(RunCursor<O>(sorted_, node), {missing_.bin(0), missing_.samples[0]},
                          gap_unit, to_beat);
  }

 private:
  struct Missing {
    const Sum* sums;
    std::uint32_t samples;
  };

  template <class Cursor>
  Boundary scan_all(const Cursor& cursor, std::size_t bins, double gap_unit,
                    const Boundary& to_beat) {
    return scan_both_ways(cursor, {histogram.bin(bins), histogram.samples[bins]}, gap_unit,
                          to_beat);
  }

  template <class Cursor>
  Boundary scan_both_ways(const Cursor& cursor, Missing missing, double gap_unit,
                          const Boundary& to_beat) {
    const ScanSetup<O> setup{.parent = node.sums,
                             .samples = node.samples,
                             .missing = missing.sums,
                             .missing_samples = missing.samples,
                             .min_child_samples = limits.min_child_samples,
                             .gap_unit = gap_unit};
    Boundary best = to_beat.challenge();
    scan(setup, cursor, false, running_, best);
    if (codes.missing > 0) scan(setup, cursor, true, running_, best);
    return best;
  }

  void collect_missing() {
    missing_.clear(1, objective.statistics_size());
    for (std::size_t i = 0; codes.missing > 0 && i < node.items.size(); ++i)
      if (codes.codes[i] == codes.missing_code)
        missing_.add(objective, 0, node.items[i], node.draws[i]);
  }

  RunningSplit<O> running_;
  SortedCodes sorted_;
  Histogram<O> missing_;
};

}  // namespace coppice
