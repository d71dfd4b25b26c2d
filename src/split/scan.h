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

  double cost = std::numeric_limits<double>::infinity();  // of both children
  double gap = 0;                     // between the neighbours, as a share of the column's codes
  std::uint32_t last_left = kNone;    // group
  std::uint32_t first_right = kNone;  // group, or kNone if the right side is the missing values
  std::uint32_t samples_left = 0;
  bool missing_left = false;

  bool found() const { return last_left != kNone; }
  // Of two that cost the same, the wider gap is the safer bet on values between the neighbours.
  // A full tie keeps the earlier one.
  bool beats(const Boundary& other) const {
    return cost < other.cost || (cost == other.cost && gap > other.gap);
  }
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

template <Objective O>
struct ScanSetup {
  std::span<const typename O::Sum> parent;
  std::uint32_t samples = 0;                 // of the node
  const typename O::Sum* missing = nullptr;  // sums of the samples without a value
  std::uint32_t missing_samples = 0;
  std::uint32_t min_child_samples = 1;
  double gap_unit = 0;  // the share of one code; 0 if the groups have no distances
};

// Scans once, with the missing values on the right or, if `missing_left`, on the left.
template <Objective O, class Cursor>
void scan(const ScanSetup<O>& setup, Cursor cursor, bool missing_left, RunningSplit<O>& split,
          Boundary& best) {
  split.start(setup.parent);
  std::uint32_t left = 0;
  if (missing_left) {
    split.move(setup.missing);
    left = setup.missing_samples;
  }
  // The last boundary, until the group on its right is known.
  double cost = std::numeric_limits<double>::infinity();
  std::uint32_t last_left = Boundary::kNone, samples_left = 0;
  const auto settle = [&](std::uint32_t first_right) {
    const double gap = first_right == Boundary::kNone
                           ? 0
                           : setup.gap_unit * static_cast<double>(first_right - last_left);
    const Boundary trial{cost, gap, last_left, first_right, samples_left, missing_left};
    if (trial.beats(best)) best = trial;
  };
  while (cursor.next(split)) {
    if (cost <= best.cost && last_left != Boundary::kNone) settle(cursor.group());
    left += cursor.samples();
    last_left = Boundary::kNone;
    if (left < setup.min_child_samples) continue;
    if (setup.samples - left < setup.min_child_samples) break;
    cost = split.children_cost();
    last_left = cursor.group();
    samples_left = left;
  }
  if (last_left != Boundary::kNone) settle(Boundary::kNone);
}

}  // namespace coppice
