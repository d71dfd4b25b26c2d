// What the searches of numeric and of categorical columns share: the codes of the candidate at
// hand, its histogram, and both scans where values are missing.
#pragma once

#include <cstdint>

#include "split/best_split.h"
#include "split/groups.h"
#include "split/loaded_node.h"
#include "split/scan.h"

namespace coppice {

struct SearchLimits {
  std::uint32_t min_split_samples = 2;
  std::uint32_t min_child_samples = 1;
  std::uint32_t random_thresholds = 0;  // per candidate; 0: every boundary between two groups
  std::uint32_t max_node_samples = UINT32_MAX;  // larger nodes are searched on a random subset
  std::uint32_t exact_rows = UINT32_MAX;        // nodes of more rows are searched by bins
  bool unit_weights = false;                    // every row weighs one unit
};

// Names the random stream of a candidate's thresholds; few candidates ask for it.
struct CandidateRandom {
  static constexpr std::uint64_t kThresholds = 4;  // among the purposes of a node's streams

  const RandomStream& node;
  std::uint64_t candidate;

  RandomStream stream() const { return node.child(kThresholds).child(candidate); }
};

template <Objective O>
class ColumnSearch {
 public:
  using Sum = typename O::Sum;

  ColumnSearch(const O& searched_for, const LoadedNode<O>& loaded, const SearchLimits& set)
      : objective(searched_for), node(loaded), limits(set), scratch_(RunningSplit<O>::scratch_size(searched_for)) {}

  const O& objective;
  const LoadedNode<O>& node;
  const SearchLimits& limits;
  NodeCodes codes;
  Histogram<O> histogram;
  BestSplit best;  // of the node, over all columns

  // Bins [0, bins) and, behind them, one for the missing values.
  template <class BinOf>
  void fill_histogram(std::size_t bins, BinOf&& bin_of) {
    histogram.clear(bins + 1, objective.statistics_size());
    if (codes.missing == 0) {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        histogram.add(objective, bin_of(codes.codes[i]), node.items[i], node.draws[i]);
      return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::uint32_t code = codes.codes[i];
      const std::size_t bin = code == codes.missing_code ? bins : bin_of(code);
      histogram.add(objective, bin, node.items[i], node.draws[i]);
    }
  }

  // The same for codes that are not gathered yet, none of which is missing; a bin is a code.
  void fill_from(const CodeSpan& span, std::span<const SampleId> rows) {
    histogram.clear(span.known + 1, objective.statistics_size());
    span.visit([&](const auto* all) {
      if (limits.unit_weights) {
        for (std::size_t i = 0; i < rows.size(); ++i)
          objective.add(histogram.sums.data() + all[rows[i]] * histogram.width, node.items[i]);
        histogram.count_samples(objective);
      } else {
        for (std::size_t i = 0; i < rows.size(); ++i)
          histogram.add(objective, all[rows[i]], node.items[i], node.draws[i]);
      }
    });
    codes.describe_bins(span.known, histogram.samples);
  }

  // Each looks for a boundary that beats best.boundary, and if there is one replaces it; the caller
  // then describes the split. gap_of(boundary) is asked about boundaries of this scan.

  // Between bins [0, bins) of the filled histogram.
  template <class GapOf>
  bool scan_bins(std::size_t bins, GapOf&& gap_of) {
    return scan_both_ways(BinCursor<O>(histogram, bins), missing_bin(bins), gap_of);
  }
  // Between the bins in the given order; a group is a place in it.
  bool scan_in_order(std::span<const std::uint32_t> order) {
    return scan_both_ways(OrderCursor<O>(histogram, order), missing_bin(order.size()), no_gap);
  }
  // Between runs of equal codes; needs no histogram. A group is a place in the order of the codes.
  template <class GapOf>
  bool scan_sorted(GapOf&& gap_of) {
    sorted_.sort(codes);
    collect_missing();
    const Missing missing{missing_.bin(0), missing_.samples[0]};
    if (!sorted_.tied())
      return scan_both_ways(RowCursor<O>(sorted_.order(), node), missing, gap_of);
    return scan_both_ways(RunCursor<O>(sorted_.order(), codes, node), missing, gap_of);
  }
  // The row of the node at a place of the last scan_sorted().
  std::size_t row_at(std::uint32_t place) const { return sorted_.order()[place]; }

  // For groups that have no distances.
  static double no_gap(const Boundary&) { return 0; }

 private:
  struct Missing {
    const Sum* sums;
    std::uint32_t samples;
  };
  Missing missing_bin(std::size_t bins) const {
    return {histogram.bin(bins), histogram.samples[bins]};
  }

  template <class Cursor, class GapOf>
  bool scan_both_ways(const Cursor& cursor, Missing missing, GapOf&& gap_of) {
    const ScanSetup<O> setup{.objective = objective,
                             .parent = node.sums,
                             .samples = node.samples,
                             .missing = missing.sums,
                             .missing_samples = missing.samples,
                             .min_child_samples = limits.min_child_samples,
                             .scratch = scratch_};
    const auto own_or_earlier_gap = [&](const Boundary& boundary) {
      return boundary.found() ? gap_of(boundary) : best.gap();
    };
    Boundary found = best.boundary.challenge();
    scan(setup, cursor, false, found, own_or_earlier_gap);
    if (codes.missing > 0) scan(setup, cursor, true, found, own_or_earlier_gap);
    if (found.found()) best.boundary = found;
    return found.found();
  }

  void collect_missing() {
    missing_.clear(1, objective.statistics_size());
    for (std::size_t i = 0; codes.missing > 0 && i < node.items.size(); ++i)
      if (codes.codes[i] == codes.missing_code)
        missing_.add(objective, 0, node.items[i], node.draws[i]);
  }

  std::vector<Sum> scratch_;
  SortedCodes sorted_;
  Histogram<O> missing_;
};

}  // namespace coppice
