// Stable sort of unsigned keys, eight bits at a time; bits that all keys share cost a count only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coppice {

// Sorts by bits [first_bit, last_bit) of the keys, 0 being the lowest. `spare` is scratch.
inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare,
                       unsigned first_bit, unsigned last_bit) {
  spare.resize(keys.size());
  for (unsigned shift = first_bit; shift < last_bit; shift += 8) {
    const std::uint64_t mask = (std::uint64_t{1} << std::min(8u, last_bit - shift)) - 1;
    std::array<std::uint32_t, 256> start{};
    for (const std::uint64_t key : keys) ++start[key >> shift & mask];
    std::uint32_t position = 0, largest = 0;
    for (std::size_t digit = 0; digit <= mask; ++digit) {
      largest = std::max(largest, start[digit]);
      position += std::exchange(start[digit], position);
    }
    if (largest == keys.size()) continue;
    for (const std::uint64_t key : keys) spare[start[key >> shift & mask]++] = key;
    keys.swap(spare);
  }
}

}  // namespace coppice
