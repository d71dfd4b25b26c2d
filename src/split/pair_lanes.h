// Exact splits of nodes of few rows and little weight: up to kLanes candidates are searched side by
// side, by all pairs of rows. Nothing is sorted, and what is found is what a scan would find.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "split/class_pairs.h"
#include "split/column_search.h"
#include "split/narrow_bins.h"
#include "split/number_pairs.h"
#include "split/row_copies.h"
#include "split/searched_column.h"

namespace coppice {

// Objectives of one number: an item has a target and a weight, and cost - (sum w y)^2 / sum w, up
// to a factor.
template <class O>
concept AveragesOneNumber = requires {
  requires O::kOneNumber;
};

template <class O>
concept TriesPairs = CountsNarrowly<O> || AveragesOneNumber<O>;

// Of other objectives none is searched so.
template <Objective O>
class PairLanes {};

template <Objective O>
requires TriesPairs<O>
class PairLanes<O> {
 public:
  // Whether it suits the loaded node, and beats sorting and scanning candidate by candidate: its
  // time grows with the square of the rows, but hardly with the lanes in use.
  static bool pays(const ColumnSearch<O>& at_hand, std::size_t candidates) {
    const std::size_t lanes = std::min(candidates, kLanes);
    static_assert(kLanes * kLanes <= PairCodes::kMostRows);
    return at_hand.node.items.size() <= lanes * lanes && at_hand.unit_weights &&
           at_hand.node.samples <= PairCodes::kMostWeight;
  }

  // False if it does not pay, or the node has to be searched otherwise after all. The rows are
  // those of the node.
  bool begin_node(const ColumnSearch<O>& at_hand, std::span<const SampleId> rows,
                  std::size_t candidates) {
    highest_ = -1;
    return pays(at_hand, candidates) &&
           trials_.begin(std::span<const typename O::Item>(at_hand.node.items),
                         std::span<const typename O::Sum>(at_hand.node.sums),
                         [&](std::size_t place, std::size_t i) { rows_[place] = rows[i]; });
  }

  bool full() const { return used_ == kLanes; }
  bool empty() const { return used_ == 0; }

  // The feature as the copies have it; false if the column does not suit. REQUIRES: not full.
  bool add(std::uint32_t feature, const RowCopies<O>& copies) {
    const SearchedColumn column = copies.seen(feature, trials_.count());
    if (!suits(column)) return false;
    column.span.visit([&](const auto codes) {
      for (std::size_t i = 0; i < trials_.count(); ++i) trials_.set_code(i, used_, codes[rows_[i]]);
    });
    if (trials_.count() <= Trials::kTiesAreLikely)
      for (std::size_t i = 0; i < trials_.count(); ++i) column.fetch(copies.row_of_data(rows_[i]));
    features_[used_++] = feature;
    return true;
  }

  // Improves on the best split so far, if any lane can; the lanes are then empty. REQUIRES: not
  // empty.
  void search(ColumnSearch<O>& at_hand, const RowCopies<O>& copies) {
    trials_.run(used_, at_hand.limits.min_child_samples);
    find_ties(at_hand);
    used_ = 0;
    if (ties_.empty()) return;
    BestSplit& best = at_hand.best;
    const auto of_place = [&](std::size_t lane, std::size_t place) {
      return CodeOfRow{trials_.code(place, lane), copies.row_of_data(rows_[place])};
    };
    const auto seen = [&](std::size_t lane) {
      return copies.seen(features_[lane], trials_.count());
    };
    const auto gap_of = [&](const Tie& tie) {
      return seen(tie.lane).gap(of_place(tie.lane, tie.left), of_place(tie.lane, right_of(tie)));
    };
    const bool ties_with_best = cost_ == best.boundary.cost;
    double gap = Boundary::kUnknown;
    if (ties_.size() > 1 || ties_with_best) gap = keep_widest(gap_of);
    if (ties_with_best && gap <= best.gap()) return;
    const auto [lane, left] = ties_.front();
    best.boundary = {cost_, gap, 0, 1, trials_.left(left, lane)};
    best.cut_between(seen(lane), of_place(lane, left), of_place(lane, right_of(ties_.front())));
    best.split.feature = features_[lane];
    best.split.missing_left = goes_missing_left(best.boundary, 0, at_hand.node.samples);
  }

 private:
  static bool suits(const SearchedColumn& column) {
    return column.column.kind == FeatureKind::numeric && !column.span.has_missing &&
           column.span.known <= PairCodes::kMostCodes;
  }

  using Trials = std::conditional_t<CountsNarrowly<O>, ClassPairs, NumberPairs>;

  // A boundary right of this place.
  struct Tie {
    std::uint32_t lane, left;
  };
  std::size_t right_of(const Tie& tie) const { return trials_.next_above(tie.left, tie.lane); }

  // Those that cost the least, if it is not more than the best split so far.
  void find_ties(const ColumnSearch<O>& at_hand) {
    ties_.clear();
    cost_ = at_hand.best.boundary.cost;
    for (std::uint32_t lane = 0; lane < used_; ++lane)
      highest_ = std::max(highest_, trials_.highest(lane));
    if (highest_ < 0) return;
    const float least =
        highest_ - static_cast<float>(Trials::kRounding) * static_cast<float>(at_hand.node.samples);
    for (std::uint32_t lane = 0; lane < used_; ++lane) {
      if (trials_.highest(lane) < least) continue;
      for (std::uint32_t place = 0; place < trials_.count(); ++place)
        if (trials_.score(place, lane) >= least) judge(at_hand.objective, {lane, place});
    }
  }
  void judge(const O& objective, const Tie& trial) {
    const double cost = trials_.cost(objective, trial.left, trial.lane);
    if (cost > cost_) return;
    if (cost < cost_) ties_.clear();
    cost_ = cost;
    const auto is_same = [&](const Tie& tie) {
      return tie.lane == trial.lane && code(tie) == code(trial);
    };
    if (std::none_of(ties_.begin(), ties_.end(), is_same)) ties_.push_back(trial);
  }
  std::uint32_t code(const Tie& tie) const { return trials_.code(tie.left, tie.lane); }

  // Puts the one with the widest gap first, and returns that; of several the first lane, and there
  // the least code.
  template <class GapOf>
  double keep_widest(GapOf&& gap_of) {
    Tie& widest = ties_.front();
    double widest_gap = gap_of(widest);
    for (const Tie& tie : std::span(ties_).subspan(1)) {
      const double gap = gap_of(tie);
      const bool earlier = tie.lane == widest.lane && code(tie) < code(widest);
      if (gap < widest_gap || (gap == widest_gap && !earlier)) continue;
      widest = tie;
      widest_gap = gap;
    }
    return widest_gap;
  }

  Trials trials_;
  float highest_ = -1;                               // score of the node so far; below 0: none
  std::array<SampleId, PairCodes::kMostRows> rows_;  // by place
  std::size_t used_ = 0;
  std::array<std::uint32_t, kLanes> features_;  // by lane
  std::vector<Tie> ties_;                       // lane by lane
  double cost_ = 0;                             // of each
};

}  // namespace coppice
