// Stable sort of unsigned keys, one byte at a time; bytes that all keys share cost one pass of
// counting only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coppice {

// Sorts by bytes [first_byte, last_byte) of the keys, 0 being the lowest. `spare` is scratch.
inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare,
                       unsigned first_byte, unsigned last_byte) {
  spare.resize(keys.size());
  for (unsigned byte = first_byte; byte < last_byte; ++byte) {
    const unsigned shift = 8 * byte;
    std::array<std::size_t, 256> start{};
    for (std::uint64_t key : keys) ++start[(key >> shift) & 255];
    std::size_t position = 0, largest = 0;
    for (std::size_t& count : start) {
      largest = std::max(largest, count);
      count = std::exchange(position, position + count);
    }
    if (largest == keys.size()) continue;
    for (std::uint64_t key : keys) spare[start[(key >> shift) & 255]++] = key;
    keys.swap(spare);
  }
}

}  // namespace coppice
