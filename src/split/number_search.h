// The best threshold of a numeric column.
#pragma once

#include <algorithm>

#include "split/column_search.h"
#include "split/random_cuts.h"
#include "split/searched_column.h"
#include "split/sparse_search.h"

namespace coppice {

template <Objective O>
class NumberSearch {
 public:
  // Improves on the best split so far, if this column can. row_at(i) is the row of the data behind
  // row i of the node. REQUIRES: the codes are gathered and not constant.
  template <class RowAt>
  bool search(ColumnSearch<O>& at_hand, const SearchedColumn& column, RowAt&& row_at) {
    const std::size_t range = at_hand.codes.range();
    const bool narrow = at_hand.missing == 0 && at_hand.narrow_pays(range, at_hand.codes.rows());
    if (narrow || histogram_pays(at_hand, range)) {
      const std::uint32_t least = at_hand.codes.least;
      narrow ? at_hand.fill_narrow(range)
             : at_hand.fill_histogram(range, [=](std::uint32_t code) { return code - least; });
      return search_histogram(at_hand, column, range, [&](std::uint32_t bin) {
        const std::uint32_t code = bin + least;
        const bool needs_row = column.kind == SearchedColumn::Kind::ranks;
        return CodeOfRow{code, needs_row ? row_at(at_hand.codes.row_with(code)) : 0};
      });
    }
    return search_sorted(at_hand, column, [&](std::uint32_t place) {
      const std::size_t position = at_hand.row_at(place);
      return CodeOfRow{at_hand.codes.codes[position], row_at(position)};
    });
  }

  // The same by the others alone, where SparseSearch pays.
  bool search_sparse(ColumnSearch<O>& at_hand, const SearchedColumn& column,
                     const OthersOfNode<O>& others) {
    const auto of_group = [](std::uint32_t code) { return CodeOfRow{code, 0}; };
    if (!sparse_.search(at_hand, others, gap_between(column, of_group))) return false;
    describe(column, of_group, at_hand.best);
    return true;
  }

  // The same in one pass over the column, for nodes that are large for it. Finds out by itself
  // whether the codes are constant.
  static bool one_pass_pays(const ColumnSearch<O>& at_hand, const SearchedColumn& column) {
    if (column.kind == SearchedColumn::Kind::ranks) return false;
    return at_hand.one_narrow_pass_pays(column.span, at_hand.node.items.size()) ||
           histogram_pays(at_hand, column.span.known);
  }
  bool search_in_one_pass(ColumnSearch<O>& at_hand, const SearchedColumn& column,
                          std::span<const SampleId> rows) {
    at_hand.fill_from(column.span, rows);
    if (at_hand.constant) return false;
    return search_histogram(at_hand, column, column.span.known, [](std::uint32_t code) {
      return CodeOfRow{code, 0};
    });
  }

  // Thresholds drawn from the values of the node. REQUIRES: the values are gathered and not
  // constant.
  bool search_random_cuts(ColumnSearch<O>& at_hand, const SearchedColumn& column,
                          RandomStream random) {
    const auto cuts =
        cuts_.between_values(column, at_hand.values, at_hand.limits.random_thresholds, random);
    const std::optional<float> cut = at_hand.scan_cuts(cuts, random);
    if (!cut) return false;
    if (*cut == -INFINITY) {
      at_hand.best.cut_off_missing();
    } else {
      at_hand.best.cut_at(*cut);
    }
    return true;
  }

 private:
  template <class OfGroup>
  bool search_histogram(ColumnSearch<O>& at_hand, const SearchedColumn& column, std::size_t bins,
                        OfGroup&& of_group) {
    if (!at_hand.scan_bins(bins, gap_between(column, of_group))) return false;
    describe(column, of_group, at_hand.best);
    return true;
  }

  template <class OfGroup>
  bool search_sorted(ColumnSearch<O>& at_hand, const SearchedColumn& column, OfGroup&& of_group) {
    if (!at_hand.scan_sorted(gap_between(column, of_group))) return false;
    describe(column, of_group, at_hand.best);
    return true;
  }

  template <class OfGroup>
  static auto gap_between(const SearchedColumn& column, OfGroup& of_group) {
    return [&](const Boundary& boundary) {
      return boundary.first_right == Boundary::kNone
                 ? 0
                 : column.gap(of_group(boundary.last_left), of_group(boundary.first_right));
    };
  }

  template <class OfGroup>
  static void describe(const SearchedColumn& column, OfGroup& of_group, BestSplit& best) {
    if (best.boundary.first_right == Boundary::kNone) {
      best.cut_off_missing();
    } else {
      best.cut_between(column, of_group(best.boundary.last_left),
                       of_group(best.boundary.first_right));
    }
  }

  // Clearing and scanning bins against sorting samples, in units of one addition. Both find the
  // same boundary.
  static bool histogram_pays(const ColumnSearch<O>& at_hand, std::size_t bins) {
    const std::size_t per_bin = 8 + at_hand.objective.statistics_size();
    return bins * per_bin < 8 * at_hand.node.items.size();
  }

  RandomCuts cuts_;
  SparseSearch<O> sparse_;
};

}  // namespace coppice
