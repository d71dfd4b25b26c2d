// Columns in which one code is so common that the others are few: only these are looked at, in the
// cheapest of three ways. All find the same boundary.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "split/column_search.h"
#include "split/sorted_others.h"
#include "split/sparse_histogram.h"

namespace coppice {

template <Objective O>
class SparseSearch {
 public:
  static bool pays(const ColumnSearch<O>& at_hand, const SearchedColumn& column) {
    constexpr std::size_t kMostStatistics = 1024;  // bins stay in the cache
    // Objectives that look at nodes know samples by their place in it, not by their row.
    return !LooksAtNodes<O> && at_hand.objective.statistics_size() <= kMostStatistics &&
           column.column.common != CodedColumn::kNone && !column.span.has_missing &&
           !column.copied && column.span.known <= 256 &&
           column.column.binned() == (column.kind == SearchedColumn::Kind::bins);
  }

  // Whether a boundary between two codes beats the best one so far; a group is a code. Finds out by
  // itself whether the codes are constant.
  template <class GapOf>
  bool search(ColumnSearch<O>& at_hand, const OthersOfNode<O>& others, GapOf&& gap_of) {
    at_hand.missing = 0;
    at_hand.constant = others.rows.empty();
    if (at_hand.constant) return false;
    if (at_hand.narrow_pays(others.span.known, others.rows.size())) {
      fill_narrow(at_hand, others);
      return !at_hand.constant && at_hand.scan_bins(others.span.known, gap_of);
    }
    if (SortedOthers<O>::pays(others.rows.size())) {
      at_hand.constant = sorted_.take(at_hand.objective, at_hand.node, others);
      return !at_hand.constant &&
             at_hand.scan_known(typename SortedOthers<O>::Cursor(sorted_, others.common), gap_of);
    }
    fill_marked(at_hand, others);
    if (at_hand.constant) return false;
    const bool found = at_hand.scan_known(MarkedCursor<O>(marked_), gap_of);
    marked_.clear();
    return found;
  }

 private:
  void fill_narrow(ColumnSearch<O>& at_hand, const OthersOfNode<O>& others) {
    if constexpr (CountsNarrowly<O>) {
      NarrowBins& bins = at_hand.begin_narrow(others.span.known);
      others.span.visit([&](const auto codes) {
        for (const SampleId row : others.rows) bins.add(codes[row], others.items[row]);
        bins.add_rest(others.common, at_hand.node.sums);
        at_hand.constant = bins.weight(codes[others.rows[0]]) == at_hand.weight();
      });
    }
  }

  // The codes are gathered first: what is read of each row then comes without waiting for the last.
  void fill_marked(ColumnSearch<O>& at_hand, const OthersOfNode<O>& others) {
    const O& objective = at_hand.objective;
    const std::span<const SampleId> rows = others.rows;
    codes_.resize(std::max(codes_.size(), rows.size()));
    others.span.visit([&](const auto codes) {
      for (std::size_t k = 0; k < rows.size(); ++k) codes_[k] = codes[rows[k]];
    });
    marked_.begin(others.span.known, objective.statistics_size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      marked_.add(objective, codes_[k], others.items[rows[k]]);
    if (!at_hand.unit_weights)
      for (std::size_t k = 0; k < rows.size(); ++k) marked_.count(codes_[k], others.draws[rows[k]]);
    at_hand.constant = marked_.finish(objective, others.common, at_hand.node.sums,
                                      at_hand.node.samples, at_hand.unit_weights);
  }

  SortedOthers<O> sorted_;
  SparseHistogram<O> marked_;
  std::vector<std::uint32_t> codes_;
};

}  // namespace coppice
