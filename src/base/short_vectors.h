// Eight small whole numbers side by side, multiplied and added up: what processors do with 16 bits
// much faster than with more.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace coppice {

typedef std::int16_t Shorts __attribute__((vector_size(16)));
typedef std::int32_t PairSums __attribute__((vector_size(16)));

// Eight numbers in a row.
inline Shorts load_shorts(const std::int16_t* first) {
  Shorts loaded;
  std::memcpy(&loaded, first, sizeof(loaded));
  return loaded;
}

// a[0] b[0] + a[1] b[1], a[2] b[2] + a[3] b[3], ...
inline PairSums sums_of_products(Shorts a, Shorts b) {
#if defined(__SSE2__)
  return reinterpret_cast<PairSums>(
      _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  PairSums sums{};
  for (int k = 0; k < 4; ++k) sums[k] = a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1];
  return sums;
#endif
}

inline std::int32_t total_of(PairSums sums) {
  sums += __builtin_shufflevector(sums, sums, 2, 3, 0, 1);
  sums += __builtin_shufflevector(sums, sums, 1, 0, 3, 2);
  return sums[0];
}

}  // namespace coppice
