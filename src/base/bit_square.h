// A square of bits that is turned over its diagonal: the way between bits that lie row by row and
// bits that lie column by column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace coppice {

// Bits of four squares beside each other.
typedef std::uint64_t FourWords __attribute__((vector_size(32)));

template <class Word>
using BitSquare = std::array<Word, 64>;

// Bit b of word w becomes bit w of word b: blocks of 32, 16, ... 1 bits beside the diagonal change
// places.
template <class Word>
[[gnu::always_inline]] inline void transpose(BitSquare<Word>& square) {
  constexpr std::uint64_t kLow[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int step = 5; step >= 0; --step) {
    const std::size_t block = std::size_t{1} << step;
    const std::uint64_t low = kLow[step];
    for (std::size_t first = 0; first < square.size(); first += 2 * block) {
      for (std::size_t w = first; w < first + block; ++w) {
        const Word moved = (square[w] >> block ^ square[w + block]) & low;
        square[w] ^= moved << block;
        square[w + block] ^= moved;
      }
    }
  }
}

}  // namespace coppice
