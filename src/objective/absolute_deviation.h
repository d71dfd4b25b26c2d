// Regression: cost(S) = sum over targets of sum w |y - median(S)|, robust where a variance follows
// its outliers.
//
// The sums of a set hold, per target, two Fenwick trees over the ranks of the node's target values:
// weights and weighted values. A sample is added in O(log ranks), and the median and the deviation
// of either side of a split are found in O(log ranks): n log n for a column of n samples, after a
// sort. Sums are whole numbers and exact. In a node of more than kMostRanks different values only
// so many of them, evenly spread, are candidates for the median.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "data/fixed_point.h"
#include "objective/node_item.h"
#include "objective/objective.h"
#include "split/running_split.h"

namespace coppice {

class AbsoluteDeviation {
 public:
  static constexpr std::size_t kMostRanks = 4096;

  using Item = NodeItem;
  // [ sum w | sum w y_k | per target: a tree of w, a tree of w y ]; entry r of a tree is at r - 1
  using Sum = std::int64_t;

  explicit AbsoluteDeviation(const FixedPointTargets& targets)
      : targets_(targets), trees_(targets.outputs()) {}

  void begin_node(std::span<Item> items) {
    number_items(items);
    size_ = 1 + outputs();
    for (std::size_t k = 0; k < outputs(); ++k) rank_output(items, k);
  }

  std::size_t statistics_size() const { return size_; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {row, weight}; }
  void add(Sum* sums, const Item& item) const {
    for_each_sum(item, [&](std::size_t at, Sum value) { sums[at] += value; });
  }
  void add_to_lanes(Lanes<Sum>* sums, const Item& item, const LaneMask& mask) const {
    for_each_sum(item, [&](std::size_t at, Sum value) { add_masked(sums[at], mask, value); });
  }
  bool alike(const Item& a, const Item& b) const { return targets_.same_row(a.row, b.row); }
  std::uint64_t weight(const Sum* sums) const { return static_cast<std::uint64_t>(sums[0]); }

  double cost(const Sum* sums) const {
    return cost_of([&](std::size_t at) { return sums[at]; });
  }
  // sum_at(i) is entry i of the sums.
  template <class SumAt>
  double cost_of(SumAt&& sum_at) const {
    double cost = 0;
    for (std::size_t k = 0; k < outputs(); ++k)
      cost += static_cast<double>(deviation(sum_at, k)) * targets_.unit(k);
    return cost;
  }

  std::size_t mean_size() const { return outputs(); }
  void mean(const Sum* sums, double* point) const {
    for (std::size_t k = 0; k < outputs(); ++k)
      point[k] = static_cast<double>(sums[1 + k]) / static_cast<double>(sums[0]) * targets_.unit(k);
  }

 private:
  // The two trees of a target.
  struct Trees {
    std::size_t first = 0;             // of their entries in the sums
    std::vector<std::int64_t> values;  // by rank, ascending
    std::vector<std::uint32_t> ranks;  // by position
    std::size_t ranked() const { return values.size(); }
  };

  std::size_t outputs() const { return targets_.outputs(); }

  void rank_output(std::span<const Item> items, std::size_t k) {
    Trees& trees = trees_[k];
    sorted_.clear();
    for (const Item& item : items) sorted_.push_back(targets_.value(item.row, k));
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    // Of many values, each group of neighbours is named by its last one.
    const std::size_t ranks = std::min(sorted_.size(), kMostRanks);
    trees.values.clear();
    for (std::size_t r = 1; r <= ranks; ++r)
      trees.values.push_back(sorted_[r * sorted_.size() / ranks - 1]);
    trees.ranks.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      trees.ranks[i] =
          static_cast<std::uint32_t>(std::lower_bound(trees.values.begin(), trees.values.end(),
                                                      targets_.value(items[i].row, k)) -
                                     trees.values.begin());
    trees.first = size_;
    size_ += 2 * ranks;
  }

  template <class Use>
  void for_each_sum(const Item& item, Use&& use) const {
    use(0, Sum{item.weight});
    for (std::size_t k = 0; k < outputs(); ++k) {
      const Trees& trees = trees_[k];
      const Sum weighted = targets_.value(item.row, k) * item.weight;
      use(1 + k, weighted);
      for (std::size_t r = trees.ranks[item.position] + 1; r <= trees.ranked(); r += r & (~r + 1)) {
        use(trees.first + r - 1, Sum{item.weight});
        use(trees.first + trees.ranked() + r - 1, weighted);
      }
    }
  }

  // With m the least ranked value that half of the weight does not exceed:
  // m (weight up to m) - (sum up to m) + (sum above) - m (weight above).
  template <class SumAt>
  std::int64_t deviation(SumAt& sum_at, std::size_t k) const {
    const Trees& trees = trees_[k];
    const Sum total = sum_at(0), sum = sum_at(1 + k);
    if (total == 0) return 0;
    std::size_t below = 0;  // ranks
    Sum weight_below = 0;
    for (std::size_t step = std::bit_floor(trees.ranked()); step > 0; step /= 2) {
      if (below + step > trees.ranked()) continue;
      const Sum weight = weight_below + sum_at(trees.first + below + step - 1);
      if (2 * weight >= total) continue;
      below += step;
      weight_below = weight;
    }
    const Sum median = trees.values[below];
    Sum weight_up_to = 0, sum_up_to = 0;
    for (std::size_t r = below + 1; r > 0; r &= r - 1) {
      weight_up_to += sum_at(trees.first + r - 1);
      sum_up_to += sum_at(trees.first + trees.ranked() + r - 1);
    }
    return median * weight_up_to - sum_up_to + (sum - sum_up_to) - median * (total - weight_up_to);
  }

  const FixedPointTargets& targets_;
  std::vector<Trees> trees_;
  std::size_t size_ = 1;
  std::vector<std::int64_t> sorted_;
};
static_assert(Objective<AbsoluteDeviation> && LooksAtNodes<AbsoluteDeviation>);

// Keeps the left side only: the trees of the right one are differences, looked up where needed.
template <>
class RunningSplit<AbsoluteDeviation> {
 public:
  using Sum = AbsoluteDeviation::Sum;

  struct Start {
    const AbsoluteDeviation& objective;
    std::span<const Sum> parent;
    Start(const AbsoluteDeviation& of, std::span<const Sum> sums) : objective(of), parent(sums) {}
  };
  static std::size_t scratch_size(const AbsoluteDeviation& objective) {
    return objective.statistics_size();
  }

  RunningSplit(const Start& start, std::span<Sum> scratch)
      : objective_(start.objective), parent_(start.parent), left_(scratch) {
    std::fill(left_.begin(), left_.end(), 0);
  }

  void move(const AbsoluteDeviation::Item& item) { objective_.add(left_.data(), item); }
  std::uint64_t move(const Sum* group) {
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] += group[i];
    return objective_.weight(group);
  }

  void set_bar(double) {}
  bool may_clear_bar() const { return true; }

  double children_cost() const {
    return objective_.cost(left_.data()) +
           objective_.cost_of([&](std::size_t at) { return parent_[at] - left_[at]; });
  }

 private:
  const AbsoluteDeviation& objective_;
  std::span<const Sum> parent_;
  std::span<Sum> left_;
};

}  // namespace coppice
