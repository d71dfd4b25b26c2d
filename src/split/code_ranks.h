// The ranks of some codes among the distinct ones of them, without sorting: one bit per code that
// occurs, and a count of the bits before each word. Costs O(codes marked + range / 64).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {

class CodeRanks {
 public:
  // Whether this beats sorting `count` codes from a range of this size.
  static bool pays(std::size_t range, std::size_t count) { return range / 64 <= 4 * count + 16; }

  // Codes [0, range); none is marked.
  void clear(std::size_t range) {
    words_in_use_ = (range + 63) / 64;
    if (words_.size() < words_in_use_) words_.resize(words_in_use_), before_.resize(words_in_use_);
    std::fill_n(words_.begin(), words_in_use_, 0);
  }

  // Where the marks are, for loops that keep the places in registers. Valid until clear().
  struct Words {
    std::uint64_t* marks;
    const std::uint32_t* before;

    void mark(std::uint32_t code) const { marks[code / 64] |= std::uint64_t{1} << code % 64; }
    // REQUIRES: count() was called after the last mark().
    std::uint32_t rank(std::uint32_t code) const {
      const std::uint64_t below = marks[code / 64] & ((std::uint64_t{1} << code % 64) - 1);
      return before[code / 64] + static_cast<std::uint32_t>(std::popcount(below));
    }
  };
  Words words() { return {words_.data(), before_.data()}; }

  // Ends the marking; returns how many distinct codes were marked.
  std::uint32_t count() {
    std::uint32_t distinct = 0;
    for (std::size_t w = 0; w < words_in_use_; ++w) {
      before_[w] = distinct;
      distinct += static_cast<std::uint32_t>(std::popcount(words_[w]));
    }
    return distinct;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;  // marked codes in earlier words
  std::size_t words_in_use_ = 0;
};

}  // namespace coppice
