// Extremely randomised splits, one threshold per candidate: up to kLanes candidates of a node are
// drawn, counted and compared side by side. Their values lie row after row, a lane per candidate.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "split/column_search.h"
#include "split/lane_sums.h"
#include "split/random_cuts.h"

namespace coppice {

template <Objective O>
class CutLanes {
 public:
  void clear() { used_ = 0; }
  bool full() const { return used_ == kLanes; }
  bool empty() const { return used_ == 0; }

  // REQUIRES: not full; a number without missing values. values[row] are its values; their stride
  // is the same in all lanes.
  void add(std::uint32_t feature, const CodedColumn& column, Strided<float> values,
           std::uint64_t candidate) {
    lanes_[used_++] = {&column, values, feature, candidate};
  }

  // Improves on the best split so far, if any lane can; the first of the best ones wins. Returns
  // whether any lane varies in the node.
  bool search(ColumnSearch<O>& at_hand, std::span<const SampleId> rows, const RandomStream& node) {
    gather(rows);
    if (!draw_cuts(node)) return false;
    count_left(at_hand);
    sums_.costs(at_hand.objective, at_hand.node.sums, costs_);
    for (std::size_t lane = 0; lane < used_; ++lane)
      if (varies(lane)) challenge(at_hand, lane);
    return true;
  }

 private:
  struct Lane {
    const CodedColumn* column;
    Strided<float> values;
    std::uint32_t feature;
    std::uint64_t candidate;
  };

  bool varies(std::size_t lane) const { return least_[lane] < most_[lane]; }

  // The values of all rows, and their range. Lanes that are not in use repeat the first one.
  void gather(std::span<const SampleId> rows) {
    if (values_.size() < rows.size()) values_.resize(rows.size());
    std::array<const float*, kLanes> first;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      first[lane] = lanes_[lane < used_ ? lane : 0].values.first;
    const std::size_t stride = lanes_[0].values.stride;
    using Half = Lanes<float>::Half;
    const auto values_at = [&](SampleId row) {
      const std::size_t place = row * stride;
      return Lanes<float>{
          {Half{first[0][place], first[1][place], first[2][place], first[3][place]},
           Half{first[4][place], first[5][place], first[6][place], first[7][place]}}};
    };
    Lanes<float> least = values_at(rows[0]), most = least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Lanes<float> values = values_[i] = values_at(rows[i]);
      for (const std::size_t half : {0, 1}) {
        const Half value = values.halves[half];
        least.halves[half] = value < least.halves[half] ? value : least.halves[half];
        most.halves[half] = value > most.halves[half] ? value : most.halves[half];
      }
    }
    least_ = least, most_ = most;
  }

  // False if no lane varies. A lane that does not is cut where nothing lies.
  bool draw_cuts(const RandomStream& node) {
    const RandomStream thresholds = node.child(CandidateRandom::kThresholds);
    bool any = false;
    cuts_ = least_;
    for (std::size_t lane = 0; lane < used_; ++lane) {
      if (!varies(lane)) continue;
      RandomStream random = thresholds.child(lanes_[lane].candidate);
      cuts_.set(lane, RandomCuts::between(*lanes_[lane].column, least_[lane], most_[lane], random));
      any = true;
    }
    return any;
  }

  void count_left(const ColumnSearch<O>& at_hand) {
    const LoadedNode<O>& node = at_hand.node;
    sums_.clear(at_hand.objective);
    Lanes<std::uint32_t> samples;
    const Lanes<float> cuts = cuts_;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const LaneMask left{
          {values_[i].halves[0] < cuts.halves[0], values_[i].halves[1] < cuts.halves[1]}};
      sums_.add(at_hand.objective, node.items[i], left);
      add_masked(samples, left, node.draws[i]);
    }
    samples_left_ = samples;
  }

  void challenge(ColumnSearch<O>& at_hand, std::size_t lane) {
    const std::uint32_t left = samples_left_[lane], right = at_hand.node.samples - left;
    if (std::min(left, right) < at_hand.limits.min_child_samples) return;
    BestSplit& best = at_hand.best;
    if (costs_[lane] >= best.boundary.cost) return;
    best.boundary = {costs_[lane], 0, 0, 1, left, false};
    best.cut_at({*lanes_[lane].column, {}, SearchedColumn::Kind::values}, cuts_[lane]);
    best.split.feature = lanes_[lane].feature;
    best.split.missing_left = goes_missing_left(best.boundary, 0, at_hand.node.samples);
  }

  std::array<Lane, kLanes> lanes_;
  std::size_t used_ = 0;
  std::vector<Lanes<float>> values_;  // per row
  Lanes<float> least_, most_, cuts_;
  Lanes<std::uint32_t> samples_left_;
  LaneSums<O> sums_;
  std::array<double, kLanes> costs_;
};

}  // namespace coppice
