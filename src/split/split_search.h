// The only place where candidates are compared; one instance per objective, shared by every task.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "split/category_order.h"
#include "split/groups.h"
#include "split/node_splitter.h"
#include "split/present_categories.h"
#include "split/random_cuts.h"
#include "split/scan.h"
#include "split/weak_learner.h"

namespace coppice {

struct SearchLimits {
  std::uint32_t min_child_samples = 1;
  std::uint32_t random_thresholds = 0;  // per candidate; 0: every boundary between two codes
  std::uint32_t max_node_samples = UINT32_MAX;  // larger nodes are searched on a random subset
};

template <Objective O>
class SplitSearch final : public NodeSplitter {
 public:
  using Sum = typename O::Sum;
  using Item = typename O::Item;

  // Weights are units per row (see FixedPointWeights).
  SplitSearch(const CodedColumns& columns, O objective, std::span<const std::uint32_t> weights,
              std::unique_ptr<WeakLearner> learner, SearchLimits limits)
      : columns_(columns),
        objective_(objective),
        weights_(weights),
        learner_(std::move(learner)),
        limits_(limits),
        running_(objective_),
        parent_(objective_.statistics_size()) {}

  std::optional<ChosenSplit> best_split(const NodeSamples& node, RandomStream random) override {
    const std::span<const SampleId> rows = searched_rows(node, random.child(kSubset));
    load(rows, node.draws);
    if (pure()) return std::nullopt;
    learner_->begin(node, random.child(kProjections));
    best_ = ChosenSplit{};
    double best_cost = std::numeric_limits<double>::infinity();
    std::size_t tried = 0;
    // A constant feature counts as tried, but the search does not end on constants alone.
    for (bool splittable = false; tried < learner_->candidates() || !splittable; ++tried) {
      const std::optional<Projection> projection = learner_->propose();
      if (!projection) break;
      const CodedColumn& column = columns_.column(projection->feature);
      codes_.gather(column, rows);
      if (codes_.constant()) continue;
      splittable = true;
      search_column(column, projection->feature, random.child(kThresholds).child(tried), best_cost);
    }
    if (!std::isfinite(best_cost)) return std::nullopt;
    const double searched_share =
        static_cast<double>(rows.size()) / static_cast<double>(node.rows.size());
    best_.gain = (objective_.cost(parent_.data()) - best_cost) / searched_share;
    best_.node_weight = static_cast<double>(node_weight_) / searched_share;
    return best_;
  }

 private:
  // Purposes of the node's random streams.
  enum Stream : std::uint64_t { kSubset = 2, kProjections = 3, kThresholds = 4 };

  // The node's rows, or a random subset of them in the same order (selection sampling).
  std::span<const SampleId> searched_rows(const NodeSamples& node, RandomStream random) {
    if (node.rows.size() <= limits_.max_node_samples) return node.rows;
    subset_.clear();
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const auto left = static_cast<std::uint32_t>(node.rows.size() - i);
      if (random.below(left) < limits_.max_node_samples - subset_.size())
        subset_.push_back(node.rows[i]);
    }
    return subset_;
  }

  void load(std::span<const SampleId> rows, const std::uint16_t* draws) {
    items_.clear();
    draws_.clear();
    std::fill(parent_.begin(), parent_.end(), Sum{0});
    samples_ = 0;
    node_weight_ = 0;
    for (const SampleId row : rows) {
      const std::uint32_t weight = weights_[row] * draws[row];
      items_.push_back(objective_.item(row, weight));
      draws_.push_back(draws[row]);
      objective_.add(parent_.data(), items_.back());
      samples_ += draws[row];
      node_weight_ += weight;
    }
  }

  bool pure() const {
    return std::all_of(items_.begin(), items_.end(),
                       [&](const Item& item) { return objective_.alike(item, items_.front()); });
  }

  void search_column(const CodedColumn& column, std::uint32_t feature, RandomStream random,
                     double& best_cost) {
    const bool found = column.kind == FeatureKind::categorical
                           ? search_categories(random, best_cost)
                           : search_numbers(column, random, best_cost);
    if (found) best_.feature = feature;
  }

  // --- Numbers ---

  bool search_numbers(const CodedColumn& column, RandomStream random, double& best_cost) {
    if (limits_.random_thresholds > 0 && codes_.least < codes_.most)
      return search_random_cuts(column, random, best_cost);
    const std::size_t bins = std::size_t{codes_.most} - codes_.least + 1;
    Boundary boundary{.cost = best_cost};
    if (histogram_pays(bins)) {
      fill_histogram(bins, [&](std::uint32_t code) { return code - codes_.least; });
      scan_all(BinCursor<O>(histogram_, bins), histogram_.bin(bins), boundary);
      offset_groups(boundary, codes_.least);
    } else {
      const auto sorted = sorted_.sort(codes_);
      scan_all(RunCursor<O>(sorted, items_, draws_), sum_missing(), boundary);
    }
    if (!boundary.found()) return false;
    if (boundary.first_right == Boundary::kNone && !bounded(column)) return false;
    best_cost = boundary.cost;
    best_.cut = boundary.last_left + 1;
    best_.threshold = threshold_between(column, boundary);
    finish(boundary);
    return true;
  }

  bool search_random_cuts(const CodedColumn& column, RandomStream random, double& best_cost) {
    const auto cuts = cuts_.between_values(column, codes_, limits_.random_thresholds, random);
    const std::size_t bins = cuts.size() + 1;
    fill_histogram(bins, [&](std::uint32_t code) {
      std::uint32_t bin = 0;
      while (bin < cuts.size() && cuts[bin].first_right <= code) ++bin;
      return bin;
    });
    Boundary boundary{.cost = best_cost};
    scan_all(BinCursor<O>(histogram_, bins), histogram_.bin(bins), boundary);
    if (!boundary.found()) return false;
    const bool all_known_left = boundary.last_left == cuts.size();
    if (all_known_left && !bounded(column)) return false;
    best_cost = boundary.cost;
    best_.cut = all_known_left ? codes_.missing_code : cuts[boundary.last_left].first_right;
    best_.threshold = all_known_left ? INFINITY : cuts[boundary.last_left].threshold;
    finish(boundary);
    return true;
  }

  // Else no threshold has all known values of the node on its left.
  bool bounded(const CodedColumn& column) const { return column.high(codes_.most) < INFINITY; }

  // Half way between the neighbours, or the right one where no float lies between.
  static float threshold_between(const CodedColumn& column, const Boundary& boundary) {
    if (boundary.first_right == Boundary::kNone) return INFINITY;
    const float left = column.high(boundary.last_left), right = column.low(boundary.first_right);
    const float middle = left / 2 + right / 2;
    return middle > left && middle <= right ? middle : right;
  }

  // --- Categories ---

  bool search_categories(RandomStream random, double& best_cost) {
    present_.find(codes_);
    const std::size_t groups = present_.codes().size();
    fill_histogram(groups, [&](std::uint32_t code) { return present_.number(code); });
    Boundary boundary{.cost = best_cost};
    if (limits_.random_thresholds > 0 && groups > 1) {
      const auto group_of = cuts_.between_categories(groups, limits_.random_thresholds, random);
      fill_histogram(cuts_.category_groups(),
                     [&](std::uint32_t code) { return group_of[present_.number(code)]; });
      scan_all(BinCursor<O>(histogram_, cuts_.category_groups()),
               histogram_.bin(cuts_.category_groups()), boundary);
      if (!boundary.found()) return false;
      keep_categories(boundary, [&](std::uint32_t group) {
        return group_of[group] <= boundary.last_left;
      });
    } else {
      const auto order = order_categories(groups);
      scan_all(OrderCursor<O>(histogram_, order), histogram_.bin(groups), boundary);
      if (!boundary.found()) return false;
      left_groups_.assign(groups, false);
      for (std::uint32_t place = 0; place <= boundary.last_left; ++place)
        left_groups_[order[place]] = true;
      keep_categories(boundary, [&](std::uint32_t group) { return left_groups_[group]; });
    }
    best_cost = boundary.cost;
    return true;
  }

  std::span<const std::uint32_t> order_categories(std::size_t groups) {
    const std::size_t size = objective_.mean_size();
    means_.resize(groups * size);
    for (std::size_t g = 0; g < groups; ++g)
      objective_.mean(histogram_.bin(g), means_.data() + g * size);
    return order_.along_main_axis(means_, size, std::span(histogram_.samples).first(groups));
  }

  // Categories that the node did not see go with the missing values.
  template <class GoesLeft>
  void keep_categories(const Boundary& boundary, GoesLeft&& goes_left) {
    finish(boundary);
    const std::size_t words = (std::size_t{codes_.missing_code} + 31) / 32;
    best_.left_categories.assign(words, best_.missing_left ? UINT32_MAX : 0);
    if (codes_.missing_code % 32 != 0)
      best_.left_categories.back() &= (1u << codes_.missing_code % 32) - 1;
    for (std::uint32_t group = 0; group < present_.codes().size(); ++group) {
      const std::uint32_t code = present_.codes()[group], bit = 1u << code % 32;
      std::uint32_t& word = best_.left_categories[code / 32];
      word = goes_left(group) ? word | bit : word & ~bit;
    }
  }

  // --- Shared ---

  // Bins [0, bins) and, behind them, one for the missing values.
  template <class BinOf>
  void fill_histogram(std::size_t bins, BinOf&& bin_of) {
    histogram_.clear(bins + 1, objective_.statistics_size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const std::uint32_t code = codes_.codes[i];
      const std::size_t bin = code == codes_.missing_code ? bins : bin_of(code);
      histogram_.add(objective_, bin, items_[i], draws_[i]);
    }
  }

  const Sum* sum_missing() {
    if (codes_.missing == 0) return nullptr;
    missing_.assign(objective_.statistics_size(), Sum{0});
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (codes_.codes[i] == codes_.missing_code) objective_.add(missing_.data(), items_[i]);
    return missing_.data();
  }

  template <class Cursor>
  void scan_all(const Cursor& cursor, const Sum* missing, Boundary& boundary) {
    ScanSetup<O> setup{.parent = parent_,
                       .samples = samples_,
                       .missing = missing,
                       .min_child_samples = limits_.min_child_samples};
    scan(setup, cursor, false, running_, boundary);
    if (codes_.missing == 0) return;
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (codes_.codes[i] == codes_.missing_code) setup.missing_samples += draws_[i];
    scan(setup, cursor, true, running_, boundary);
  }

  static void offset_groups(Boundary& boundary, std::uint32_t offset) {
    if (boundary.found()) boundary.last_left += offset;
    if (boundary.first_right != Boundary::kNone) boundary.first_right += offset;
  }

  // A value that was never missing here goes the way of the larger child.
  void finish(const Boundary& boundary) {
    best_.left_categories.clear();
    best_.missing_left = codes_.missing > 0 ? boundary.missing_left
                                            : boundary.samples_left >= samples_ - boundary.samples_left;
  }

  // Clearing and scanning bins against sorting samples, in units of one addition.
  bool histogram_pays(std::size_t bins) const {
    const std::size_t samples = items_.size();
    const std::size_t per_bin = 1 + objective_.statistics_size() / 2;
    return bins * per_bin < samples * (2 + static_cast<std::size_t>(std::bit_width(samples)));
  }

  const CodedColumns& columns_;
  O objective_;
  std::span<const std::uint32_t> weights_;
  std::unique_ptr<WeakLearner> learner_;
  SearchLimits limits_;

  // The node at hand.
  std::vector<SampleId> subset_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> draws_;
  RunningSplit<O> running_;
  std::vector<Sum> parent_, missing_;
  std::uint32_t samples_ = 0;
  std::uint64_t node_weight_ = 0;
  ChosenSplit best_;

  // The candidate at hand.
  NodeCodes codes_;
  Histogram<O> histogram_;
  SortedCodes sorted_;
  PresentCategories present_;
  CategoryOrder order_;
  RandomCuts cuts_;
  std::vector<double> means_;
  std::vector<bool> left_groups_;
};

}  // namespace coppice
