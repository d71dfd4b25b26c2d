// The first split of a forest against the best of all splits by textbook formulas, in plain doubles
// and without any sums: whatever is scanned, the energy is the one of the books.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/predict.h"

namespace coppice {
namespace {

using Rows = std::vector<std::size_t>;  // a row of weight two stands there twice

// What splitting all rows into two parts along a feature gains.
using Gain =
    std::function<double(const Dataset&, std::size_t feature, const Rows& left, const Rows& right)>;

struct EnergyCase {
  std::string name;
  TaskChoice task;
  std::size_t targets;  // 0: classes
  Gain gain;
};
void PrintTo(const EnergyCase& tested, std::ostream* out) { *out << tested.name; }

Rows joined(const Rows& left, const Rows& right) {
  Rows all = left;
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

double size(const Rows& rows) { return static_cast<double>(rows.size()); }

double target(const Dataset& data, std::size_t row, std::size_t k) {
  return data.targets[row * data.schema.targets.size() + k];
}

double mean_of(const Rows& rows, const std::function<double(std::size_t)>& value) {
  double sum = 0;
  for (const std::size_t row : rows) sum += value(row);
  return sum / size(rows);
}

double covariance_of(const Rows& rows, const std::function<double(std::size_t)>& a,
                     const std::function<double(std::size_t)>& b) {
  const double mean_a = mean_of(rows, a), mean_b = mean_of(rows, b);
  return mean_of(rows, [&](std::size_t row) { return (a(row) - mean_a) * (b(row) - mean_b); });
}

auto target_of(const Dataset& data, std::size_t k) {
  return [&data, k](std::size_t row) { return target(data, row, k); };
}

// --- The energies --------------------------------------------------------------------------------

double twoing(const Dataset& data, std::size_t, const Rows& left, const Rows& right) {
  double distance = 0;
  for (std::uint32_t c = 0; c < data.schema.classes.size(); ++c) {
    const auto is_c = [&](std::size_t row) { return data.labels[row] == c ? 1.0 : 0.0; };
    distance += std::abs(mean_of(left, is_c) - mean_of(right, is_c));
  }
  const double n = size(left) + size(right);
  return n * (size(left) / n) * (size(right) / n) / 4 * distance * distance;
}

double absolute_deviation(const Dataset& data, const Rows& rows) {
  double sum = 0;
  for (std::size_t k = 0; k < data.schema.targets.size(); ++k) {
    std::vector<double> sorted;
    for (const std::size_t row : rows) sorted.push_back(target(data, row, k));
    std::sort(sorted.begin(), sorted.end());
    for (const double y : sorted) sum += std::abs(y - sorted[sorted.size() / 2]);
  }
  return sum;
}

double absolute(const Dataset& data, std::size_t, const Rows& left, const Rows& right) {
  return absolute_deviation(data, joined(left, right)) - absolute_deviation(data, left) -
         absolute_deviation(data, right);
}

constexpr double kKappa = 0.7;

// Mean variance of targets and kappa times that of features, all scaled to [0, 1].
double compactness(const Dataset& data, const Rows& rows) {
  Rows all(data.rows);
  std::iota(all.begin(), all.end(), 0u);
  const auto scaled_variance = [&](const std::function<double(std::size_t)>& value) {
    double least = INFINITY, most = -INFINITY;
    for (const std::size_t row : all) {
      least = std::min(least, value(row));
      most = std::max(most, value(row));
    }
    return covariance_of(rows, value, value) / ((most - least) * (most - least));
  };
  double of_targets = 0, of_features = 0;
  for (std::size_t k = 0; k < data.schema.targets.size(); ++k)
    of_targets += scaled_variance(target_of(data, k));
  for (const std::vector<float>& column : data.columns)
    of_features += scaled_variance([&](std::size_t row) { return double{column[row]}; });
  return size(rows) * (of_targets / static_cast<double>(data.schema.targets.size()) +
                       kKappa * of_features / static_cast<double>(data.columns.size()));
}

double feature_variance(const Dataset& data, std::size_t, const Rows& left, const Rows& right) {
  return compactness(data, joined(left, right)) - compactness(data, left) -
         compactness(data, right);
}

// n log |C + 0.01 diag(C of the node)| for one or two targets.
double log_det_of(const Dataset& data, const Rows& rows, const Rows& node) {
  const auto c = [&](std::size_t k, std::size_t l) {
    const double ridge =
        k == l ? 0.01 * covariance_of(node, target_of(data, k), target_of(data, k)) : 0;
    return covariance_of(rows, target_of(data, k), target_of(data, l)) + ridge;
  };
  const double determinant =
      data.schema.targets.size() == 1 ? c(0, 0) : c(0, 0) * c(1, 1) - c(0, 1) * c(0, 1);
  return size(rows) * std::log(determinant);
}

double log_det(const Dataset& data, std::size_t, const Rows& left, const Rows& right) {
  const Rows all = joined(left, right);
  return log_det_of(data, all, all) - log_det_of(data, left, all) - log_det_of(data, right, all);
}

// Sum of 1/2 log v_i by X'X itself: b = (X'X)^-1 X'y, s^2 = RSS / (n - 2),
// v_i = s^2 (1 + x_i' (X'X)^-1 x_i) with x_i = (1, x).
double entropy_of_line(const Dataset& data, std::size_t feature, const Rows& rows,
                       const Rows& node) {
  const std::vector<float>& x = data.columns[feature];
  const double n = size(rows);
  double sx = 0, sxx = 0;
  for (const std::size_t row : rows) sx += x[row], sxx += double{x[row]} * double{x[row]};
  const double determinant = n * sxx - sx * sx;
  if (n < 3 || determinant < 1e-10 * n * sxx) return INFINITY;
  double entropy = 0;
  for (std::size_t k = 0; k < data.schema.targets.size(); ++k) {
    double sy = 0, sxy = 0, rss = 0;
    for (const std::size_t row : rows)
      sy += target(data, row, k), sxy += double{x[row]} * target(data, row, k);
    const double b0 = (sxx * sy - sx * sxy) / determinant, b1 = (n * sxy - sx * sy) / determinant;
    for (const std::size_t row : rows) {
      const double residual = target(data, row, k) - b0 - b1 * double{x[row]};
      rss += residual * residual;
    }
    const double least = 1e-4 * n * covariance_of(node, target_of(data, k), target_of(data, k));
    for (const std::size_t row : rows) {
      const double at = x[row];
      const double leverage = (sxx - 2 * at * sx + n * at * at) / determinant;
      entropy += 0.5 * std::log(std::max(rss, least) / (n - 2) * (1 + leverage));
    }
  }
  return entropy;
}

double lines(const Dataset& data, std::size_t feature, const Rows& left, const Rows& right) {
  const Rows all = joined(left, right);
  return entropy_of_line(data, feature, all, all) - entropy_of_line(data, feature, left, all) -
         entropy_of_line(data, feature, right, all);
}

std::vector<EnergyCase> energy_cases() {
  const TaskChoice by_twoing = Classification{TwoingObjective{}, {}};
  const TaskChoice by_deviation = Regression{AbsoluteDeviationObjective{}};
  const TaskChoice by_features = Regression{FeatureVarianceObjective{kKappa}};
  const TaskChoice by_log_det = Regression{LogDetObjective{}};
  const TaskChoice by_lines = Regression{ProbabilisticLinearObjective{}};
  return {{"twoing", by_twoing, 0, twoing},
          {"absolute", by_deviation, 1, absolute},
          {"absolute_of_two", by_deviation, 2, absolute},
          {"variance_features", by_features, 1, feature_variance},
          {"variance_features_of_two", by_features, 2, feature_variance},
          {"log_det", by_log_det, 1, log_det},
          {"log_det_of_two", by_log_det, 2, log_det},
          {"lines", by_lines, 1, lines},
          {"lines_of_two", by_lines, 2, lines}};
}

// --- The comparison ------------------------------------------------------------------------------

Dataset random_data(RandomStream random, std::size_t targets) {
  Dataset data;
  data.rows = 6 + random.below(50);
  for (std::size_t f = 0; f < 3; ++f) {
    data.schema.features.push_back({.name = "x" + std::to_string(f)});
    data.columns.emplace_back();
    const std::uint32_t values = random.below(2) == 0 ? 7 : 1000;
    for (std::size_t row = 0; row < data.rows; ++row)
      data.columns[f].push_back(static_cast<float>(random.below(values)) / 8);
  }
  const auto step = [&](std::size_t f, std::size_t row) {
    return data.columns[f][row] > data.columns[f][0];
  };
  for (std::size_t row = 0; row < data.rows; ++row) {
    data.weights.push_back(static_cast<float>(1 + random.below(3)));
    for (std::size_t k = 0; k < targets; ++k)
      data.targets.push_back((step(k, row) ? 5 : 1) + (step(2, row) ? 1 : -1) * random.uniform() +
                             double{data.columns[k][row]} / 10);
    if (targets == 0)
      data.labels.push_back(random.below(3) == 0 ? random.below(4)
                                                 : step(0, row) + 2 * step(1, row));
  }
  for (std::size_t k = 0; k < std::max<std::size_t>(1, targets); ++k)
    data.schema.targets.push_back("y" + std::to_string(k));
  if (targets == 0) data.schema.classes = {"a", "b", "c", "d"};
  return data;
}

class Energy : public testing::TestWithParam<EnergyCase> {};

TEST_P(Energy, FirstSplitIsTheBestOfAll) {
  std::size_t splits = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Dataset data = random_data(RandomStream(seed), GetParam().targets);
    FitOptions options;
    options.task = GetParam().task;
    options.forest.trees = 1;
    options.sampling.bagging = Bagging::none;
    options.split.thresholds = ExactThresholds{};
    options.split.max_features = AllFeatures{};
    options.growth.max_depth = 1;
    options.growth.min_samples_leaf = 1 + seed % 4;
    options.report.out_of_bag = false;

    // Of a split at a threshold; nothing if a side has too few rows or no line.
    const auto gain = [&](std::size_t feature, float threshold) {
      Rows left, right;
      std::size_t rows_left = 0;
      for (std::size_t row = 0; row < data.rows; ++row) {
        Rows& side = data.columns[feature][row] < threshold ? left : right;
        rows_left += &side == &left;
        side.insert(side.end(), static_cast<std::size_t>(data.weights[row]), row);
      }
      const std::size_t fewest = std::min(rows_left, data.rows - rows_left);
      if (fewest < options.growth.min_samples_leaf) return -INFINITY;
      const double found = static_cast<float>(GetParam().gain(data, feature, left, right));
      return static_cast<float>(std::isnan(found) ? -INFINITY : found);
    };
    float best = -INFINITY;
    for (std::size_t f = 0; f < data.columns.size(); ++f)
      for (const float value : data.columns[f]) best = std::max(best, gain(f, value));

    const Forest forest = fit(data.view(), options).forest;
    if (forest.arrays().splits() == 0) {
      EXPECT_LE(best, 1e-4) << "seed " << seed;
      continue;
    }
    ++splits;
    const Split chosen = forest.arrays().split(0, 0);
    EXPECT_NEAR(gain(chosen.feature, chosen.threshold), best, 1e-4 * (1 + std::abs(best)))
        << "seed " << seed;
  }
  EXPECT_GT(splits, 100u);
}

INSTANTIATE_TEST_SUITE_P(Table, Energy, testing::ValuesIn(energy_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace coppice
