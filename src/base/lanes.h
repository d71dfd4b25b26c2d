// Eight numbers that are added, compared and chosen between together: compilers turn them into the
// widest vectors that the processor at hand has. Every lane has the bits that it would have by
// itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coppice {

constexpr std::size_t kLanes = 8;

// Aligned for loops that are compiled for wider vectors than the rest (base/wide_loops.h).
template <class Number>
struct alignas(kLanes * sizeof(Number)) Lanes {
  typedef Number All __attribute__((vector_size(kLanes * sizeof(Number))));
  typedef Number Half __attribute__((vector_size(kLanes / 2 * sizeof(Number))));
  All all = {};

  Number operator[](std::size_t lane) const { return all[lane]; }
  void set(std::size_t lane, Number number) { all[lane] = number; }
};

// What a comparison of floats gives: all bits of a lane, or none.
using LaneMask = Lanes<std::int32_t>;

// Adds the number to the lanes that the mask has.
template <class Number>
[[gnu::always_inline]] inline void add_masked(Lanes<Number>& sums, const LaneMask& mask,
                                              Number number) {
  sums.all += __builtin_convertvector(mask.all, typename Lanes<Number>::All) & number;
}

}  // namespace coppice
