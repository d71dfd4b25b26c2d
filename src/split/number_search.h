// The best threshold of a numeric column.
#pragma once

#include <bit>
#include <cmath>

#include "split/column_search.h"
#include "split/node_splitter.h"
#include "split/random_cuts.h"

namespace coppice {

template <Objective O>
class NumberSearch {
 public:
  // Returns a boundary that beats `to_beat` and describes its split in `chosen`, or one that was
  // not found. REQUIRES: the codes are gathered and not constant.
  Boundary search(ColumnSearch<O>& at_hand, const CodedColumn& column, RandomStream random,
                  const Boundary& to_beat, ChosenSplit& chosen) {
    const bool random_cuts =
        at_hand.limits.random_thresholds > 0 && at_hand.codes.least < at_hand.codes.most;
    return random_cuts ? search_random_cuts(at_hand, column, random, to_beat, chosen)
                       : search_all_cuts(at_hand, column, to_beat, chosen);
  }

 private:
  Boundary search_all_cuts(ColumnSearch<O>& at_hand, const CodedColumn& column,
                           const Boundary& to_beat, ChosenSplit& chosen) {
    const std::uint32_t least = at_hand.codes.least;
    const std::size_t bins = std::size_t{at_hand.codes.most} - least + 1;
    const double gap_unit = 1.0 / column.known;
    Boundary found;
    if (histogram_pays(bins, at_hand)) {
      at_hand.fill_histogram(bins, [&](std::uint32_t code) { return code - least; });
      found = at_hand.scan_bins(bins, gap_unit, to_beat);
      if (found.found()) found.last_left += least;
      if (found.first_right != Boundary::kNone) found.first_right += least;
    } else {
      found = at_hand.scan_sorted(gap_unit, to_beat);
    }
    const bool all_known_left = found.first_right == Boundary::kNone;
    if (!found.found() || (all_known_left && !bounded(at_hand, column))) return {};
    chosen.cut = found.last_left + 1;
    chosen.threshold = all_known_left ? INFINITY
                                      : threshold_between(column.high(found.last_left),
                                                          column.low(found.first_right));
    chosen.left_categories.clear();
    return found;
  }

  Boundary search_random_cuts(ColumnSearch<O>& at_hand, const CodedColumn& column,
                              RandomStream random, const Boundary& to_beat, ChosenSplit& chosen) {
    const auto cuts =
        cuts_.between_values(column, at_hand.codes, at_hand.limits.random_thresholds, random);
    at_hand.fill_histogram(cuts.size() + 1, [&](std::uint32_t code) {
      std::uint32_t bin = 0;
      while (bin < cuts.size() && cuts[bin].first_right <= code) ++bin;
      return bin;
    });
    const Boundary found = at_hand.scan_bins(cuts.size() + 1, 0, to_beat);
    const bool all_known_left = found.last_left == cuts.size();
    if (!found.found() || (all_known_left && !bounded(at_hand, column))) return {};
    chosen.cut = all_known_left ? column.known : cuts[found.last_left].first_right;
    chosen.threshold = all_known_left ? INFINITY : cuts[found.last_left].threshold;
    chosen.left_categories.clear();
    return found;
  }

  // Else no threshold has all known values of the node on its left.
  static bool bounded(const ColumnSearch<O>& at_hand, const CodedColumn& column) {
    return column.high(at_hand.codes.most) < INFINITY;
  }

  // Half way between the neighbours, or the right one where no float lies between.
  static float threshold_between(float left, float right) {
    const float middle = left / 2 + right / 2;
    return middle > left && middle <= right ? middle : right;
  }

  // Clearing and scanning bins against sorting samples, in units of one addition. Both find the
  // same boundary.
  static bool histogram_pays(std::size_t bins, const ColumnSearch<O>& at_hand) {
    const std::size_t samples = at_hand.node.items.size();
    const std::size_t per_bin = 1 + at_hand.objective.statistics_size() / 2;
    return bins * per_bin < samples * (2 + static_cast<std::size_t>(std::bit_width(samples)));
  }

  RandomCuts cuts_;
};

}  // namespace coppice
