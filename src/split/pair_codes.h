// Trials of few rows: the code of every row is tried as the largest one on the left. Eight
// candidates lie side by side; a kernel of the objective gives each trial a score.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/lanes.h"
#include "base/wide_loops.h"

namespace coppice {

class PairCodes {
 public:
  static constexpr std::size_t kMostRows = 64;
  static constexpr std::uint32_t kMostWeight = 181;  // its square fits 16 bits
  static constexpr std::uint32_t kMostCodes = INT16_MAX;

  std::size_t count() const { return count_; }

  // REQUIRES: below kMostCodes.
  void set_code(std::size_t place, std::size_t lane, std::uint32_t code) {
    codes_[place][lane] = static_cast<std::int16_t>(code);
  }
  std::uint32_t code(std::size_t place, std::size_t lane) const {
    return static_cast<std::uint32_t>(codes_[place][lane]);
  }

  // The more, the less the children cost; rounded. Below 0, or not a number, if a side has too few
  // samples.
  float score(std::size_t place, std::size_t lane) const { return scores_[place][lane]; }
  // The highest of a lane; below 0 if there is none.
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

 protected:
  static constexpr std::size_t kStep = 4;  // trials at a time

  typedef std::int16_t One __attribute__((vector_size(kLanes * sizeof(std::int16_t))));
  using Scores = Lanes<float>::All;
  template <class Number>
  using ByPlace = std::array<std::array<Number, kLanes>, kMostRows + kStep>;

  // Makes the number of trials a multiple of kStep. `never` is set in lanes that are not in use:
  // nothing is above codes that have it.
  [[gnu::always_inline]] void fill_up(std::size_t lanes, One& never) {
    for (std::size_t i = 0; i + 1 < kStep; ++i) codes_[count_ + i] = codes_[count_ - 1];
    for (std::size_t lane = 0; lane < kLanes; ++lane) never[lane] = lane < lanes ? 0 : INT16_MAX;
  }

  // pairs->try_all(lanes, fewest), in the widest vectors that the processor has.
  template <class Pairs>
  static void run_widely(Pairs* pairs, std::size_t lanes, std::uint32_t fewest) {
    run_loop<TryAll<Pairs>>(pairs, lanes, static_cast<std::int16_t>(std::min(fewest, kMostWeight)));
  }

  // As many neighbours as the vector holds.
  template <class Numbers, class Vector>
  [[gnu::always_inline]] static void load(const Numbers& from, Vector& to) {
    std::memcpy(&to, &from, sizeof(to));
  }
  template <class Vector, class Numbers>
  [[gnu::always_inline]] static void keep(const Vector& from, Numbers& to) {
    std::memcpy(&to, &from, sizeof(from));
  }

  std::size_t count_ = 0;                      // rows
  alignas(32) ByPlace<std::int16_t> codes_{};  // never negative
  alignas(32) ByPlace<float> scores_;
  std::array<float, kLanes> highest_;

 private:
  template <class Pairs>
  struct TryAll {
    [[gnu::always_inline]] static void run(Pairs* pairs, std::size_t lanes, std::int16_t fewest) {
      pairs->try_all(lanes, fewest);
    }
  };
};

}  // namespace coppice
