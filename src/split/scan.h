// The one scan: moves the groups of a node from right to left, one after the other, and keeps the
// best boundary between two of them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "split/running_split.h"

namespace coppice {

struct Boundary {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr double kUnknown = -1;

  double cost = std::numeric_limits<double>::max();  // of both children; never infinite
  double gap = 0;  // between the neighbours, as a share of the column's codes; may be kUnknown
  std::uint32_t last_left = kNone;    // group
  std::uint32_t first_right = kNone;  // group, or kNone if the right side is the missing values
  std::uint32_t samples_left = 0;
  bool missing_left = false;
  bool weighed = false;  // samples_left is their weight: nobody has counted them yet

  bool found() const { return last_left != kNone; }
  // Nothing found yet, and only what beats this one will be.
  Boundary challenge() const { return {.cost = cost, .gap = gap}; }
};

// The way of values that are missing: as learnt, or with the larger child (ties to the left) where
// the node had none.
inline bool goes_missing_left(const Boundary& boundary, std::uint32_t missing_rows,
                              std::uint32_t samples) {
  return missing_rows > 0 ? boundary.missing_left
                          : boundary.samples_left >= samples - boundary.samples_left;
}

// Where a scan begins.
struct ScanSetup {
  std::uint32_t samples = 0;  // of the node
  std::uint32_t min_child_samples = 1;
  std::uint32_t samples_left = 0;  // that are on the left from the beginning
  bool missing_left = false;       // these are the missing values; else they are on the right
};

// Of two boundaries that cost the same, the wider gap is the safer bet on values between the
// neighbours; a full tie keeps the earlier one. Gaps are only looked up for ties.
template <class GapOf>
void keep_better(const Boundary& trial, Boundary& best, GapOf&& gap_of) {
  if (trial.cost < best.cost) {
    best = trial;
  } else if (trial.cost == best.cost) {
    if (best.gap == Boundary::kUnknown) best.gap = gap_of(best);
    const double gap = gap_of(trial);
    if (gap <= best.gap) return;
    best = trial;
    best.gap = gap;
  }
}

// The split has on its left what the setup says; gap_of(boundary) says how far its neighbours are
// apart.
template <class Split, class Cursor, class GapOf>
void scan(const ScanSetup& setup, Split split, Cursor cursor, Boundary& best, GapOf&& gap_of) {
  split.set_bar(best.cost);
  std::uint32_t left = setup.samples_left;
  // A boundary is kept back until the group on its right is known.
  Boundary trial;
  const auto settle = [&](std::uint32_t first_right) {
    trial.first_right = first_right;
    keep_better(trial, best, gap_of);
    split.set_bar(best.cost);
    trial.last_left = Boundary::kNone;
  };
  while (cursor.next(split)) {
    if (trial.found() && cursor.samples() > 0) settle(cursor.group());
    left += cursor.samples();
    if (left < setup.min_child_samples) continue;
    if (setup.samples - left < setup.min_child_samples) break;
    if (!split.may_clear_bar() || !cursor.ends_group()) continue;
    const double cost = split.children_cost();
    if (cost > best.cost) continue;
    trial = {cost, Boundary::kUnknown, cursor.group(), Boundary::kNone, left, setup.missing_left};
  }
  if (trial.found()) settle(Boundary::kNone);
}

}  // namespace coppice
