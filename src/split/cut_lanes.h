// Extremely randomised splits, one threshold per candidate: up to kLanes candidates of a node are
// drawn, counted and compared side by side. Their values lie row after row, a lane per candidate.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/wide_loops.h"
#include "split/column_search.h"
#include "split/lane_sums.h"
#include "split/partition_lane.h"
#include "split/random_cuts.h"
#include "split/value_reads.h"
#include "split/weak_learner.h"

namespace coppice {

// What the lanes of a node look at.
struct LaneRows {
  ValueReads values;
  std::span<const SampleId> rows;
  const RandomStream& random;  // the node's own
};

template <Objective O>
class CutLanes {
 public:
  void begin_node() {
    clear();
    winner_ = kLanes;
  }
  void clear() { used_ = 0; }
  bool full() const { return used_ == kLanes; }
  bool empty() const { return used_ == 0; }

  // REQUIRES: not full; the feature is a number without missing values.
  void add(std::uint32_t feature, std::size_t candidate) {
    features_[used_] = feature;
    candidates_[used_++] = candidate;
  }

  // Improves on the best split so far, if any lane can; the first of the best ones wins. Returns
  // whether any lane varies in the node. REQUIRES: not empty.
  bool search(ColumnSearch<O>& at_hand, const LaneRows& node) {
    bool any = false;
    winner_ = kLanes;
    rows_ = node.rows.size();
    run_loop<Search>(this, &at_hand, &node, &any);
    if (any) challenge(at_hand);
    return any;
  }

  // Tries the learner's proposals: as many as it has candidates, and more while a large node has
  // met nothing but constant ones. REQUIRES: each is such a number.
  void search_all(ColumnSearch<O>& at_hand, WeakLearner& learner, const LaneRows& node) {
    const std::size_t candidates = learner.candidates();
    bool splittable = at_hand.node.samples < SearchLimits::kLargeNode;
    begin_node();
    if (CostsFromZero<O> && node.rows.size() == 2 && splittable)
      return tell_apart(at_hand, learner, node);
    for (std::size_t tried = 0; tried < candidates || !splittable; tried += used_) {
      deal(learner, tried < candidates ? candidates - tried : 1, tried);
      if (empty()) return;
      splittable |= search(at_hand, node);
    }
  }

  // Whether the split is one that the last search of the node has found, in so many rows.
  bool found(const ChosenSplit& split, std::size_t rows) const {
    return winner_ < kLanes && rows == rows_ && split.feature == features_[winner_] &&
           split.threshold == cuts_[winner_];
  }
  // Of the rows of that search, whose values are at hand. REQUIRES: found().
  std::size_t partition(std::span<SampleId> rows, std::vector<SampleId>& right) const {
    return partition_by_lane(rows, right, values_.data(), winner_, cuts_[winner_]);
  }

 private:
  // The two rows of a node: the first candidate that varies, and costs nothing, is as good as any.
  void tell_apart(ColumnSearch<O>& at_hand, WeakLearner& learner, const LaneRows& node) {
    const auto& items = at_hand.node.items;
    const auto& draws = at_hand.node.draws;
    const RandomStream thresholds = node.random.child(CandidateRandom::kThresholds);
    for (std::size_t tried = 0; tried < learner.candidates(); ++tried) {
      std::uint32_t feature;
      if (learner.propose_features({&feature, 1}) == 0) return;
      const Strided<float> values = node.values.of(feature);
      const float one = values[node.rows[0]], other = values[node.rows[1]];
      if (one == other) continue;
      RandomStream random = thresholds.child(tried);
      const float cut = RandomCuts::between(node.values.column(feature), std::min(one, other),
                                            std::max(one, other), random);
      const std::size_t left = one < other ? 0 : 1;
      const double cost = std::min(draws[0], draws[1]) < at_hand.limits.min_child_samples
                              ? INFINITY
                              : cost_apart(at_hand.objective, items[left], items[1 - left]);
      if (!(cost < at_hand.best.boundary.cost)) continue;
      take(at_hand, feature, cut, {cost, 0, 0, 1, draws[left], false});
      if (cost == 0) return;
    }
  }
  double cost_apart(const O& objective, const typename O::Item& left,
                    const typename O::Item& right) {
    const std::size_t size = objective.statistics_size();
    of_two_.assign(2 * size, 0);
    objective.add(of_two_.data(), left);
    objective.add(of_two_.data() + size, right);
    return children_cost(objective, of_two_.data(), of_two_.data() + size);
  }

  // The learner's next features, at most so many, as candidates from `first` on.
  void deal(WeakLearner& learner, std::size_t most, std::size_t first) {
    used_ = learner.propose_features(std::span(features_).first(std::min(most, kLanes)));
    for (std::size_t lane = 0; lane < used_; ++lane) candidates_[lane] = first + lane;
  }

  bool varies(std::size_t lane) const { return least_[lane] < most_[lane]; }

  struct Search {
    [[gnu::always_inline]] static void run(CutLanes* lanes, const ColumnSearch<O>* at_hand,
                                           const LaneRows* node, bool* any) {
      lanes->gather(node->values, node->rows);
      *any = lanes->draw_cuts(node->values, node->random);
      if (!*any) return;
      at_hand->unit_weights ? lanes->count_left<false>(*at_hand)
                            : lanes->count_left<true>(*at_hand);
      lanes->sums_.costs(at_hand->objective, at_hand->node.sums, lanes->costs_);
      if (at_hand->limits.min_child_samples > 1) lanes->bar_small_sides(*at_hand);
    }
  };

  // The values of all rows, and their range. Lanes that are not in use repeat the first one.
  [[gnu::always_inline]] void gather(const ValueReads& reads, std::span<const SampleId> rows) {
    if (values_.size() < rows.size()) values_.resize(rows.size());
    std::array<const float*, kLanes> first;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      first[lane] = reads.first_of(features_[lane < used_ ? lane : 0]);
    const std::size_t stride = reads.stride();
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
  [[gnu::always_inline]] bool draw_cuts(const ValueReads& reads, const RandomStream& node) {
    const RandomStream thresholds = node.child(CandidateRandom::kThresholds);
    bool any = false;
    cuts_ = least_;
    for (std::size_t lane = 0; lane < used_; ++lane) {
      if (!varies(lane)) continue;
      RandomStream random = thresholds.child(candidates_[lane]);
      cuts_[lane] =
          RandomCuts::between(reads.column(features_[lane]), least_[lane], most_[lane], random);
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

  // Lanes that leave too few samples on a side cost too much; one that varies leaves some on both.
  [[gnu::always_inline]] void bar_small_sides(const ColumnSearch<O>& at_hand) {
    for (std::size_t lane = 0; lane < used_; ++lane) {
      const std::uint32_t left = samples_left(at_hand, lane);
      const bool enough =
          std::min(left, at_hand.node.samples - left) >= at_hand.limits.min_child_samples;
      costs_[lane] = enough ? costs_[lane] : INFINITY;
    }
  }

  // The first of the cheapest lanes takes the place of the best split so far, if it costs less.
  void challenge(ColumnSearch<O>& at_hand) {
    std::size_t winner = kLanes;
    double bar = at_hand.best.boundary.cost;
    for (std::size_t lane = 0; lane < used_; ++lane) {
      const bool wins = costs_[lane] < bar && varies(lane);
      winner = wins ? lane : winner;
      bar = wins ? costs_[lane] : bar;
    }
    if (winner == kLanes) return;
    winner_ = winner;
    take(at_hand, features_[winner], cuts_[winner],
         {bar, 0, 0, 1, samples_left(at_hand, winner), false});
  }
  static void take(ColumnSearch<O>& at_hand, std::uint32_t feature, float cut,
                   const Boundary& boundary) {
    BestSplit& best = at_hand.best;
    best.boundary = boundary;
    best.cut_at(cut);
    best.split.feature = feature;
    best.split.missing_left = goes_missing_left(boundary, 0, at_hand.node.samples);
  }
  std::uint32_t samples_left(const ColumnSearch<O>& at_hand, std::size_t lane) const {
    return at_hand.unit_weights ? static_cast<std::uint32_t>(sums_.weight(lane))
                                : samples_left_[lane];
  }

  std::size_t used_ = 0;
  std::size_t winner_ = kLanes, rows_ = 0;      // of the last search; kLanes: none
  std::array<std::uint32_t, kLanes> features_;  // by lane
  std::array<std::size_t, kLanes> candidates_;  // by lane: which one of the node it is
  std::vector<Lanes<float>> values_;            // per row
  std::array<float, kLanes> least_, most_, cuts_;
  Lanes<std::uint32_t> samples_left_;
  LaneSums<O> sums_;
  std::array<double, kLanes> costs_;
  std::vector<typename O::Sum> of_two_;  // scratch: the sums of either of two rows
};

}  // namespace coppice
