// Classification: the impurity of the class weights n_c of a set, n = sum n_c.
//   Gini     cost(S) = n - (1/n) sum n_c^2                  = n times the Gini index
//   entropy  cost(S) = n log2 n - sum n_c log2 n_c          = n times the entropy in bits
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "objective/xlogx.h"
#include "split/running_split.h"

namespace coppice {

// Both rules keep a running sum over classes of term(n_c), as an integer, which is updated in O(1)
// when a sample changes sides.
struct GiniRule {
  using Term = std::int64_t;  // total weights stay below 2^31, so squares fit

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

  static Term term(std::uint32_t count) { return xlogx(count); }
  static Term step(std::uint32_t count, std::uint32_t weight) {
    return xlogx(count + weight) - xlogx(count);
  }
  static double cost(std::int64_t total, Term terms) {
    return static_cast<double>(xlogx(static_cast<std::uint32_t>(total)) - terms) / kXlogxUnit;
  }
};

template <class Rule>
struct ClassImpurity {
  struct Item {
    std::uint32_t label, weight;
  };
  using Sum = std::uint32_t;

  std::span<const std::uint32_t> labels;
  std::size_t classes = 0;

  std::size_t statistics_size() const { return classes; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {labels[row], weight}; }
  void add(Sum* counts, const Item& item) const { counts[item.label] += item.weight; }
  bool alike(const Item& a, const Item& b) const { return a.label == b.label; }

  double cost(const Sum* counts) const {
    std::int64_t total = 0;
    typename Rule::Term terms = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      total += counts[c];
      terms += Rule::term(counts[c]);
    }
    return Rule::cost(total, terms);
  }

  std::size_t mean_size() const { return classes; }
  void mean(const Sum* counts, double* shares) const {
    double total = 0;
    for (std::size_t c = 0; c < classes; ++c) total += counts[c];
    for (std::size_t c = 0; c < classes; ++c) shares[c] = counts[c] / total;
  }
};

template <class Rule>
class RunningSplit<ClassImpurity<Rule>> {
 public:
  using O = ClassImpurity<Rule>;
  using Sum = typename O::Sum;

  explicit RunningSplit(const O& objective) : left_(objective.classes), right_(objective.classes) {}

  void start(std::span<const Sum> parent) {
    std::fill(left_.begin(), left_.end(), 0);
    std::copy(parent.begin(), parent.end(), right_.begin());
    left_total_ = right_total_ = 0;
    left_terms_ = right_terms_ = 0;
    for (const Sum count : parent) {
      right_total_ += count;
      right_terms_ += Rule::term(count);
    }
  }

  void move(const typename O::Item& item) { move(item.label, item.weight); }
  void move(const Sum* group) {
    for (std::size_t c = 0; c < left_.size(); ++c)
      if (group[c] > 0) move(static_cast<std::uint32_t>(c), group[c]);
  }

  double children_cost() const {
    return Rule::cost(left_total_, left_terms_) + Rule::cost(right_total_, right_terms_);
  }

 private:
  void move(std::uint32_t label, std::uint32_t weight) {
    left_terms_ += Rule::step(left_[label], weight);
    left_[label] += weight;
    right_[label] -= weight;
    right_terms_ -= Rule::step(right_[label], weight);
    left_total_ += weight;
    right_total_ -= weight;
  }

  std::vector<Sum> left_, right_;
  // 64 bits wide also because stores to the counts cannot alias them: they stay in registers.
  std::int64_t left_total_ = 0, right_total_ = 0;
  typename Rule::Term left_terms_ = 0, right_terms_ = 0;
};

using GiniImpurity = ClassImpurity<GiniRule>;
using EntropyImpurity = ClassImpurity<EntropyRule>;
static_assert(Objective<GiniImpurity> && Objective<EntropyImpurity>);

}  // namespace coppice
