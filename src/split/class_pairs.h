// The Gini index of all pairs of few rows: numbers of 16 bits hold class weights and their squares.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "split/pair_codes.h"

namespace coppice {

class ClassPairs : public PairCodes {
 public:
  // Many candidates tell so few rows apart equally well.
  static constexpr std::size_t kTiesAreLikely = 6;
  static constexpr double kRounding = 1e-6;  // of a score, as a share of the weight

  // Items have a label and a weight, of which `sums` are the sums. Calls put(place, i) for every
  // item i: those of a label are next to each other. Never false.
  template <class Item, class Put>
  bool begin(std::span<const Item> items, std::span<const std::uint32_t> sums, Put&& put) {
    find_runs(items, sums);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t place = starts_[items[i].label]++;
      weights_[place].fill(static_cast<std::int16_t>(items[i].weight));
      put(place, i);
    }
    return true;
  }

  // Scores left_squares / left + right_squares / right where both sides have so many samples.
  // REQUIRES: every code of these lanes is set.
  void run(std::size_t lanes, std::uint32_t fewest) { run_widely(this, lanes, fewest); }

  std::uint32_t left(std::size_t place, std::size_t lane) const {
    return static_cast<std::uint32_t>(left_[place][lane]);
  }
  // Of both children.
  template <class O>
  double cost(const O&, std::size_t place, std::size_t lane) const {
    const int left = left_[place][lane];
    return O::Rule::cost(left, left_squares_[place][lane]) +
           O::Rule::cost(weight_ - left, right_squares_[place][lane]);
  }

 private:
  friend PairCodes;

  // Eight candidates of each of two trials.
  typedef std::int16_t Two __attribute__((vector_size(2 * kLanes * sizeof(std::int16_t))));

  // The places of a class.
  struct Run {
    std::size_t end;
    std::int16_t weight;
  };

  template <class Item>
  void find_runs(std::span<const Item> items, std::span<const std::uint32_t> sums) {
    starts_.assign(sums.size(), 0);
    for (const Item& item : items) ++starts_[item.label];
    count_ = runs_ = 0;
    weight_ = 0;
    for (std::size_t label = 0; label < sums.size(); ++label) {
      const std::uint32_t rows = starts_[label];
      starts_[label] = static_cast<std::uint32_t>(count_);
      if (rows == 0) continue;
      count_ += rows;
      run_[runs_++] = {count_, static_cast<std::int16_t>(sums[label])};
      weight_ = static_cast<std::int16_t>(weight_ + run_[runs_ - 1].weight);
    }
  }

  [[gnu::always_inline]] void try_all(std::size_t lanes, std::int16_t fewest) {
    One unused;
    fill_up(lanes, unused);
    Two never;
    repeat(unused, never);
    Scores highest = Scores{} - 1;
    for (std::size_t i = 0; i < count_; i += kStep) {
      Two last[2], left[2] = {}, left_squares[2] = {}, right_squares[2] = {};
      for (std::size_t k = 0; k < 2; ++k) load(codes_[i + 2 * k], last[k]), last[k] |= never;
      sum_up(last, left, left_squares, right_squares);
      for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t place = i + 2 * k;
        keep(left[k], left_[place]);
        keep(left_squares[k], left_squares_[place]);
        keep(right_squares[k], right_squares_[place]);
        const Two right = weight_ - left[k];
        if (fewest > 1) {
          const Two allowed = (left[k] >= fewest) & (right >= fewest);
          left_squares[k] |= ~allowed, right_squares[k] |= ~allowed;  // -1
        }
        find_scores<0>(left[k], left_squares[k], right, right_squares[k], scores_[place], highest);
        find_scores<1>(left[k], left_squares[k], right, right_squares[k], scores_[place + 1],
                       highest);
      }
    }
    keep(highest, highest_);
  }
  [[gnu::always_inline]] void sum_up(const Two* last, Two* left_total, Two* left_squares,
                                     Two* right_squares) const {
    std::size_t place = 0;
    for (std::size_t r = 0; r < runs_; ++r) {
      const Run run = run_[r];
      Two right[2] = {};
      for (; place < run.end; ++place) {
        One codes;
        Two repeated, weights;
        load(codes_[place], codes), load(weights_[place], weights);
        repeat(codes, repeated);
        for (std::size_t k = 0; k < 2; ++k) right[k] += (repeated > last[k]) & weights;
      }
      for (std::size_t k = 0; k < 2; ++k) {
        const Two left = run.weight - right[k];
        left_total[k] += left;
        left_squares[k] += left * left;
        right_squares[k] += right[k] * right[k];
      }
    }
  }
  // Of the first or the second trial. An empty side has 0 / 0, which is above nothing.
  template <int trial>
  [[gnu::always_inline]] static void find_scores(const Two& left, const Two& left_squares,
                                                 const Two& right, const Two& right_squares,
                                                 std::array<float, kLanes>& scores,
                                                 Scores& highest) {
    Scores l, ls, r, rs;
    widen<trial>(left, l), widen<trial>(left_squares, ls);
    widen<trial>(right, r), widen<trial>(right_squares, rs);
    const Scores found = ls / l + rs / r;
    highest = found > highest ? found : highest;
    keep(found, scores);
  }
  template <int trial>
  [[gnu::always_inline]] static void widen(const Two& numbers, Scores& wide) {
    constexpr int k = trial * static_cast<int>(kLanes);
    const One half = __builtin_shufflevector(numbers, numbers, k, k + 1, k + 2, k + 3, k + 4, k + 5,
                                             k + 6, k + 7);
    wide = __builtin_convertvector(__builtin_convertvector(half, Lanes<std::int32_t>::All), Scores);
  }
  [[gnu::always_inline]] static void repeat(const One& one, Two& two) {
    two = __builtin_shufflevector(one, one, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
  }

  std::array<Run, kMostRows> run_;  // by class that is there
  std::size_t runs_ = 0;
  std::int16_t weight_ = 0;            // of all
  std::vector<std::uint32_t> starts_;  // by class: its next place
  alignas(32) std::array<std::array<std::int16_t, 2 * kLanes>, kMostRows> weights_;  // repeated
  alignas(32) ByPlace<std::int16_t> left_, left_squares_, right_squares_;
};

}  // namespace coppice
