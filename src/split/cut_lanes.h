// Extremely randomised splits, one threshold per candidate: up to kLanes candidates of a node are
// drawn, counted and compared side by side. Their values lie row after row, a lane per candidate.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/wide_loops.h"
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
    bool any = false;
    run_loop<Search>(this, &at_hand, &rows, &node, &any);
    if (any) challenge(at_hand);
    return any;
  }

 private:
  struct Lane {
    const CodedColumn* column;
    Strided<float> values;
    std::uint32_t feature;
    std::uint64_t candidate;
  };

  bool varies(std::size_t lane) const { return least_[lane] < most_[lane]; }

  struct Search {
    [[gnu::always_inline]] static void run(CutLanes* lanes, const ColumnSearch<O>* at_hand,
                                           const std::span<const SampleId>* rows,
                                           const RandomStream* node, bool* any) {
      lanes->gather(*rows);
      *any = lanes->draw_cuts(*node);
      if (!*any) return;
      at_hand->unit_weights ? lanes->count_left<false>(*at_hand)
                            : lanes->count_left<true>(*at_hand);
      lanes->sums_.costs(at_hand->objective, at_hand->node.sums, lanes->costs_);
    }
  };

  // The values of all rows, and their range. Lanes that are not in use repeat the first one.
  [[gnu::always_inline]] void gather(std::span<const SampleId> rows) {
    if (values_.size() < rows.size()) values_.resize(rows.size());
    std::array<const float*, kLanes> first;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      first[lane] = lanes_[lane < used_ ? lane : 0].values.first;
    const std::size_t stride = lanes_[0].values.stride;
    Lanes<float>::All least = Lanes<float>::All{} + INFINITY, most = -least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t place = rows[i] * stride;
      const Lanes<float>::All values{first[0][place], first[1][place], first[2][place],
                                     first[3][place], first[4][place], first[5][place],
                                     first[6][place], first[7][place]};
      values_[i].all = values;
      least = values < least ? values : least;
      most = values > most ? values : most;
    }
    std::memcpy(least_.data(), &least, sizeof(least));
    std::memcpy(most_.data(), &most, sizeof(most));
  }

  // False if no lane varies. A lane that does not is cut where nothing lies.
  [[gnu::always_inline]] bool draw_cuts(const RandomStream& node) {
    const RandomStream thresholds = node.child(CandidateRandom::kThresholds);
    bool any = false;
    cuts_ = least_;
    for (std::size_t lane = 0; lane < used_; ++lane) {
      if (!varies(lane)) continue;
      RandomStream random = thresholds.child(lanes_[lane].candidate);
      cuts_[lane] = RandomCuts::between(*lanes_[lane].column, least_[lane], most_[lane], random);
      any = true;
    }
    return any;
  }

  // Samples are counted apart unless they are what weights add up to.
  template <bool count_samples>
  [[gnu::always_inline]] void count_left(const ColumnSearch<O>& at_hand) {
    const LoadedNode<O>& node = at_hand.node;
    sums_.clear(at_hand.objective);
    Lanes<std::uint32_t> samples;
    Lanes<float>::All cuts;
    std::memcpy(&cuts, cuts_.data(), sizeof(cuts));
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const LaneMask left{values_[i].all < cuts};
      sums_.add(at_hand.objective, node.items[i], left);
      if constexpr (count_samples) add_masked(samples, left, node.draws[i]);
    }
    samples_left_ = samples;
  }

  // The first of the cheapest lanes takes the place of the best split so far, if it costs less.
  void challenge(ColumnSearch<O>& at_hand) {
    BestSplit& best = at_hand.best;
    std::size_t winner = kLanes;
    for (std::size_t lane = 0; lane < used_; ++lane) {
      const double bar = winner < kLanes ? costs_[winner] : best.boundary.cost;
      if (varies(lane) && costs_[lane] < bar && leaves_enough(at_hand, lane)) winner = lane;
    }
    if (winner == kLanes) return;
    const Lane& lane = lanes_[winner];
    best.boundary = {costs_[winner], 0, 0, 1, samples_left(at_hand, winner), false};
    best.cut_at(cuts_[winner]);
    best.split.feature = lane.feature;
    best.split.missing_left = goes_missing_left(best.boundary, 0, at_hand.node.samples);
  }
  bool leaves_enough(const ColumnSearch<O>& at_hand, std::size_t lane) {
    const std::uint32_t least = at_hand.limits.min_child_samples;
    if (least <= 1) return true;
    const std::uint32_t left = samples_left(at_hand, lane);
    return std::min(left, at_hand.node.samples - left) >= least;
  }
  std::uint32_t samples_left(const ColumnSearch<O>& at_hand, std::size_t lane) {
    return at_hand.unit_weights ? static_cast<std::uint32_t>(sums_.weight(at_hand.objective, lane))
                                : samples_left_[lane];
  }

  std::array<Lane, kLanes> lanes_;
  std::size_t used_ = 0;
  std::vector<Lanes<float>> values_;  // per row
  std::array<float, kLanes> least_, most_, cuts_;
  Lanes<std::uint32_t> samples_left_;
  LaneSums<O> sums_;
  std::array<double, kLanes> costs_;
};

}  // namespace coppice
