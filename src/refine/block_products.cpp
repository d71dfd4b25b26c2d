#include "refine/block_products.h"

#include <algorithm>
#include <cstring>
#include <vector>

// Nothing here is called across files: how vectors are handed over does not matter.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace coppice {
namespace {

template <std::size_t lanes>
struct Vector {
  typedef float Type __attribute__((vector_size(4 * lanes)));
};
template <>
struct Vector<1> {
  typedef float Type;
};

template <std::size_t lanes>
inline __attribute__((always_inline)) typename Vector<lanes>::Type load(const float* place) {
  typename Vector<lanes>::Type vector;
  std::memcpy(&vector, place, sizeof(vector));
  return vector;
}

// `height` rows and `width` vectors of outputs from `first` on stay in registers. Rows of outputs
// lie side by side here, in the cache.
template <std::size_t lanes, std::size_t height, std::size_t width>
inline __attribute__((always_inline)) void multiply_tile(const RowRun& run, std::size_t row,
                                                         const float* w, float* out,
                                                         std::size_t stride, std::size_t first) {
  typename Vector<lanes>::Type sums[height][width] = {};
  const float* const from = run.regressors + row * run.count;
  for (std::size_t j = 0; j < run.count; ++j) {
    const float* const line = w + j * stride + first;
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t n = 0; n < width; ++n)
        sums[i][n] += from[i * run.count + j] * load<lanes>(line + n * lanes);
  }
  for (std::size_t i = 0; i < height; ++i)
    std::memcpy(out + (row + i) * stride + first, sums[i], sizeof(sums[i]));
}

template <std::size_t lanes, std::size_t width>
inline __attribute__((always_inline)) void multiply_strip(const RowRun& run, const float* w,
                                                          float* out, std::size_t stride,
                                                          std::size_t first) {
  std::size_t row = 0;
  for (; row + 4 <= run.rows; row += 4)
    multiply_tile<lanes, 4, width>(run, row, w, out, stride, first);
  for (; row < run.rows; ++row) multiply_tile<lanes, 1, width>(run, row, w, out, stride, first);
}

template <std::size_t lanes, std::size_t height, std::size_t width>
inline __attribute__((always_inline)) void collect_tile(const RowRun& run, std::size_t regressor,
                                                        const float* r, double* sums,
                                                        std::size_t stride, std::size_t first) {
  typename Vector<lanes>::Type part[height][width] = {};
  for (std::size_t i = 0; i < run.rows; ++i) {
    const float* const line = r + i * stride + first;
    const float* const from = run.regressors + i * run.count + regressor;
    for (std::size_t j = 0; j < height; ++j)
      for (std::size_t n = 0; n < width; ++n) part[j][n] += from[j] * load<lanes>(line + n * lanes);
  }
  for (std::size_t j = 0; j < height; ++j) {
    double* const out = sums + (regressor + j) * stride + first;
    float in[width * lanes];
    std::memcpy(in, part[j], sizeof(in));
    for (std::size_t n = 0; n < width * lanes; ++n) out[n] += double{in[n]};
  }
}

template <std::size_t lanes, std::size_t width>
inline __attribute__((always_inline)) void collect_strip(const RowRun& run, const float* r,
                                                         double* sums, std::size_t stride,
                                                         std::size_t first) {
  std::size_t j = 0;
  for (; j + 4 <= run.count; j += 4) collect_tile<lanes, 4, width>(run, j, r, sums, stride, first);
  for (; j < run.count; ++j) collect_tile<lanes, 1, width>(run, j, r, sums, stride, first);
}

// Calls strip<lanes, width>(first) until all outputs of the stride are covered.
template <class Strip>
inline __attribute__((always_inline)) void cover(std::size_t stride, Strip&& strip) {
  std::size_t first = 0;
  for (; first + 16 <= stride; first += 16) strip.template operator()<8, 2>(first);
  for (; first + 8 <= stride; first += 8) strip.template operator()<8, 1>(first);
  for (; first + 4 <= stride; first += 4) strip.template operator()<4, 1>(first);
  for (; first < stride; ++first) strip.template operator()<1, 1>(first);
}

inline __attribute__((always_inline)) void multiply_all(const RowRun& run, const float* w,
                                                        float* out, std::size_t stride) {
  cover(
      stride, [&]<std::size_t lanes, std::size_t width>(std::size_t first) __attribute__((
                  always_inline)) { multiply_strip<lanes, width>(run, w, out, stride, first); });
}

inline __attribute__((always_inline)) void collect_all(const RowRun& run, const float* r,
                                                       double* sums, std::size_t stride) {
  cover(
      stride, [&]<std::size_t lanes, std::size_t width>(std::size_t first) __attribute__((
                  always_inline)) { collect_strip<lanes, width>(run, r, sums, stride, first); });
}

void multiply_portable(const RowRun& run, const float* w, float* out, std::size_t stride) {
  multiply_all(run, w, out, stride);
}
void collect_portable(const RowRun& run, const float* r, double* sums, std::size_t stride) {
  collect_all(run, r, sums, stride);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void multiply_wide(const RowRun& run, const float* w, float* out,
                                                   std::size_t stride) {
  multiply_all(run, w, out, stride);
}
__attribute__((target("avx2"))) void collect_wide(const RowRun& run, const float* r, double* sums,
                                                  std::size_t stride) {
  collect_all(run, r, sums, stride);
}
const bool wide_vectors = __builtin_cpu_supports("avx2");
#else
constexpr auto multiply_wide = multiply_portable;
constexpr auto collect_wide = collect_portable;
constexpr bool wide_vectors = false;
#endif

// Calls visit(part) for at most kRunRows rows at a time.
template <class Visit>
void for_each_part(const RowRun& run, Visit&& visit) {
  for (std::size_t first = 0; first < run.rows; first += kRunRows)
    visit(RowRun{run.regressors + first * run.count, run.places + first,
                 std::min(kRunRows, run.rows - first), run.count});
}

}  // namespace

void add_products(const RowRun& run, const float* w, float* z, std::size_t stride) {
  thread_local std::vector<float> products;
  products.resize(kRunRows * stride);
  for_each_part(run, [&](const RowRun& part) {
    (wide_vectors ? multiply_wide : multiply_portable)(part, w, products.data(), stride);
    for (std::size_t i = 0; i < part.rows; ++i) {
      float* const out = z + part.places[i] * stride;
      for (std::size_t k = 0; k < stride; ++k) out[k] += products[i * stride + k];
    }
  });
}

void collect_products(const RowRun& run, const float* r, double* sums, std::size_t stride) {
  thread_local std::vector<float> copied;
  copied.resize(kRunRows * stride);
  for_each_part(run, [&](const RowRun& part) {
    for (std::size_t i = 0; i < part.rows; ++i)
      std::copy_n(r + part.places[i] * stride, stride, copied.data() + i * stride);
    (wide_vectors ? collect_wide : collect_portable)(part, copied.data(), sums, stride);
  });
}

}  // namespace coppice
