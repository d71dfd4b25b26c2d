// Eight numbers that are added, compared and chosen between together, in two halves: compilers turn
// a half of 32-bit numbers into a vector that every processor has. Every lane has the bits that it
// would have by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coppice {

constexpr std::size_t kLanes = 8;

template <class Number>
struct Lanes {
  typedef Number Half __attribute__((vector_size(kLanes / 2 * sizeof(Number))));
  Half halves[2] = {};

  Number operator[](std::size_t lane) const { return halves[lane / 4][lane % 4]; }
  void set(std::size_t lane, Number number) { halves[lane / 4][lane % 4] = number; }
};

// What a comparison of floats gives: all bits of a lane, or none.
using LaneMask = Lanes<std::int32_t>;

// Adds the number to the lanes that the mask has.
template <class Number>
void add_masked(Lanes<Number>& sums, const LaneMask& mask, Number number) {
  for (const std::size_t half : {0, 1})
    sums.halves[half] +=
        __builtin_convertvector(mask.halves[half], typename Lanes<Number>::Half) & number;
}

}  // namespace coppice
