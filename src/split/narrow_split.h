// RunningSplit of class counts for nodes of little weight: 16 bits a count, so that a whole bin is
// moved, and its squares are summed, by a few vector operations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/short_vectors.h"
#include "split/running_split.h"

namespace coppice {

// Counts of so many classes at most, and of a weight below this.
template <std::size_t kVectors>
constexpr std::size_t kNarrowClasses = 8 * kVectors;
constexpr std::uint32_t kNarrowWeight = 1 << 15;

// kVectors vectors hold the counts of a side. Rule: as ClassImpurity has it, with a cost that is a
// fraction.
template <class Rule, std::size_t kVectors>
class NarrowSplit {
 public:
  // REQUIRES: counts of all classes that fit.
  explicit NarrowSplit(std::span<const std::uint32_t> parent) {
    std::array<std::int16_t, kNarrowClasses<kVectors>> counts{};
    std::copy(parent.begin(), parent.end(), counts.begin());
    for (std::size_t k = 0; k < kVectors; ++k) parent_[k] = load_shorts(counts.data() + 8 * k);
    for (const std::uint32_t count : parent) total_ += static_cast<std::int32_t>(count);
  }

  // Returns the weight of the group.
  std::uint32_t move(const std::int16_t* group) {
    PairSums left_terms{}, right_terms{}, left_total{};
    for (std::size_t k = 0; k < kVectors; ++k) {
      left_[k] += load_shorts(group + 8 * k);
      const Shorts right = parent_[k] - left_[k];
      left_terms += sums_of_products(left_[k], left_[k]);
      right_terms += sums_of_products(right, right);
      left_total += sums_of_products(left_[k], Shorts{} + std::int16_t{1});
    }
    const std::int32_t before = left_total_;
    left_terms_ = total_of(left_terms);
    right_terms_ = total_of(right_terms);
    left_total_ = total_of(left_total);
    return static_cast<std::uint32_t>(left_total_ - before);
  }

  void set_bar(double bar) { bar_.set(total_, bar); }
  bool may_clear_bar() const {
    return bar_.may_clear(left_terms_, left_total_, right_terms_, total_ - left_total_);
  }
  double children_cost() const {
    return Rule::cost(left_total_, left_terms_) + Rule::cost(total_ - left_total_, right_terms_);
  }

 private:
  Shorts left_[kVectors] = {}, parent_[kVectors];
  std::int32_t total_ = 0, left_total_ = 0, left_terms_ = 0, right_terms_ = 0;
  FractionBar bar_;
};

}  // namespace coppice
