// The one scan: moves the groups of a node from right to left, one after the other, and keeps the
// boundary with the least cost.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "split/running_split.h"

namespace coppice {

struct Boundary {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  double cost = std::numeric_limits<double>::infinity();  // of both children
  std::uint32_t last_left = kNone;                         // group
  std::uint32_t first_right = kNone;  // group, or kNone if the right side is the missing values
  std::uint32_t samples_left = 0;
  bool missing_left = false;

  bool found() const { return last_left != kNone; }
};

template <Objective O>
struct ScanSetup {
  std::span<const typename O::Sum> parent;
  std::uint32_t samples = 0;                          // of the node
  const typename O::Sum* missing = nullptr;           // sums of the samples without a value
  std::uint32_t missing_samples = 0;
  std::uint32_t min_child_samples = 1;
};

// Scans once with the missing values on the right and, if `missing_left`, on the left from the
// start. A later boundary replaces `best` only if it costs less: ties keep the earlier one.
template <Objective O, class Cursor>
void scan(const ScanSetup<O>& setup, Cursor cursor, bool missing_left, RunningSplit<O>& split,
          Boundary& best) {
  split.start(setup.parent);
  std::uint32_t left = 0;
  if (missing_left) {
    split.move(setup.missing);
    left = setup.missing_samples;
  }
  bool neighbour_wanted = false;
  while (cursor.next(split)) {
    if (neighbour_wanted) best.first_right = cursor.group();
    neighbour_wanted = false;
    left += cursor.samples();
    if (left < setup.min_child_samples) continue;
    if (setup.samples - left < setup.min_child_samples) break;
    const double cost = split.children_cost();
    if (cost >= best.cost) continue;
    best = {cost, cursor.group(), Boundary::kNone, left, missing_left};
    neighbour_wanted = true;
  }
}

}  // namespace coppice
