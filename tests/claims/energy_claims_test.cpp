// What the papers say of energies and of the lines in leaves, as numbers on generated rows:
// Criminisi, Shotton, Konukoglu (2012), chapters 2 and 4; Einfalt (2014), chapters 3 and 5.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/portable_math.h"
#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "objective/class_impurity.h"
#include "objective/log_det.h"
#include "objective/variance.h"

namespace coppice {
namespace {

// --- Information gain of classes: figure 2.5 -----------------------------------------------------

struct Point {
  double x, y;
  std::uint32_t label = 0;
};

// Natural logarithms, as the report's numbers have them.
double entropy_gain(const std::vector<Point>& points, const auto& goes_left) {
  const EntropyImpurity entropy{{{}, 4}};
  std::vector<std::uint32_t> left(4), right(4), both(4);
  for (const Point& point : points) {
    ++(goes_left(point) ? left : right)[point.label];
    ++both[point.label];
  }
  const double bits =
      entropy.cost(both.data()) - entropy.cost(left.data()) - entropy.cost(right.data());
  return bits * std::log(2.0) / static_cast<double>(points.size());
}

// Four classes of as many points: two on the left, two on the right; of each pair one lies above or
// below the middle, and about three quarters of the other one.
std::vector<Point> four_classes() {
  std::vector<Point> points;
  for (std::uint32_t label = 0; label < 4; ++label)
    for (int i = 0; i < 100; ++i) {
      const bool pure = label % 3 == 0,
                 above = label == 0 || (label == 1 && i < 72) || (label == 2 && i >= 72);
      points.push_back({label < 2 ? -1.0 : 1.0, above || (pure && label == 0) ? 1.0 : -1.0, label});
    }
  return points;
}

TEST(Figure2_5, VerticalSplitGainsMoreThanTheHorizontalOne) {
  const std::vector<Point> points = four_classes();
  const double horizontal = entropy_gain(points, [](const Point& p) { return p.y < 0; });
  const double vertical = entropy_gain(points, [](const Point& p) { return p.x < 0; });
  EXPECT_NEAR(horizontal, 0.4, 0.005);
  EXPECT_NEAR(vertical, 0.69, 0.005);
}

// --- Information gain of Gaussians: figure 2.6, equations 2.9 and 4.6 ----------------------------

// Four clouds at (+-a, +-b), each of standard deviation 1 along both axes.
std::vector<double> four_clouds(double a, double b) {
  std::vector<double> points;
  RandomStream random(3);
  for (int i = 0; i < 40'000; ++i) {
    points.push_back((i % 2 == 0 ? a : -a) + standard_normal(random));
    points.push_back((i % 4 < 2 ? b : -b) + standard_normal(random));
  }
  return points;
}

double gaussian_gain(const std::vector<double>& points, std::size_t along) {
  const FixedPointTargets targets(points, 2);
  LogDet objective(targets);
  std::vector<LogDet::Item> items;
  for (std::uint32_t row = 0; row < points.size() / 2; ++row)
    items.push_back(objective.item(row, 1));
  objective.begin_node(items);
  std::vector<std::int64_t> left(objective.statistics_size()), right = left, both = left;
  for (std::size_t i = 0; i < items.size(); ++i) {
    objective.add((points[2 * i + along] < 0 ? left : right).data(), items[i]);
    objective.add(both.data(), items[i]);
  }
  const double logs =
      objective.cost(both.data()) - objective.cost(left.data()) - objective.cost(right.data());
  return logs / 2 / static_cast<double>(items.size());
}

// A split along an axis that separates two means +-m of unit variance gains 1/2 log(1 + m^2), so
// the figure's 1.08 and 2.43 are means of 2.77 and 11.3. The regularisation of the covariance adds
// a hundredth of the whole variance to that of each side.
TEST(Figure2_6, GainsAreThoseOfGaussians) {
  const double a = std::sqrt(std::exp(2 * 2.43) - 1), b = std::sqrt(std::exp(2 * 1.08) - 1);
  const std::vector<double> points = four_clouds(a, b);
  const auto expected = [](double mean) {
    const double whole = 1 + mean * mean, ridge = LogDet::kRidge * whole;
    return 0.5 * std::log((whole + ridge) / (1 + ridge));
  };
  EXPECT_NEAR(gaussian_gain(points, 0), expected(a), 0.02);
  EXPECT_NEAR(gaussian_gain(points, 1), expected(b), 0.02);
  EXPECT_NEAR(expected(b), 1.08, 0.05);
  EXPECT_GT(gaussian_gain(points, 0), 1.8 * gaussian_gain(points, 1));
}

// --- Incremental solutions of constant regression: Einfalt, equations 5.9 to 5.12 ----------------

struct Constant {
  double n = 0, b = 0, s2 = 0;  // samples, mean, error variance

  void add(double y) {
    s2 = n == 0 ? 0 : (n - 1) / n * s2 + (y - b) * (y - b) / (n + 1);  // 5.10
    b = n / (n + 1) * b + y / (n + 1);                                 // 5.9
    n += 1;
  }
  void remove(double y) {
    const double left = n - 1;
    s2 = left < 2 ? 0 : left / (left - 1) * s2 - n / (left * (left - 1)) * (y - b) * (y - b);
    b = n / left * b - y / left;  // 5.11
    n = left;
  }
  double squares() const { return (n - 1) * s2; }
};

TEST(Equations5_9To5_12, EqualRecomputationAndTheScan) {
  RandomStream random(1);
  std::vector<double> y;
  for (int i = 0; i < 50; ++i) y.push_back(10 + 3 * standard_normal(random));
  const FixedPointTargets targets(y, 1);
  const Variance objective{targets};
  std::vector<std::int64_t> all(2);
  double squares = 0;  // what the cost leaves out, see objective/variance.h
  for (std::uint32_t row = 0; row < y.size(); ++row) {
    objective.add(all.data(), objective.item(row, 1));
    squares += std::pow(y[row] - targets.centre(0), 2);
  }
  Constant left, right;
  for (const double value : y) right.add(value);
  const RunningSplit<Variance>::Start start(objective, all);
  RunningSplit<Variance> running(start, {});
  for (std::uint32_t row = 0; row + 2 < y.size(); ++row) {
    left.add(y[row]);
    right.remove(y[row]);
    running.move(objective.item(row, 1));
    const auto cut = y.begin() + row + 1;
    const double mean = std::accumulate(cut, y.end(), 0.0) / static_cast<double>(y.end() - cut);
    double of_right = 0;
    for (auto at = cut; at != y.end(); ++at) of_right += (*at - mean) * (*at - mean);
    EXPECT_NEAR(right.b, mean, 1e-9);
    EXPECT_NEAR(right.squares(), of_right, 1e-7);
    EXPECT_NEAR(running.children_cost() + squares, left.squares() + right.squares(), 1e-4);
  }
}

// --- Lines in leaves: Einfalt, section 3.4; Criminisi, section 4.3 -------------------------------

Dataset noisy_line(std::size_t rows) {
  Dataset data;
  data.schema = {{{"x"}}, {"y"}, {}};
  data.rows = rows;
  data.columns.resize(1);
  RandomStream random(5);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = static_cast<float>(random.uniform() * 4 - 1);
    data.columns[0].push_back(x);
    data.targets.push_back(2 - 3 * double{x} + 0.5 * standard_normal(random));
  }
  return data;
}

struct Line {
  double n = 0, mean_x = 0, mean_y = 0, sxx = 0, slope = 0, s2 = 0;

  explicit Line(const Dataset& data) {
    const std::vector<float>& x = data.columns[0];
    n = static_cast<double>(data.rows);
    for (std::size_t i = 0; i < x.size(); ++i)
      mean_x += double{x[i]} / n, mean_y += data.targets[i] / n;
    double sxy = 0, rss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sxx += (x[i] - mean_x) * (x[i] - mean_x);
      sxy += (x[i] - mean_x) * (data.targets[i] - mean_y);
    }
    slope = sxy / sxx;
    for (std::size_t i = 0; i < x.size(); ++i) rss += std::pow(data.targets[i] - at(x[i]), 2);
    s2 = rss / (n - 2);  // 3.22
  }
  double at(double x) const { return mean_y + slope * (x - mean_x); }
  // Of the prediction: s^2 x' (X'X)^-1 x (3.30).
  double variance(double x) const { return s2 * (1 / n + (x - mean_x) * (x - mean_x) / sxx); }
};

Predictions answers_of_one_leaf(const Dataset& data, std::uint32_t trees,
                                const std::vector<float>& at) {
  FitOptions options;
  options.task = Regression{{}, ProbabilisticLinearLeaf{1}};
  options.forest.trees = trees;
  options.sampling.bagging = Bagging::none;
  options.growth.max_depth = 0;
  options.report.out_of_bag = false;
  return Predictor(fit(data.view(), options).forest).predict_rows(at);
}

const std::vector<float> kPlaces{-20, -5, -1, 0, 1, 2, 3, 6, 40};

// A forest of depth D = 1 is linear regression, however many trees it has (figure 4.5's left end).
TEST(OneLeaf, IsLinearRegression) {
  const Dataset data = noisy_line(80);
  const Line line(data);
  for (const std::uint32_t trees : {1u, 20u}) {
    const Predictions answers = answers_of_one_leaf(data, trees, kPlaces);
    for (std::size_t i = 0; i < kPlaces.size(); ++i)
      EXPECT_NEAR(answers.mean[i], line.at(kPlaces[i]), 1e-4 * (1 + std::abs(kPlaces[i])));
  }
}

// The forest predicts an observation: the variance of the line by 3.30, and s^2 of the noise.
TEST(OneLeaf, VarianceIsEquation3_30PlusTheNoise) {
  const Dataset data = noisy_line(80);
  const Line line(data);
  const Predictions answers = answers_of_one_leaf(data, 1, kPlaces);
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const double expected = line.s2 + line.variance(kPlaces[i]);
    EXPECT_NEAR(answers.variance[i], expected, 1e-3 * expected) << kPlaces[i];
  }
}

TEST(OneLeaf, VarianceGrowsAwayFromTheData) {
  const Dataset data = noisy_line(80);
  const Predictions answers = answers_of_one_leaf(data, 1, {1, 3, 5, 10, 30});
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GT(answers.variance[i], answers.variance[i - 1]);
  EXPECT_GT(answers.variance[4], 1.5 * answers.variance[0]);
}

// --- Splits by lines: Einfalt, figure 5.1 --------------------------------------------------------

// A tree of two levels whose splits look at lines follows a parabola better than one of as many
// levels whose splits look at constants; leaves are lines in both.
TEST(SplitsByLines, NeedLessDepthForAParabola) {
  Dataset data, fresh;
  for (Dataset* set : {&data, &fresh}) {
    set->schema = {{{"x"}}, {"y"}, {}};
    set->rows = 300;
    set->columns.resize(1);
    RandomStream random(set == &data ? 1 : 2);
    for (std::size_t row = 0; row < set->rows; ++row) {
      const auto x = static_cast<float>(random.uniform() * 10 - 5);
      set->columns[0].push_back(x);
      set->targets.push_back(double{x} * double{x} + 2 * standard_normal(random));
    }
  }
  const auto error = [&](const auto& objective, std::uint32_t depth) {
    FitOptions options;
    options.task = Regression{objective, LinearLeaf{.regressors = 1, .ridge = 0}};
    options.forest.trees = 1;
    options.sampling.bagging = Bagging::none;
    options.split.thresholds = ExactThresholds{};
    options.growth.max_depth = depth;
    options.growth.min_samples_leaf = 10;
    options.report.out_of_bag = false;
    const Predictions answers = Predictor(fit(data.view(), options).forest).predict(fresh.view());
    double squares = 0;
    for (std::size_t row = 0; row < fresh.rows; ++row)
      squares += std::pow(answers.mean[row] - std::pow(fresh.columns[0][row], 2), 2);
    return squares / static_cast<double>(fresh.rows);
  };
  EXPECT_LT(error(ProbabilisticLinearObjective{}, 2), 0.7 * error(VarianceObjective{}, 2));
}

}  // namespace
}  // namespace coppice
