// Classification: the impurity of the class weights n_c of a set, n = sum n_c.
//   Gini     cost(S) = n - (1/n) sum n_c^2                  = n times the Gini index
//   entropy  cost(S) = n log2 n - sum n_c log2 n_c          = n times the entropy in bits
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "objective/class_counts.h"
#include "objective/objective.h"
#include "objective/xlogx.h"
#include "split/running_split.h"

namespace coppice {

// Both rules keep a running sum over classes of term(n_c), as an integer, which is updated in O(1)
// when a sample changes sides.
struct GiniRule {
  using Term = std::int64_t;               // total weights stay below 2^31, so squares fit
  static constexpr bool kFraction = true;  // the cost is total - terms / total

  static Term term(std::uint32_t count) { return Term{count} * count; }
  // term(count + weight) - term(count)
  static Term step(std::uint32_t count, std::uint32_t weight) {
    return Term{weight} * (2 * Term{count} + weight);
  }
  static double cost(std::int64_t total, Term terms) {
    return total == 0 ? 0
                      : static_cast<double>(total) -
                            static_cast<double>(terms) / static_cast<double>(total);
  }
};

struct EntropyRule {
  using Term = std::int64_t;
  static constexpr bool kFraction = false;

  static Term term(std::uint32_t count) { return xlogx(count); }
  static Term step(std::uint32_t count, std::uint32_t weight) {
    return xlogx(count + weight) - xlogx(count);
  }
  static double cost(std::int64_t total, Term terms) {
    return static_cast<double>(xlogx(static_cast<std::uint32_t>(total)) - terms) / kXlogxUnit;
  }
};

template <class CostRule>
struct ClassImpurity : ClassCounts {
  using Rule = CostRule;
  static constexpr bool kCostsFromZero = true;

  double cost(const Sum* counts) const {
    std::int64_t total = 0;
    typename Rule::Term terms = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      total += counts[c];
      terms += Rule::term(counts[c]);
    }
    return Rule::cost(total, terms);
  }

  [[gnu::always_inline]] void cost_of_lanes(const Sum* parent, const Lanes<Sum>* left,
                                            double* costs, std::uint64_t* weights) const
      requires(Rule::kFraction) {
    // Squares of small sums are narrow.
    std::uint64_t whole = 0;
    for (std::size_t c = 0; c < classes; ++c) whole += parent[c];
    whole < 1 << 15 ? cost_of_lanes_in<std::int32_t>(parent, left, costs, weights)
                    : cost_of_lanes_in<std::int64_t>(parent, left, costs, weights);
  }

 private:
  // Square holds the square of the parent's weight.
  template <class Square>
  [[gnu::always_inline]] void cost_of_lanes_in(const Sum* parent, const Lanes<Sum>* left,
                                               double* costs, std::uint64_t* weights) const {
    using Squares = typename Lanes<Square>::All;
    Lanes<Sum> left_total, right_total;
    Lanes<Square> left_terms, right_terms;
    for (std::size_t c = 0; c < classes; ++c) {
      const auto on_left = left[c].all, on_right = parent[c] - on_left;
      left_total.all += on_left, right_total.all += on_right;
      const auto wide_left = __builtin_convertvector(on_left, Squares);
      const auto wide_right = __builtin_convertvector(on_right, Squares);
      left_terms.all += wide_left * wide_left;
      right_terms.all += wide_right * wide_right;
    }
    const auto wide = __builtin_convertvector(left_total.all, Lanes<std::uint64_t>::All);
    std::memcpy(weights, &wide, sizeof(wide));
    std::fill_n(costs, kLanes, 0.0);
    add_costs<0>(left_total, left_terms, costs), add_costs<1>(left_total, left_terms, costs);
    add_costs<0>(right_total, right_terms, costs), add_costs<1>(right_total, right_terms, costs);
  }
  // Rule::cost() of four lanes.
  template <int half, class Square>
  [[gnu::always_inline]] static void add_costs(const Lanes<Sum>& totals, const Lanes<Square>& terms,
                                               double* costs) {
    constexpr int first = half * kLanes / 2;
    using Costs = Lanes<double>::Half;
    const auto total = __builtin_convertvector(
        __builtin_convertvector(
            __builtin_shufflevector(totals.all, totals.all, first, first + 1, first + 2, first + 3),
            Lanes<std::int32_t>::Half),
        Costs);
    const auto squares = __builtin_convertvector(
        __builtin_shufflevector(terms.all, terms.all, first, first + 1, first + 2, first + 3),
        Costs);
    Costs sums;
    std::memcpy(&sums, costs + first, sizeof(sums));
    sums += total == 0 ? Costs{} : total - squares / total;
    std::memcpy(costs + first, &sums, sizeof(sums));
  }
};

template <class Rule>
class RunningSplit<ClassImpurity<Rule>> {
 public:
  using O = ClassImpurity<Rule>;
  using Sum = typename O::Sum;

  struct Start {
    std::span<const Sum> parent;
    std::int64_t total = 0;
    typename Rule::Term terms = 0;

    Start(const O&, std::span<const Sum> sums) : parent(sums) {
      for (const Sum count : sums) {
        total += count;
        terms += Rule::term(count);
      }
    }
  };
  static std::size_t scratch_size(const O& objective) { return objective.classes; }

  RunningSplit(const Start& start, std::span<Sum> scratch)
      : left_(scratch.data()),
        parent_(start.parent.data()),
        classes_(start.parent.size()),
        total_(start.total),
        whole_(static_cast<double>(start.total)),
        right_terms_(start.terms) {
    std::fill_n(left_, classes_, 0);
  }

  void move(const typename O::Item& item) {
    const Sum before = left_[item.label], after = before + item.weight;
    left_[item.label] = after;
    left_terms_ += Rule::step(before, item.weight);
    right_terms_ -= Rule::step(parent_[item.label] - after, item.weight);
    left_total_ += item.weight;
  }
  std::uint64_t move(const Sum* group) {
    if constexpr (Rule::kFraction) {
      // From scratch, in vectors; squares of small sums are narrow.
      return total_ < 1 << 16 ? move_all<std::uint32_t>(group) : move_all<std::uint64_t>(group);
    }
    std::uint64_t moved = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (group[c] > 0) move({static_cast<std::uint32_t>(c), group[c]});
      moved += group[c];
    }
    return moved;
  }

  void set_bar(double bar) { bar_.set(whole_, bar); }
  bool may_clear_bar() const {
    if constexpr (!Rule::kFraction) return true;
    const auto left = static_cast<double>(left_total_);
    return bar_.may_clear(static_cast<double>(left_terms_), left, static_cast<double>(right_terms_),
                          whole_ - left);
  }

  double children_cost() const {
    return Rule::cost(left_total_, left_terms_) + Rule::cost(total_ - left_total_, right_terms_);
  }

 private:
  // Square holds the square of the node's weight.
  template <class Square>
  std::uint64_t move_all(const Sum* __restrict group) {
    Sum* __restrict left = left_;
    const Sum* __restrict parent = parent_;
    Sum moved = 0;
    Square left_terms = 0, right_terms = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      const Sum on_left = left[c] += group[c], on_right = parent[c] - on_left;
      moved += group[c];
      left_terms += Square{on_left} * on_left;
      right_terms += Square{on_right} * on_right;
    }
    left_terms_ = static_cast<typename Rule::Term>(left_terms);
    right_terms_ = static_cast<typename Rule::Term>(right_terms);
    left_total_ += moved;
    return moved;
  }

  Sum* left_;
  const Sum* parent_;
  std::size_t classes_;
  // 64 bits wide also because stores to the counts cannot alias them: they stay in registers.
  std::int64_t total_, left_total_ = 0;
  double whole_;
  typename Rule::Term left_terms_ = 0, right_terms_;
  FractionBar bar_;
};

using GiniImpurity = ClassImpurity<GiniRule>;
using EntropyImpurity = ClassImpurity<EntropyRule>;
static_assert(Objective<GiniImpurity> && Objective<EntropyImpurity>);

}  // namespace coppice
