// Random data sets with every kind of column that tests should meet: ties, neighbouring floats,
// infinities, missing values, constants, many categories. The same on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "coppice/dataset.h"

namespace coppice::test {

enum class WeightKind { none, whole, fractional };

struct DataShape {
  std::size_t rows = 40;
  std::size_t numeric = 2;
  std::size_t categorical = 1;
  std::uint32_t most_categories = 6;  // of a column: 1 ... this
  std::uint32_t classes = 3;          // 0: regression
  std::size_t targets = 1;            // regression only
  bool missing = true;
  bool extreme = false;  // infinities, neighbouring floats, the largest and the least of them
  WeightKind weights = WeightKind::none;  // whole and fractional ones include 0
};

inline float random_normal(RandomStream& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return static_cast<float>(sum - 6);
}

inline float extreme_value(RandomStream& random) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array kValues{-Limits::infinity(),
                               Limits::infinity(),
                               -Limits::max(),
                               Limits::max(),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               0.0f,
                               -0.0f,
                               1.0f};
  return kValues[random.below(kValues.size())];
}

// A way to fill a numeric column; drawn once per column.
inline float (*random_filling(RandomStream& random, bool extreme))(RandomStream&) {
  constexpr std::array<float (*)(RandomStream&), 6> kFillings{
      [](RandomStream& r) { return static_cast<float>(r.below(4)); },
      [](RandomStream& r) { return static_cast<float>(r.below(12)) / 4 - 1; },
      [](RandomStream& r) { return random_normal(r); },
      [](RandomStream& r) { return std::nextafter(1.5f, r.below(2) == 0 ? 1.0f : 2.0f); },
      [](RandomStream& r) { return extreme_value(r); },
      [](RandomStream&) { return 2.5f; }};
  return kFillings[random.below(extreme ? 6 : 3)];
}

inline void add_column(RandomStream& random, const DataShape& shape, FeatureKind kind,
                       Dataset& data) {
  Feature feature{"x" + std::to_string(data.columns.size()), kind};
  std::vector<float> column(shape.rows);
  const std::uint32_t missing = shape.missing ? random.below(4) : 0;  // tenths
  const auto filling = random_filling(random, shape.extreme);
  const std::uint32_t categories = 1 + random.below(shape.most_categories);
  if (kind == FeatureKind::categorical)
    for (std::uint32_t c = 0; c < categories; ++c)
      feature.categories.push_back("c" + std::to_string(100 + c));
  for (float& value : column) {
    value = kind == FeatureKind::categorical ? static_cast<float>(random.below(categories))
                                             : filling(random);
    if (random.below(10) < missing) value = kMissing;
  }
  data.schema.features.push_back(std::move(feature));
  data.columns.push_back(std::move(column));
}

// What a target may follow: a bounded number made of the row's values.
inline double signal(const Dataset& data, std::size_t row) {
  double sum = 0;
  for (std::size_t f = 0; f < data.columns.size(); ++f) {
    const float value = data.columns[f][row];
    if (std::isnan(value)) continue;
    const double bounded = std::fmin(8, std::fmax(-8, value));
    sum += f % 2 == 0 ? bounded : std::fmod(bounded, 2.0);
  }
  return sum;
}

inline void add_labels(RandomStream& random, const DataShape& shape, Dataset& data) {
  data.schema.targets = {"y"};
  for (std::uint32_t c = 0; c < shape.classes; ++c)
    data.schema.classes.push_back("k" + std::to_string(c));
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const auto pattern = static_cast<std::uint32_t>(std::floor(signal(data, row)) + 1000);
    data.labels.push_back(random.below(3) == 0 ? random.below(shape.classes)
                                               : pattern % shape.classes);
  }
}

inline void add_targets(RandomStream& random, const DataShape& shape, Dataset& data) {
  const bool coarse = random.below(2) == 0;
  const double scale = std::array{1.0, 1e-3, 1e6}[random.below(3)];
  for (std::size_t k = 0; k < shape.targets; ++k)
    data.schema.targets.push_back("y" + std::to_string(k));
  for (std::size_t row = 0; row < shape.rows; ++row)
    for (std::size_t k = 0; k < shape.targets; ++k) {
      const double noise =
          coarse ? static_cast<double>(random.below(3)) : double{random_normal(random)};
      const double value = (k % 2 == 0 ? 1 : -2) * signal(data, row) + noise;
      data.targets.push_back(scale * (coarse ? std::floor(value) : value));
    }
}

inline void add_weights(RandomStream& random, const DataShape& shape, Dataset& data) {
  if (shape.weights == WeightKind::none) return;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const auto whole = static_cast<float>(random.below(4));
    data.weights.push_back(shape.weights == WeightKind::whole ? whole : whole / 3);
  }
  data.weights[random.below(static_cast<std::uint32_t>(shape.rows))] = 1;  // not all 0
}

inline Dataset random_dataset(RandomStream random, const DataShape& shape) {
  Dataset data;
  data.rows = shape.rows;
  for (std::size_t i = 0; i < shape.numeric; ++i)
    add_column(random, shape, FeatureKind::numeric, data);
  for (std::size_t i = 0; i < shape.categorical; ++i)
    add_column(random, shape, FeatureKind::categorical, data);
  if (shape.classes > 0) {
    add_labels(random, shape, data);
  } else {
    add_targets(random, shape, data);
  }
  add_weights(random, shape, data);
  return data;
}

}  // namespace coppice::test
