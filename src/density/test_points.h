// Points, grids and a two-sample test for the tests of densities.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/portable_math.h"
#include "base/random_stream.h"
#include "coppice/dataset.h"
#include "coppice/density.h"
#include "density/normal_share.h"

namespace coppice::test {

inline constexpr double kPi = 3.14159265358979323846;

inline Dataset rows_of(std::span<const float> row_major, std::size_t features) {
  Dataset data;
  data.rows = row_major.size() / features;
  data.columns.resize(features);
  for (std::size_t f = 0; f < features; ++f) {
    data.schema.features.push_back({"x" + std::to_string(f + 1)});
    for (std::size_t row = 0; row < data.rows; ++row)
      data.columns[f].push_back(row_major[row * features + f]);
  }
  return data;
}

// Along x = sin t, y = +-(cos t - 1): three values of y for x about 0.
inline Dataset s_shape(std::size_t rows, std::uint64_t seed) {
  std::vector<float> points;
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random = RandomStream(seed).child(row);
    const double t = 3 * kPi * (random.uniform() - 0.5);
    const double y = (t < 0 ? -1 : 1) * (1 - std::cos(t));
    points.push_back(static_cast<float>(std::sin(t) + 0.08 * standard_normal(random)));
    points.push_back(static_cast<float>(y + 0.08 * standard_normal(random)));
  }
  return rows_of(points, 2);
}

// Two Gaussian clouds that overlap, of any number of features.
inline Dataset two_clouds(std::size_t rows, std::size_t features, std::uint64_t seed) {
  std::vector<float> points;
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random = RandomStream(seed).child(row);
    const double side = random.uniform() < 0.5 ? -0.6 : 0.6, common = standard_normal(random);
    for (std::size_t f = 0; f < features; ++f)
      points.push_back(static_cast<float>(side + 0.4 * common + 0.7 * standard_normal(random)));
  }
  return rows_of(points, features);
}

inline Dataset grid_points(double reach, std::size_t steps) {
  std::vector<float> points;
  const double step = 2 * reach / static_cast<double>(steps);
  for (std::size_t i = 0; i < steps; ++i)
    for (std::size_t j = 0; j < steps; ++j) {
      points.push_back(static_cast<float>(-reach + step * (static_cast<double>(i) + 0.5)));
      points.push_back(static_cast<float>(-reach + step * (static_cast<double>(j) + 0.5)));
    }
  return rows_of(points, 2);
}

// Quasi-random points of N(0, spread^2 I) and their log densities.
struct Proposal {
  Dataset data;
  std::vector<double> log_q;

  Proposal(std::size_t features, std::size_t points, double spread) {
    constexpr double kRoots[]{1.41421356237309515, 1.73205080756887729, 2.23606797749978969,
                              2.64575131106459059, 3.31662479035539985, 3.60555127546398929};
    std::vector<float> rows;
    for (std::size_t i = 0; i < points; ++i) {
      double log = 0;
      for (std::size_t f = 0; f < features; ++f) {
        const double u = std::fmod(0.37 + static_cast<double>(i + 1) * kRoots[f], 1.0);
        const auto x = static_cast<float>(spread * normal_quantile(u));
        rows.push_back(x);
        const double z = double{x} / spread;
        log -= z * z / 2 + std::log(spread * std::sqrt(2 * kPi));
      }
      log_q.push_back(log);
    }
    data = rows_of(rows, features);
  }
};

// Draws from a density of two features without its help: cells of a fine grid by their density.
inline std::vector<float> draw_from_grid(const DensityModel& model, std::size_t count,
                                         std::uint64_t seed) {
  constexpr double kReach = 5;
  constexpr std::size_t kSteps = 700;
  const Dataset grid = grid_points(kReach, kSteps);
  std::vector<double> cumulated;
  double sum = 0;
  for (const double log : model.log_density(grid.view())) cumulated.push_back(sum += std::exp(log));
  std::vector<float> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random = RandomStream(seed).child(i);
    const auto cell = static_cast<std::size_t>(
        std::upper_bound(cumulated.begin(), cumulated.end(), random.uniform() * sum) -
        cumulated.begin());
    for (const auto& column : grid.columns)
      drawn.push_back(column[std::min(cell, grid.rows - 1)] +
                      static_cast<float>((random.uniform() - 0.5) * 2 * kReach / kSteps));
  }
  return drawn;
}

// The share of random relabellings of points of two features whose energy distance (Szekely and
// Rizzo 2004) is at least that of the two samples.
inline double energy_test(std::span<const float> a, std::span<const float> b,
                          std::size_t relabellings) {
  std::vector<float> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  const std::size_t count = all.size() / 2, first = a.size() / 2;
  std::vector<float> distance(count * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      distance[i * count + j] =
          std::hypot(all[2 * i] - all[2 * j], all[2 * i + 1] - all[2 * j + 1]);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto energy = [&] {
    double within = 0, across = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        ((i < first) == (j < first) ? within : across) += distance[order[i] * count + order[j]];
    return across - within;  // up to a scale, the samples being of one size
  };
  const double observed = energy();
  RandomStream random(1);
  std::size_t at_least = 1;
  for (std::size_t n = 0; n < relabellings; ++n) {
    for (std::size_t i = count; i-- > 1;)
      std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
    at_least += energy() >= observed;
  }
  return static_cast<double>(at_least) / static_cast<double>(relabellings + 1);
}

}  // namespace coppice::test
