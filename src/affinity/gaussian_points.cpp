// The points of the Gaussian affinity (eq. 6.4).
#include <cmath>

#include "affinity/sparse_affinity.h"

namespace coppice {
namespace {

struct Column {
  double mean = 0, scale = 0;
};

// Of the known values; a constant column counts for nothing.
Column measure(std::span<const float> values) {
  double sum = 0, squares = 0, known = 0;
  for (const float value : values)
    if (std::isfinite(value)) sum += double{value}, ++known;
  const double mean = known > 0 ? sum / known : 0;
  for (const float value : values)
    if (std::isfinite(value)) squares += (double{value} - mean) * (double{value} - mean);
  return {mean, squares > 0 ? std::sqrt(known / squares) : 0};
}

std::size_t coordinates_of(const Feature& feature) {
  return feature.kind == FeatureKind::numeric ? 1 : feature.categories.size();
}

void write_column(const DatasetView& data, std::size_t feature, std::size_t at,
                  AffinityPoints& points) {
  const auto column = data.columns[feature];
  if (data.schema->features[feature].kind == FeatureKind::numeric) {
    const Column found = measure(column);
    for (std::size_t row = 0; row < points.rows; ++row)
      if (std::isfinite(column[row]))
        points.values[row * points.width + at] =
            static_cast<float>((double{column[row]} - found.mean) * found.scale);
    return;
  }
  const auto apart = static_cast<float>(std::sqrt(0.5));
  for (std::size_t row = 0; row < points.rows; ++row)
    if (std::isfinite(column[row]))
      points.values[row * points.width + at + static_cast<std::size_t>(column[row])] = apart;
}

// Mean over all pairs of rows that share a leaf: of n rows, sum over pairs of |a - b|^2 is
// n sum |a|^2 - |sum a|^2.
double mean_squared_distance(const AffinityPoints& points, const LeafIncidence& leaves) {
  std::vector<double> squares(points.rows);
  for (std::size_t row = 0; row < points.rows; ++row)
    for (std::size_t k = 0; k < points.width; ++k) {
      const double value = points.of(0, row)[k];
      squares[row] += value * value;
    }
  std::vector<double> sums(leaves.leaves() * points.width), of_squares(leaves.leaves());
  for (std::size_t tree = 0; tree < leaves.trees(); ++tree)
    for (std::size_t row = 0; row < points.rows; ++row) {
      const std::size_t leaf = leaves.leaf(tree, row);
      of_squares[leaf] += squares[row];
      for (std::size_t k = 0; k < points.width; ++k)
        sums[leaf * points.width + k] += double{points.of(0, row)[k]};
    }
  double total = 0, pairs = 0;
  for (std::size_t leaf = 0; leaf < leaves.leaves(); ++leaf) {
    const double size = leaves.sizes()[leaf];
    double norm = 0;
    for (std::size_t k = 0; k < points.width; ++k)
      norm += sums[leaf * points.width + k] * sums[leaf * points.width + k];
    total += std::max(0.0, size * of_squares[leaf] - norm);
    pairs += size * (size - 1) / 2;
  }
  return pairs > 0 ? total / pairs : 0;
}

}  // namespace

AffinityPoints standard_points(const DatasetView& data) {
  AffinityPoints points{.rows = data.rows};
  for (const Feature& feature : data.schema->features) points.width += coordinates_of(feature);
  points.values.resize(points.rows * points.width);
  for (std::size_t f = 0, at = 0; f < data.columns.size(); ++f) {
    write_column(data, f, at, points);
    at += coordinates_of(data.schema->features[f]);
  }
  return points;
}

AffinityPoints gaussian_points(const DatasetView& data, const LeafIncidence& leaves,
                               double& length) {
  AffinityPoints points = standard_points(data);
  if (length <= 0) length = std::sqrt(mean_squared_distance(points, leaves));
  if (length <= 0) length = 1;
  for (float& value : points.values) value = static_cast<float>(double{value} / length);
  return points;
}

}  // namespace coppice
