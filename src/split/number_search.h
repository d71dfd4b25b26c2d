// The best threshold of a numeric column.
#pragma once

#include <algorithm>
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
    if (!found.found()) return found;
    chosen.left_categories.clear();
    if (found.first_right == Boundary::kNone) return missing_alone(found, chosen);
    cut_between(found, column, chosen);
    return found;
  }

  Boundary search_random_cuts(ColumnSearch<O>& at_hand, const CodedColumn& column,
                              RandomStream random, const Boundary& to_beat, ChosenSplit& chosen) {
    const auto cuts =
        cuts_.between_values(column, at_hand.codes, at_hand.limits.random_thresholds, random);
    at_hand.fill_histogram(cuts.size() + 1, [&](std::uint32_t code) {
      const auto right = std::upper_bound(
          cuts.begin(), cuts.end(), code,
          [](std::uint32_t value, const RandomCuts::Cut& cut) { return value < cut.first_right; });
      return static_cast<std::size_t>(right - cuts.begin());
    });
    const Boundary found = at_hand.scan_bins(cuts.size() + 1, 0, to_beat);
    if (!found.found()) return found;
    chosen.left_categories.clear();
    if (found.last_left == cuts.size()) return missing_alone(found, chosen);
    chosen.cut = cuts[found.last_left].first_right;
    chosen.threshold = cuts[found.last_left].threshold;
    return found;
  }

  // Missing values against all others. They go left, because only on the right is there room for
  // every value: nothing is below minus infinity.
  static Boundary missing_alone(Boundary found, ChosenSplit& chosen) {
    found.missing_left = true;
    chosen.cut = 0;
    chosen.threshold = -INFINITY;
    return found;
  }

  // Half way between the neighbours in the node. Values that only other rows of the data have may
  // lie between them: these rows, too, must take the same side by code and by value.
  static void cut_between(const Boundary& found, const CodedColumn& column, ChosenSplit& chosen) {
    const auto codes = column.lowest.begin();
    chosen.threshold =
        threshold_between(column.high(found.last_left), column.low(found.first_right));
    chosen.cut = static_cast<std::uint32_t>(
        std::lower_bound(codes + found.last_left + 1, codes + found.first_right, chosen.threshold) -
        codes);
    const bool bin_is_torn = column.high(chosen.cut - 1) >= chosen.threshold;
    if (bin_is_torn)
      chosen.threshold = threshold_between(column.high(chosen.cut - 1), column.low(chosen.cut));
  }

  // Half way between two values, or the right one where no float lies between.
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
