// Samples of a node in groups that a split cannot separate: the bins of a histogram, or the runs
// of a sorted list. A cursor walks over the groups in the order in which they move to the left, in
// steps: a bin, which may be empty, or a row. Whether a step ends a group is asked about the few
// steps that might be a boundary: an unpredictable branch per step would cost more than the step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "split/histogram.h"
#include "split/loaded_node.h"
#include "split/running_split.h"
#include "split/sorted_codes.h"

namespace coppice {

// The bins [0, bins) from left to right.
template <Objective O>
class BinCursor {
 public:
  // Unit weights: every sample weighs one, so the histogram need not count samples.
  BinCursor(const Histogram<O>& histogram, std::size_t bins, bool unit_weights)
      : histogram_(histogram), bins_(bins), unit_weights_(unit_weights) {}

  bool next(RunningSplit<O>& split) {
    if (++position_ >= bins_) return false;
    const std::uint64_t moved = split.move(histogram_.bin(position_));
    samples_ = unit_weights_ ? static_cast<std::uint32_t>(moved) : histogram_.samples[position_];
    return true;
  }
  bool ends_group() const { return samples_ > 0; }
  std::uint32_t group() const { return static_cast<std::uint32_t>(position_); }
  std::uint32_t samples() const { return samples_; }

 private:
  const Histogram<O>& histogram_;
  std::size_t bins_, position_ = SIZE_MAX;
  std::uint32_t samples_ = 0;
  bool unit_weights_;
};

// The bins in a given order, such as that of categories; none is empty. A group is a place in it.
template <Objective O>
class OrderCursor {
 public:
  OrderCursor(const Histogram<O>& histogram, std::span<const std::uint32_t> order)
      : histogram_(histogram), order_(order) {}

  bool next(RunningSplit<O>& split) {
    if (++place_ >= order_.size()) return false;
    split.move(histogram_.bin(order_[place_]));
    return true;
  }
  bool ends_group() const { return true; }
  std::uint32_t group() const { return static_cast<std::uint32_t>(place_); }
  std::uint32_t samples() const { return histogram_.samples[order_[place_]]; }

 private:
  const Histogram<O>& histogram_;
  std::span<const std::uint32_t> order_;
  std::size_t place_ = SIZE_MAX;
};

// Sorted rows, in runs of equal codes. A group is the place of one of its rows.
template <Objective O>
class RunCursor {
 public:
  RunCursor(std::span<const std::uint32_t> order, const NodeCodes& node,
            const LoadedNode<O>& loaded)
      : order_(order),
        codes_(node.codes.data()),
        items_(loaded.items.data()),
        draws_(loaded.draws.data()) {}

  bool next(RunningSplit<O>& split) {
    if (++place_ >= order_.size()) return false;
    const std::uint32_t position = order_[place_];
    split.move(items_[position]);
    samples_ = draws_[position];
    return true;
  }
  bool ends_group() const {
    return place_ + 1 == order_.size() || codes_[order_[place_]] != codes_[order_[place_ + 1]];
  }
  std::uint32_t group() const { return static_cast<std::uint32_t>(place_); }
  std::uint32_t samples() const { return samples_; }

 private:
  std::span<const std::uint32_t> order_;
  const std::uint32_t* codes_;
  const typename O::Item* items_;
  const std::uint32_t* draws_;
  std::size_t place_ = SIZE_MAX;
  std::uint32_t samples_ = 0;
};

}  // namespace coppice
