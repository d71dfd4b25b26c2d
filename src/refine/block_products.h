// Products of small dense blocks in single precision: wide vectors if the processor has them, and
// the same bits if not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coppice {

// Some rows of a leaf: their regressors, one row after the other, and where the rows lie.
struct RowRun {
  const float* regressors = nullptr;      // rows x count
  const std::uint32_t* places = nullptr;  // row i is row places[i] of an OutputBlock
  std::size_t rows = 0, count = 0;
};

// z[places[i]] += sum over j of regressors[i][j] w[j]; w is count x stride, z has rows of stride.
void add_products(const RowRun&, const float* w, float* z, std::size_t stride);

// sums[j] += sum over i of regressors[i][j] r[places[i]], in double; sums is count x stride. At
// most kRunRows rows are added up in single precision.
constexpr std::size_t kRunRows = 64;
void collect_products(const RowRun&, const float* r, double* sums, std::size_t stride);

}  // namespace coppice
