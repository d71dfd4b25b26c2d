// All pairs of few rows of little weight: the code of every row is tried as the largest one on the
// left, and all rows are asked whether theirs is above it. Eight candidates lie side by side, in
// numbers of 16 bits; sums of squares of class weights are kept of both sides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "base/wide_loops.h"

namespace coppice {

class PairTrials {
 public:
  static constexpr std::size_t kMostRows = 64;
  static constexpr std::uint32_t kMostWeight = 181;  // its square fits 16 bits
  static constexpr std::uint32_t kMostCodes = INT16_MAX;

  // Items have a label and a weight, of which `sums` are the sums. Calls put(place, i) for every
  // item i: those of a label are next to each other.
  template <class Item, class Put>
  void begin(std::span<const Item> items, std::span<const std::uint32_t> sums, Put&& put) {
    find_runs(items, sums);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t place = starts_[items[i].label]++;
      weights_[place].fill(static_cast<std::int16_t>(items[i].weight));
      put(place, i);
    }
  }
  std::size_t count() const { return count_; }

  // REQUIRES: below kMostCodes.
  void set_code(std::size_t place, std::size_t lane, std::uint32_t code) {
    codes_[place][lane] = static_cast<std::int16_t>(code);
  }
  std::uint32_t code(std::size_t place, std::size_t lane) const {
    return static_cast<std::uint32_t>(codes_[place][lane]);
  }

  // Only trials with so many samples on both sides have a score. REQUIRES: every code of these
  // lanes is set.
  void run(std::size_t lanes, std::uint32_t fewest) {
    used_ = lanes;
    run_loop<TryAll>(this, static_cast<std::int16_t>(std::min(fewest, kMostWeight)));
  }

  // What is left of a trial, and the sums of squares of both sides.
  struct Sides {
    int left, left_squares, right, right_squares;
  };
  Sides sides(std::size_t place, std::size_t lane) const {
    const int left = left_[place][lane];
    return {left, left_squares_[place][lane], weight_ - left, right_squares_[place][lane]};
  }
  // left_squares / left + right_squares / right, as rounded as floats; else nothing above 0.
  float score(std::size_t place, std::size_t lane) const { return scores_[place][lane]; }
  // The highest of a lane, or 0.
  float highest(std::size_t lane) const { return highest_[lane]; }

  // The place of the least code above that of another one; itself if there is none.
  std::size_t next_above(std::size_t place, std::size_t lane) const {
    const int last = codes_[place][lane];
    int least = INT16_MAX + 1;
    std::size_t next = place;
    for (std::size_t i = 0; i < count_; ++i) {
      const int code = codes_[i][lane];
      const bool nearer = code > last && code < least;
      least = nearer ? code : least;
      next = nearer ? i : next;
    }
    return next;
  }

 private:
  static constexpr std::size_t kStep = 4;  // trials at a time

  // Eight candidates; and eight of each of two trials.
  typedef std::int16_t One __attribute__((vector_size(kLanes * sizeof(std::int16_t))));
  typedef std::int16_t Two __attribute__((vector_size(2 * kLanes * sizeof(std::int16_t))));
  using Scores = Lanes<float>::All;

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

  struct TryAll {
    [[gnu::always_inline]] static void run(PairTrials* trials, std::int16_t fewest) {
      trials->try_all(fewest);
    }
  };
  // Lanes that are not in use have nothing above their codes.
  [[gnu::always_inline]] void try_all(std::int16_t fewest) {
    for (std::size_t i = 0; i + 1 < kStep; ++i) codes_[count_ + i] = codes_[count_ - 1];
    One unused;
    for (std::size_t lane = 0; lane < kLanes; ++lane) unused[lane] = lane < used_ ? 0 : INT16_MAX;
    Two never;
    repeat(unused, never);
    Scores highest{};
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
          left_squares[k] &= allowed, right_squares[k] &= allowed;
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
  // Two trials are neighbours.
  template <class Numbers, class Vector>
  [[gnu::always_inline]] static void load(const Numbers& from, Vector& to) {
    std::memcpy(&to, &from, sizeof(to));
  }
  template <class Vector, class Numbers>
  [[gnu::always_inline]] static void keep(const Vector& from, Numbers& to) {
    std::memcpy(&to, &from, sizeof(from));
  }

  template <class Number>
  using ByPlace = std::array<std::array<Number, kLanes>, kMostRows + kStep>;

  std::size_t count_ = 0, used_ = 0;  // rows, lanes
  std::array<Run, kMostRows> run_;    // by class that is there
  std::size_t runs_ = 0;
  std::int16_t weight_ = 0;            // of all
  std::vector<std::uint32_t> starts_;  // by class: its next place
  alignas(32) std::array<std::array<std::int16_t, 2 * kLanes>, kMostRows> weights_;  // repeated
  alignas(32) ByPlace<std::int16_t> codes_{};  // never negative
  alignas(32) ByPlace<std::int16_t> left_, left_squares_, right_squares_;
  alignas(32) ByPlace<float> scores_;
  std::array<float, kLanes> highest_;
};

}  // namespace coppice
