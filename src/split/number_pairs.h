// The variance of one number in all pairs of few rows. Scores are found in floats; what they leave
// in doubt is decided by whole numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "split/pair_codes.h"

namespace coppice {

class NumberPairs : public PairCodes {
 public:
  static constexpr std::size_t kTiesAreLikely = 0;
  // Of a score, as a share of the weight W, if numbers are at most 1: with n rows and d = n / 2^24,
  // sums are wrong by W d and scores by 4 W d; costs by less than 1e-5 W.
  static constexpr double kRounding = 3e-5;

  // Items have a target and a weight; sums are [ sum w | sum w y ]. Calls put(i, i) for all. False
  // if the node is so far from 0 that costs are rounded more than scores: scores cannot tell then.
  template <class Item, class Put>
  bool begin(std::span<const Item> items, std::span<const std::int64_t> sums, Put&& put) {
    count_ = items.size();
    whole_ = {sums[0], sums[1]};
    const std::int64_t middle = sums[1] / sums[0];
    const double rest =
        static_cast<double>(sums[1] - middle * sums[0]) / static_cast<double>(sums[0]);
    const auto deviation = [&](const Item& item) {
      return static_cast<double>(item.target - middle) - rest;
    };
    double widest = 0;
    for (const Item& item : items) widest = std::max(widest, std::abs(deviation(item)));
    if (!(std::abs(static_cast<double>(middle)) < kFarthest * widest)) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      targets_[i] = items[i].target;
      weights_[i] = static_cast<std::int32_t>(items[i].weight);
      weighted_[i] = static_cast<float>(deviation(items[i]) / widest * items[i].weight);
      put(i, i);
    }
    return true;
  }

  // Scores S^2 / left + S^2 / right where both sides have so many samples; S is the sum of what is
  // on the right, measured from the mean of all. REQUIRES: every code of these lanes is set.
  void run(std::size_t lanes, std::uint32_t fewest) { run_widely(this, lanes, fewest); }

  std::uint32_t left(std::size_t place, std::size_t lane) const {
    return static_cast<std::uint32_t>(sums_of_left(place, lane)[0]);
  }
  // Of both children.
  template <class O>
  double cost(const O& objective, std::size_t place, std::size_t lane) const {
    const Sums left = sums_of_left(place, lane);
    const Sums right{whole_[0] - left[0], whole_[1] - left[1]};
    return objective.cost(left.data()) + objective.cost(right.data());
  }

 private:
  friend PairCodes;

  // Costs of both sides are wrong by W (1 + this)^2 / 2^51.
  static constexpr double kFarthest = 1e5;

  using Sums = std::array<std::int64_t, 2>;
  using Codes = Lanes<std::int32_t>::All;

  Sums sums_of_left(std::size_t place, std::size_t lane) const {
    const std::int16_t last = codes_[place][lane];
    Sums sums{};
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t weight = codes_[i][lane] <= last ? weights_[i] : 0;
      sums[0] += weight;
      sums[1] += weight * targets_[i];
    }
    return sums;
  }

  [[gnu::always_inline]] void try_all(std::size_t lanes, std::int16_t fewest) {
    One unused;
    fill_up(lanes, unused);
    const Codes never = __builtin_convertvector(unused, Codes);
    const auto weight = static_cast<std::int32_t>(whole_[0]);
    Scores highest = Scores{} - 1;
    for (std::size_t i = 0; i < count_; i += kStep) {
      Codes last[kStep], right[kStep] = {};
      Scores sums[kStep] = {};
      for (std::size_t k = 0; k < kStep; ++k) load_codes(i + k, last[k]), last[k] |= never;
      sum_up(last, right, sums);
      for (std::size_t k = 0; k < kStep; ++k) {
        const Codes left = weight - right[k];
        const Codes allowed = (left >= fewest) & (right[k] >= fewest);
        const Scores squares = sums[k] * sums[k];
        const Scores found = squares / __builtin_convertvector(left, Scores) +
                             squares / __builtin_convertvector(right[k], Scores);
        const Scores scores = allowed ? found : Scores{} - 1;
        highest = scores > highest ? scores : highest;
        keep(scores, scores_[i + k]);
      }
    }
    keep(highest, highest_);
  }
  [[gnu::always_inline]] void sum_up(const Codes* last, Codes* right, Scores* sums) const {
    for (std::size_t j = 0; j < count_; ++j) {
      Codes codes;
      load_codes(j, codes);
      for (std::size_t k = 0; k < kStep; ++k) {
        const Codes above = codes > last[k];
        right[k] += above & weights_[j];
        sums[k] += above ? Scores{} + weighted_[j] : Scores{};
      }
    }
  }
  [[gnu::always_inline]] void load_codes(std::size_t place, Codes& codes) const {
    One narrow;
    load(codes_[place], narrow);
    codes = __builtin_convertvector(narrow, Codes);
  }

  Sums whole_{};  // of all
  std::array<std::int64_t, kMostRows> targets_;
  std::array<std::int32_t, kMostRows> weights_;
  std::array<float, kMostRows> weighted_;  // weight x distance from the mean; at most the weight
};

}  // namespace coppice
