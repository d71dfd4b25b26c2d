// What the searches of numeric and of categorical columns share: the codes of the candidate at
// hand, its histogram, and both scans where values are missing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "split/best_split.h"
#include "split/groups.h"
#include "split/loaded_node.h"
#include "split/narrow_bins.h"
#include "split/node_values.h"
#include "split/rows_ahead.h"
#include "split/scan.h"
#include "split/search_limits.h"

namespace coppice {

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
      : objective(searched_for), node(loaded), limits(set) {}

  const O& objective;
  const LoadedNode<O>& node;
  const SearchLimits& limits;
  NodeCodes codes;            // of the column at hand
  NodeValues values;          // or these, if its thresholds are random
  std::uint32_t missing = 0;  // rows without either, or their samples
  bool constant = false;      // no split on it can separate any two samples
  Histogram<O> histogram;
  BestSplit best;             // of the node, over all columns
  bool unit_weights = false;  // every row of the tree weighs one unit

  // REQUIRES: the node is loaded. Nothing has been found in it yet.
  void begin_node() {
    begin_candidate();
    best.begin();
    weight_ = CountsNarrowly<O> && unit_weights ? node.samples : objective.weight(node.sums.data());
  }
  // Of all samples of the node.
  std::uint64_t weight() const { return weight_; }
  // REQUIRES: the node's sums are those of the candidate.
  void begin_candidate() { start_.reset(); }

  void gather_codes(const CodeSpan& span, std::span<const SampleId> rows) {
    codes.gather(span, rows);
    missing = codes.missing, constant = codes.constant();
  }
  template <class Values>
  void gather_values(const Values all, bool has_missing, std::span<const SampleId> rows) {
    values.gather(all, has_missing, rows);
    missing = values.missing, constant = values.constant();
  }

  void take_values(std::span<const float> given) {
    values.take(given);
    missing = values.missing, constant = values.constant();
  }

  // Whether bins of small counts serve, and beat sorting so many rows. They do not count samples:
  // where these have other weights than 1, the boundary says that it knows their weight only.
  bool narrow_pays(std::size_t bins, std::size_t rows) const {
    if constexpr (!CountsNarrowly<O>) return false;
    return (unit_weights || limits.min_child_samples == 1) && bins <= NarrowBins::kMostBins &&
           3 * bins < 2 * rows && NarrowBins::suit(objective.statistics_size(), weight_);
  }

  bool one_narrow_pass_pays(const CodeSpan& span, std::size_t rows) const {
    return !span.has_missing && narrow_pays(span.known, rows);
  }

  // Empty ones, for scan_bins(). REQUIRES: narrow_pays(), as all that fills them does.
  NarrowBins& begin_narrow(std::size_t bins) {
    in_narrow_ = true;
    narrow_.begin(bins, objective.statistics_size());
    return narrow_;
  }

  // Bins [0, bins) and, behind them, one for the missing values. Counts the samples of the bins.
  template <class BinOf>
  void fill_histogram(std::size_t bins, BinOf&& bin_of) {
    in_narrow_ = false;
    histogram.clear(bins + 1, objective.statistics_size());
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::uint32_t code = codes.codes[i];
      const bool is_missing = missing > 0 && code == codes.missing_code;
      histogram.add(objective, is_missing ? bins : bin_of(code), node.items[i], node.draws[i]);
    }
  }
  // The same for codes of which none is missing.
  void fill_narrow(std::size_t bins) {
    if constexpr (CountsNarrowly<O>) {
      begin_narrow(bins);
      const std::uint32_t least = codes.least;
      for (std::size_t i = 0; i < node.items.size(); ++i)
        narrow_.add(codes.codes[i] - least, node.items[i]);
    }
  }
  // The same for codes that are not gathered yet; a bin is a code.
  void fill_from(const CodeSpan& span, std::span<const SampleId> rows) {
    missing = 0;
    if (one_narrow_pass_pays(span, rows.size())) return fill_narrow_from(span, rows);
    fill_by_code(span, rows);
    if (span.has_missing) missing = samples_in(span.known);
    constant = objective.weight(histogram.bin(span[rows[0]])) == objective.weight(node.sums.data());
  }
  // The same in the histogram; behind the codes there is a bin for the missing ones.
  void fill_by_code(const CodeSpan& span, std::span<const SampleId> rows) {
    span.visit([&](const auto all) {
      fill(
          span.known + 1, [&](std::size_t i) { return std::size_t{all[rows[i]]}; },
          fetching(all, rows));
    });
  }
  // The same for values; bin_of() is not asked about missing ones.
  template <class BinOf>
  void fill_by_value(std::size_t bins, BinOf&& bin_of) {
    const float* const all = values.values.data();
    if (missing == 0) {
      fill(bins + 1, [&](std::size_t i) { return bin_of(all[i]); });
    } else {
      fill(bins + 1, [&](std::size_t i) { return all[i] != all[i] ? bins : bin_of(all[i]); });
    }
  }

  // Each looks for a boundary that beats best.boundary, and if there is one replaces it; the caller
  // then describes the split. gap_of(boundary) is asked about boundaries of this scan.

  // Between bins [0, bins) of the filled histogram.
  template <class GapOf>
  bool scan_bins(std::size_t bins, GapOf&& gap_of) {
    if constexpr (CountsNarrowly<O>)
      if (in_narrow_) return scan_narrow(gap_of);
    return scan_both_ways(BinCursor<O>(histogram, bins, unit_weights), missing_bin(bins), gap_of);
  }
  // Between the values (see gather_values()) below and above each of the ascending cuts. Returns
  // the cut that wins, or minus infinity if it is the known values against the missing ones. Of
  // cuts with no value between them, which split alike, one at random: it is uniform in the gap,
  // whose middle the forest then finds (Criminisi 2012, section 3.4); the least would hug the left
  // side.
  std::optional<float> scan_cuts(std::span<const float> cuts, const RandomStream& random) {
    fill_by_value(cuts.size() + 1, [&](float value) {
      return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), value) -
                                      cuts.begin());
    });
    if (!scan_bins(cuts.size() + 1, no_gap)) return std::nullopt;
    const std::uint32_t last_left = best.boundary.last_left;
    if (last_left == cuts.size()) return -INFINITY;
    const auto end = std::min(best.boundary.first_right, static_cast<std::uint32_t>(cuts.size()));
    return cuts[last_left + random.child(0).below(end - last_left)];
  }
  // Between groups of which none is missing.
  template <class Cursor, class GapOf>
  bool scan_known(const Cursor& cursor, GapOf&& gap_of) {
    return scan_both_ways(cursor, {nullptr, 0}, gap_of);
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
    const Missing absent{missing_.bin(0), missing_.samples[0]};
    return scan_both_ways(RunCursor<O>(sorted_.order(), codes, node), absent, gap_of);
  }
  // Of the best split, of which only the weight of its left side is known so far. REQUIRES: its
  // column, without missing values, and all rows of the node.
  void count_samples_left(const CodeSpan& span, std::span<const SampleId> rows) {
    std::uint32_t samples = 0;
    span.visit([&](const auto all) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        samples += all[rows[i]] < best.split.cut ? node.draws[i] : 0;
    });
    best.boundary.samples_left = samples;
    best.split.missing_left = goes_missing_left(best.boundary, 0, node.samples);
  }
  // Of a bin of the histogram.
  std::uint32_t samples_in(std::size_t bin) const {
    return unit_weights ? static_cast<std::uint32_t>(objective.weight(histogram.bin(bin)))
                        : histogram.samples[bin];
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
  Missing missing_bin(std::size_t bins) const { return {histogram.bin(bins), samples_in(bins)}; }
  template <class Codes>
  static auto fetching(const Codes all, std::span<const SampleId> rows) {
    return RowsAhead(rows, [all](SampleId row) { __builtin_prefetch(all + row); });
  }

  void fill_narrow_from(const CodeSpan& span, std::span<const SampleId> rows) {
    if constexpr (CountsNarrowly<O>) {
      begin_narrow(span.known);
      span.visit([&](const auto all) {
        for_each_row(rows.size(), fetching(all, rows),
                     [&](std::size_t i) { narrow_.add(all[rows[i]], node.items[i]); });
        constant = narrow_.weight(all[rows[0]]) == weight_;
      });
    }
  }

  // See Histogram::fill().
  template <class BinAt, class Ahead = NoRowsAhead>
  void fill(std::size_t bins, BinAt&& bin_at, const Ahead& ahead = {}) {
    in_narrow_ = false;
    histogram.fill(objective, node, unit_weights, bins, bin_at, ahead);
  }

  template <class Cursor, class GapOf>
  bool scan_both_ways(const Cursor& cursor, Missing absent, GapOf&& gap_of) {
    if (!start_) {
      start_.emplace(objective, node.sums);
      scratch_.resize(RunningSplit<O>::scratch_size(objective));
    }
    ScanSetup setup = missing_right();
    Boundary found = best.boundary.challenge();
    scan(setup, RunningSplit<O>(*start_, scratch_), cursor, found, own_or_earlier(gap_of));
    if (missing > 0) {
      RunningSplit<O> split(*start_, scratch_);
      split.move(absent.sums);
      setup.samples_left = absent.samples;
      setup.missing_left = true;
      scan(setup, split, cursor, found, own_or_earlier(gap_of));
    }
    return keep(found);
  }
  template <class GapOf>
  bool scan_narrow(GapOf&& gap_of) {
    Boundary found = best.boundary.challenge();
    ScanSetup setup = missing_right();
    setup.samples = static_cast<std::uint32_t>(weight_);
    narrow_.template visit<O>(node.sums, [&](const auto& split, const auto& cursor) {
      scan(setup, split, cursor, found, own_or_earlier(gap_of));
    });
    found.weighed = found.found() && !unit_weights;
    return keep(found);
  }

  ScanSetup missing_right() const {
    return {.samples = node.samples, .min_child_samples = limits.min_child_samples};
  }
  template <class GapOf>
  auto own_or_earlier(GapOf& gap_of) {
    return
        [&](const Boundary& boundary) { return boundary.found() ? gap_of(boundary) : best.gap(); };
  }
  bool keep(const Boundary& found) {
    if (found.found()) best.boundary = found;
    return found.found();
  }

  void collect_missing() {
    missing_.clear(1, objective.statistics_size());
    for (std::size_t i = 0; missing > 0 && i < node.items.size(); ++i)
      if (codes.codes[i] == codes.missing_code)
        missing_.add(objective, 0, node.items[i], node.draws[i]);
  }

  std::optional<typename RunningSplit<O>::Start> start_;
  std::vector<Sum> scratch_;
  std::uint64_t weight_ = 0;  // of the node
  SortedCodes sorted_;
  NarrowBins narrow_;
  bool in_narrow_ = false;  // rather than in the histogram
  Histogram<O> missing_;
};

}  // namespace coppice
