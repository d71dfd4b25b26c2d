// Numbers of several outputs side by side: the rows of all matrices of this folder. A row has
// `stride` floats, of which those beyond the outputs are zero, so that four or eight are handled at
// a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace coppice {

constexpr std::size_t kQuad = 4;

constexpr std::size_t stride_of(std::size_t outputs) {
  if (outputs == 1) return 1;
  const std::size_t unit = outputs <= 4 * kQuad ? kQuad : 2 * kQuad;
  return (outputs + unit - 1) / unit * unit;
}

// rows x outputs.
struct OutputBlock {
  std::size_t rows = 0, outputs = 0, stride = 0;
  std::vector<float> values = {};

  OutputBlock() = default;
  OutputBlock(std::size_t row_count, std::size_t output_count)
      : rows(row_count),
        outputs(output_count),
        stride(stride_of(output_count)),
        values(row_count * stride) {}

  float* row(std::size_t number) { return values.data() + number * stride; }
  const float* row(std::size_t number) const { return values.data() + number * stride; }
};

typedef float FloatQuad __attribute__((vector_size(16), aligned(4), may_alias));

// sums[0 ... stride) += addend. `quads` is known to the compiler; 0 leaves it to the stride.
template <std::size_t quads>
inline void add_row(float* sums, const float* addend, std::size_t stride) {
  const std::size_t count = quads > 0 ? quads : stride / kQuad;
  for (std::size_t n = 0; n < count; ++n)
    *reinterpret_cast<FloatQuad*>(sums + n * kQuad) +=
        *reinterpret_cast<const FloatQuad*>(addend + n * kQuad);
}

// sums[0 ... stride) += row_at(0), then row_at(1) ...; the sums stay in registers meanwhile.
template <std::size_t quads, class RowAt>
inline void add_several(float* sums, std::size_t count, std::size_t stride, RowAt&& row_at) {
  if constexpr (quads == 0) {
    for (std::size_t i = 0; i < count; ++i) add_row<0>(sums, row_at(i), stride);
  } else {
    FloatQuad* const whole = reinterpret_cast<FloatQuad*>(sums);
    FloatQuad held[quads];
    for (std::size_t n = 0; n < quads; ++n) held[n] = whole[n];
    for (std::size_t i = 0; i < count; ++i) {
      const FloatQuad* const row = reinterpret_cast<const FloatQuad*>(row_at(i));
      for (std::size_t n = 0; n < quads; ++n) held[n] += row[n];
    }
    for (std::size_t n = 0; n < quads; ++n) whole[n] = held[n];
  }
}

// row_at(0) += addend[0 ... stride), then row_at(1) ...; the addend stays in registers meanwhile.
template <std::size_t quads, class RowAt>
inline void add_to_several(const float* addend, std::size_t count, std::size_t stride,
                           RowAt&& row_at) {
  if constexpr (quads == 0) {
    for (std::size_t i = 0; i < count; ++i) add_row<0>(row_at(i), addend, stride);
  } else {
    const FloatQuad* const whole = reinterpret_cast<const FloatQuad*>(addend);
    FloatQuad held[quads];
    for (std::size_t n = 0; n < quads; ++n) held[n] = whole[n];
    for (std::size_t i = 0; i < count; ++i) {
      FloatQuad* const row = reinterpret_cast<FloatQuad*>(row_at(i));
      for (std::size_t n = 0; n < quads; ++n) row[n] += held[n];
    }
  }
}

// Calls body.template operator()<quads>() with the quads of the stride, 0 if there are many.
template <class Body>
void with_quads(std::size_t stride, Body&& body) {
  switch (stride / kQuad) {
    case 1:
      return body.template operator()<1>();
    case 2:
      return body.template operator()<2>();
    case 3:
      return body.template operator()<3>();
    case 4:
      return body.template operator()<4>();
    case 8:
      return body.template operator()<8>();
    default:
      return body.template operator()<0>();
  }
}

}  // namespace coppice
