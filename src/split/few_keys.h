// Sorts few small numbers by counting, for each of them, how many are smaller: all pairs, eight
// side by side. No branch depends on the numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace coppice {

class FewKeys {
 public:
  static constexpr std::size_t kMost = 64;      // numbers
  static constexpr std::uint32_t kRange = 511;  // they lie in [0, kRange)

  // order[place] is the position of the number at that place; equal ones keep their order.
  // number_at(position) is asked once per position. REQUIRES: count <= kMost.
  template <class NumberAt>
  void sort(std::size_t count, NumberAt&& number_at, std::uint32_t* order) {
    const std::size_t blocks = (count + kWidth - 1) / kWidth;
    for (std::size_t block = 0; block < blocks; ++block) keys_[block] = Block{} + kLargest;
    for (std::size_t i = 0; i < count; ++i) {
      // No two keys are equal: they end in the position.
      const auto key = static_cast<std::int16_t>(number_at(i) * kMost + i);
      keys_[i / kWidth][i % kWidth] = key;
      repeated_[i] = Block{} + key;
    }
    for (std::size_t block = 0; block < blocks; ++block) {
      const Block keys = keys_[block];
      Block smaller{};
      for (std::size_t i = 0; i < count; ++i) smaller -= repeated_[i] < keys;
      const std::size_t first = block * kWidth;
      for (std::size_t i = first; i < first + kWidth && i < count; ++i)
        order[smaller[i - first]] = static_cast<std::uint32_t>(i);
    }
  }

 private:
  static constexpr std::size_t kWidth = 8;
  static constexpr std::int16_t kLargest = INT16_MAX;
  typedef std::int16_t Block __attribute__((vector_size(kWidth * sizeof(std::int16_t))));

  std::array<Block, kMost / kWidth> keys_;
  std::array<Block, kMost> repeated_;
};

}  // namespace coppice
