#include "transduce/coordinates.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "data/feature_scales.h"

namespace coppice {
namespace {

bool varies(std::span<const float> column) {
  const auto known = [](float value) { return std::isfinite(value); };
  const auto first = std::find_if(column.begin(), column.end(), known);
  return std::any_of(first, column.end(),
                     [&](float value) { return known(value) && value != *first; });
}

Coordinates standardised(const DatasetView& data) {
  std::vector<std::size_t> features;
  for (std::size_t f = 0; f < data.columns.size(); ++f)
    if (data.schema->features[f].kind == FeatureKind::numeric && varies(data.columns[f]))
      features.push_back(f);
  const FeatureScales scales = measure_scales(data, 1);
  Coordinates found{features.size(), std::vector<double>(data.rows * features.size(), 0)};
  for (std::size_t k = 0; k < features.size(); ++k) {
    const double centre = scales.centre[features[k]], spread = scales.spread[features[k]];
    for (std::size_t row = 0; row < data.rows; ++row)
      if (const double value = data.columns[features[k]][row]; std::isfinite(value))
        found.values[row * features.size() + k] = (value - centre) / spread;
  }
  return found;
}

// Sums of products of coordinates over some thousand rows; square, row by row.
std::vector<double> products(const Coordinates& all) {
  constexpr std::size_t kEnoughRows = 8192;
  const std::size_t size = all.dimensions, rows = all.values.size() / size;
  const std::size_t step = std::max<std::size_t>(1, rows / kEnoughRows);
  std::vector<double> sums(size * size, 0);
  for (std::size_t row = 0; row < rows; row += step) {
    const double* const x = all.values.data() + row * size;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) sums[i * size + j] += x[i] * x[j];
  }
  return sums;
}

// Gram and Schmidt, twice for the sake of rounding. Vectors are rows.
void orthonormalise(std::vector<double>& vectors, std::size_t size) {
  const std::size_t count = vectors.size() / size;
  const auto dot = [&](const double* a, const double* b) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (std::size_t k = 0; k < count; ++k) {
    double* const own = vectors.data() + k * size;
    for (std::size_t before = 0; before < 2 * k; ++before) {
      const double* const other = vectors.data() + before % k * size;
      const double along = dot(own, other);
      for (std::size_t i = 0; i < size; ++i) own[i] -= along * other[i];
    }
    const double length = std::sqrt(dot(own, own));
    for (std::size_t i = 0; i < size; ++i) own[i] = length > 0 ? own[i] / length : 0;
  }
}

// An orthonormal basis of the space of the largest principal components, by orthogonal iteration:
// how the basis lies within the space means nothing to a Gaussian.
std::vector<double> principal_space(const std::vector<double>& products, std::size_t size,
                                    std::size_t count) {
  constexpr int kRounds = 40;
  RandomStream random(1);
  std::vector<double> basis(count * size), next(count * size);
  for (double& entry : basis) entry = standard_normal(random);
  for (int round = 0; round < kRounds; ++round) {
    orthonormalise(basis, size);
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          next[k * size + j] += basis[k * size + i] * products[i * size + j];
    basis.swap(next);
  }
  orthonormalise(basis, size);
  return basis;
}

}  // namespace

Coordinates coordinates_of(const DatasetView& data, std::size_t most) {
  Coordinates all = standardised(data);
  if (all.dimensions <= most) return all;
  const std::size_t size = all.dimensions;
  const std::vector<double> basis = principal_space(products(all), size, most);
  Coordinates few{most, std::vector<double>(data.rows * most, 0)};
  for (std::size_t row = 0; row < data.rows; ++row)
    for (std::size_t k = 0; k < most; ++k)
      for (std::size_t i = 0; i < size; ++i)
        few.values[row * most + k] += basis[k * size + i] * all.values[row * size + i];
  return few;
}

}  // namespace coppice
