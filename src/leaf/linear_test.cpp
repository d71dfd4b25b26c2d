// Linear leaves against least squares worked out by elimination, and against formulas of lines.
#include "leaf/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"
#include "coppice/coppice.h"

namespace coppice {
namespace {

// Rows with features drawn from [0, 10) and a target that is linear in them, with noise.
Dataset linear_data(std::size_t rows, std::size_t features, double noise, std::uint64_t seed) {
  RandomStream random(seed);
  Dataset data;
  data.rows = rows;
  data.schema.targets = {"y"};
  data.columns.resize(features);
  const auto uniform = [&] { return static_cast<double>(random.below(1u << 20)) / (1u << 20); };
  for (std::size_t f = 0; f < features; ++f)
    data.schema.features.push_back({"x" + std::to_string(f), FeatureKind::numeric});
  for (std::size_t row = 0; row < rows; ++row) {
    double y = 7 + noise * (uniform() - 0.5);
    for (std::size_t f = 0; f < features; ++f) {
      data.columns[f].push_back(static_cast<float>(10 * uniform()));
      y += (static_cast<double>(f) - 1.5) * static_cast<double>(data.columns[f][row]);
    }
    data.targets.push_back(y);
  }
  return data;
}

// Solves M b = v by elimination with pivots.
std::vector<double> solved(std::vector<std::vector<double>> m, std::vector<double> v) {
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r)
      if (std::abs(m[r][i]) > std::abs(m[pivot][i])) pivot = r;
    std::swap(m[i], m[pivot]);
    std::swap(v[i], v[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = m[r][i] / m[i][i];
      for (std::size_t c = 0; c < n; ++c) m[r][c] -= factor * m[i][c];
      v[r] -= factor * v[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) v[i] /= m[i][i];
  return v;
}

// Least squares with an intercept on raw features: the closed form b = (X'X)^-1 X'y.
struct ClosedForm {
  std::vector<std::vector<double>> gram;
  std::vector<double> b;
  double s2 = 0;

  static std::vector<double> design(const Dataset& data, std::size_t row) {
    std::vector<double> x{1};
    for (const auto& column : data.columns) x.push_back(static_cast<double>(column[row]));
    return x;
  }

  explicit ClosedForm(const Dataset& data) {
    const std::size_t size = data.columns.size() + 1;
    gram.assign(size, std::vector<double>(size));
    std::vector<double> moments(size);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::vector<double> x = design(data, row);
      for (std::size_t i = 0; i < size; ++i) {
        moments[i] += x[i] * data.targets[row];
        for (std::size_t j = 0; j < size; ++j) gram[i][j] += x[i] * x[j];
      }
    }
    b = solved(gram, moments);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double residual = data.targets[row] - mean(design(data, row));
      s2 += residual * residual / static_cast<double>(data.rows - size);
    }
  }

  double mean(const std::vector<double>& x) const {
    return std::inner_product(x.begin(), x.end(), b.begin(), 0.0);
  }
  // Einfalt 2014, eq. 3.30.
  double variance(const std::vector<double>& x) const {
    const std::vector<double> solution = solved(gram, x);
    return s2 * (1 + std::inner_product(x.begin(), x.end(), solution.begin(), 0.0));
  }
};

FitOptions single_leaf(Regression task) {
  FitOptions options;
  options.task = std::move(task);
  options.forest.trees = 1;
  options.sampling.bagging = Bagging::none;
  options.growth.max_depth = 0;
  return options;
}

TEST(LinearLeafModel, OneLeafIsLinearRegression) {
  const Dataset data = linear_data(200, 4, 3, 1), fresh = linear_data(50, 4, 3, 2);
  const ClosedForm expected(data);
  Regression task;
  task.leaf = LinearLeaf{.ridge = 0};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const Predictions answers = Predictor(fitted.forest).predict(fresh.view());
  for (std::size_t row = 0; row < fresh.rows; ++row) {
    EXPECT_NEAR(answers.mean[row], expected.mean(ClosedForm::design(fresh, row)), 2e-5);
    EXPECT_NEAR(answers.variance[row], expected.s2, 1e-5);
  }
}

TEST(LinearLeafModel, PredictiveVarianceIsTheClosedForm) {
  const Dataset data = linear_data(40, 3, 4, 3), fresh = linear_data(50, 3, 4, 4);
  const ClosedForm expected(data);
  Regression task;
  task.leaf = ProbabilisticLinearLeaf{};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const Predictions answers = Predictor(fitted.forest).predict(fresh.view());
  for (std::size_t row = 0; row < fresh.rows; ++row) {
    const std::vector<double> x = ClosedForm::design(fresh, row);
    EXPECT_NEAR(answers.mean[row], expected.mean(x), 2e-5);
    EXPECT_NEAR(answers.variance[row], expected.variance(x), 1e-4 * expected.variance(x));
  }
}

TEST(LinearLeafModel, VarianceGrowsAwayFromTheData) {
  const Dataset data = linear_data(30, 1, 5, 5);
  Regression task;
  task.leaf = ProbabilisticLinearLeaf{};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const Predictor predictor(fitted.forest);
  double last = 0;
  for (const float x : {5.0f, 10.0f, 20.0f, 50.0f, 100.0f}) {
    const double variance = predictor.predict_rows(std::span(&x, 1)).variance[0];
    EXPECT_GT(variance, last);
    last = variance;
  }
}

// Ridge: (T'T + a I) b = T'y with standardised t; for one feature b = n / (n + a) of least squares.
TEST(LinearLeafModel, RidgeShrinksTheSlope) {
  const Dataset data = linear_data(20, 1, 1, 6);
  const ClosedForm plain(data);
  Regression task;
  task.leaf = LinearLeaf{.ridge = 5};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const std::vector<float> rows{0, 10};
  const Predictions answers = Predictor(fitted.forest).predict_rows(rows);
  EXPECT_NEAR(answers.mean[1] - answers.mean[0], 10 * plain.b[1] * 20 / 25, 1e-5);
}

TEST(LinearLeafModel, APolynomialIsFoundExactly) {
  Dataset data = linear_data(60, 1, 0, 7);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double x = data.columns[0][row];
    data.targets[row] = 2 - x + 0.5 * x * x * x;
  }
  Regression task;
  task.leaf = LinearLeaf{.degree = 3, .ridge = 0};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const Predictor predictor(fitted.forest);
  for (const float x : {-1.0f, 0.5f, 4.0f, 12.0f})
    EXPECT_NEAR(predictor.predict_rows(std::span(&x, 1)).mean[0], 2 - x + 0.5 * x * x * x, 2e-3);
}

TEST(LinearLeafModel, DependentRegressorsAreRejected) {
  Dataset data = linear_data(50, 2, 1, 8);
  const ClosedForm expected(data);
  data.schema.features.push_back({"twice", FeatureKind::numeric});
  data.columns.emplace_back();
  for (std::size_t row = 0; row < data.rows; ++row)
    data.columns[2].push_back(2 * data.columns[0][row]);
  data.schema.features.push_back({"constant", FeatureKind::numeric});
  data.columns.emplace_back(data.rows, 4.4f);
  for (const double ridge : {0.0, 1e-9}) {
    Regression task;
    task.leaf = LinearLeaf{.ridge = ridge};
    const FitResult fitted = fit(data.view(), single_leaf(task));
    const Predictions answers = Predictor(fitted.forest).predict(data.view());
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::vector<double> x{1, double{data.columns[0][row]}, double{data.columns[1][row]}};
      EXPECT_NEAR(answers.mean[row], expected.mean(x), 1e-4);
    }
  }
}

// Noise features do not enter: the entropy says so.
TEST(LinearLeafModel, SelectionPrefersWhatExplains) {
  Dataset data = linear_data(100, 6, 0.5, 9);
  for (std::size_t row = 0; row < data.rows; ++row)
    data.targets[row] = 3 * data.columns[4][row] + data.targets[row] * 1e-3;
  Regression task;
  task.leaf = ProbabilisticLinearLeaf{.regressors = 1};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const PayloadLayout layout(PayloadKind::linear_gaussian, 1, 1);
  EXPECT_EQ(fitted.forest.arrays().payload[layout.term(0) + LinearTerm::feature], 4);
}

TEST(LinearLeafModel, MissingValuesAndCategoriesDoNoHarm) {
  Dataset data = linear_data(80, 2, 1, 10);
  for (std::size_t row = 0; row < data.rows; row += 3) data.columns[1][row] = kMissing;
  data.columns[0][5] = std::numeric_limits<float>::infinity();
  data.schema.features.push_back({"colour", FeatureKind::categorical, {"blue", "red"}});
  data.columns.emplace_back();
  for (std::size_t row = 0; row < data.rows; ++row)
    data.columns[2].push_back(static_cast<float>(row % 2));
  for (const bool probabilistic : {false, true}) {
    Regression task;
    task.leaf = LinearLeaf{};
    if (probabilistic) task.leaf = ProbabilisticLinearLeaf{};
    FitOptions options = single_leaf(task);
    options.growth = {.max_depth = 3, .min_samples_leaf = 5};
    const FitResult fitted = fit(data.view(), options);
    const Predictions answers = Predictor(fitted.forest).predict(data.view());
    for (std::size_t row = 0; row < data.rows; ++row) {
      EXPECT_TRUE(std::isfinite(answers.mean[row]));
      EXPECT_GE(answers.variance[row], 0);
    }
  }
}

TEST(LinearLeafModel, SmallLeavesFallBackToTheMean) {
  const Dataset data = linear_data(2, 1, 1, 11);
  Regression task;
  task.leaf = ProbabilisticLinearLeaf{};
  const FitResult fitted = fit(data.view(), single_leaf(task));
  const float far = 1000;
  EXPECT_NEAR(Predictor(fitted.forest).predict_rows(std::span(&far, 1)).mean[0],
              (data.targets[0] + data.targets[1]) / 2, 1e-5);
}

}  // namespace
}  // namespace coppice
