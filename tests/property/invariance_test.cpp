// Changes of the data that must change a forest in a known way, or not at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"

namespace coppice {
namespace {

using test::TaskCase;

constexpr std::uint64_t kRandomCases = 60;  // per row of the table

std::vector<std::size_t> shuffled(std::size_t count, RandomStream random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

FitResult trained(const Dataset& data, const FitOptions& options) {
  return fit(data.view(), options, {.threads = 1});
}

class Invariance : public testing::TestWithParam<TaskCase> {
 protected:
  // Calls body(data, options); the forest asked for uses all rows and all features.
  template <class Body>
  void for_random_problems(Body body) {
    for (std::uint64_t seed = 0; seed < kRandomCases; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Dataset data = GetParam().data(seed, 2 + RandomStream(seed).below(70));
      FitOptions options = GetParam().options(seed, 3);
      options.sampling.bagging = Bagging::none;
      options.split.max_features = AllFeatures{};
      options.report.leaf_ids = true;
      body(data, options);
      if (HasFailure()) return;
    }
  }
};

// Replaces the distinct values of a column by other numbers in the same order.
void transform_monotonously(std::vector<float>& column, RandomStream random) {
  std::map<float, float> image;
  for (const float value : column)
    if (!std::isnan(value)) image[value] = 0;
  float next = -50;
  for (auto& [value, transformed] : image)
    transformed = next += static_cast<float>(1 + random.below(1000)) / 64;
  for (float& value : column)
    if (!std::isnan(value)) value = image[value];
}

class InvarianceOfRanks : public Invariance {};  // some cases depend on distances

TEST_P(InvarianceOfRanks, MonotoneTransformsKeepTheLeaves) {
  for_random_problems([](const Dataset& data, FitOptions options) {
    options.sampling.bagging = Bagging::with_replacement;
    Dataset transformed = data;
    for (std::size_t f = 0; f < data.columns.size(); ++f)
      if (data.schema.features[f].kind == FeatureKind::numeric)
        transform_monotonously(transformed.columns[f], RandomStream(f));
    const LeafIds before = trained(data, options).report.leaf_ids;
    const LeafIds after = trained(transformed, options).report.leaf_ids;
    for (std::size_t tree = 0; tree < before.trees(); ++tree)
      for (std::size_t row = 0; row < data.rows; ++row)
        if (!before.out_of_bag(tree, row)) {
          EXPECT_EQ(before.leaf(tree, row), after.leaf(tree, row));
        }
  });
}

TEST_P(Invariance, OrderOfRowsKeepsTheLeaves) {
  for_random_problems([](const Dataset& data, const FitOptions& options) {
    const std::vector<std::size_t> order = shuffled(data.rows, RandomStream(data.rows));
    Dataset permuted = data;
    const std::size_t targets = data.targets.size() / data.rows;
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::size_t f = 0; f < data.columns.size(); ++f)
        permuted.columns[f][row] = data.columns[f][order[row]];
      if (!data.labels.empty()) permuted.labels[row] = data.labels[order[row]];
      if (!data.weights.empty()) permuted.weights[row] = data.weights[order[row]];
      for (std::size_t k = 0; k < targets; ++k)
        permuted.targets[row * targets + k] = data.targets[order[row] * targets + k];
    }
    const LeafIds before = trained(data, options).report.leaf_ids;
    const LeafIds after = trained(permuted, options).report.leaf_ids;
    for (std::size_t tree = 0; tree < before.trees(); ++tree)
      for (std::size_t row = 0; row < data.rows; ++row)
        EXPECT_EQ(after.leaf(tree, row), before.leaf(tree, order[row]));
  });
}

class InvarianceOfClasses : public Invariance {};

// Exact with numbers only: the order of categories with several classes is found in floating point.
TEST_P(InvarianceOfClasses, RenamedClassesPermuteProbabilities) {
  for_random_problems([&](Dataset data, const FitOptions& options) {
    if (data.schema.classes.size() > 2)
      for (std::size_t f = 0; f < data.columns.size(); ++f) {
        data.schema.features[f].kind = FeatureKind::numeric;
        data.schema.features[f].categories.clear();
      }
    const std::size_t classes = data.schema.classes.size();
    const std::vector<std::size_t> image = shuffled(classes, RandomStream(data.rows));
    Dataset renamed = data;
    for (std::uint32_t& label : renamed.labels) label = static_cast<std::uint32_t>(image[label]);
    const FitResult before = trained(data, options), after = trained(renamed, options);
    const Predictions answers = Predictor(before.forest).predict(data.view());
    const Predictions permuted = Predictor(after.forest).predict(data.view());
    for (std::size_t row = 0; row < data.rows; ++row)
      for (std::size_t c = 0; c < classes; ++c)
        EXPECT_EQ(answers.mean[row * classes + c], permuted.mean[row * classes + image[c]]);
  });
}

class InvarianceOfWeights : public Invariance {};  // bins and balanced classes count rows

// Categories of several outputs are ordered by samples, not weights, so they are left out there.
TEST_P(InvarianceOfWeights, RowTwiceIsWeightTwice) {
  for_random_problems([&](Dataset data, const FitOptions& options) {
    const std::size_t targets = data.targets.size() / data.rows;
    const bool one_output = targets == 1;
    for (std::size_t f = 0; !one_output && f < data.columns.size(); ++f) {
      data.schema.features[f].kind = FeatureKind::numeric;
      data.schema.features[f].categories.clear();
    }
    if (GetParam().shape.weights != test::WeightKind::whole) data.weights.assign(data.rows, 1);
    Dataset weighted = data, repeated = data;
    for (std::size_t row = 0; row < data.rows; row += 3) {
      weighted.weights[row] *= 2;
      for (std::size_t f = 0; f < data.columns.size(); ++f)
        repeated.columns[f].push_back(data.columns[f][row]);
      if (!data.labels.empty()) repeated.labels.push_back(data.labels[row]);
      repeated.weights.push_back(data.weights[row]);
      for (std::size_t k = 0; k < targets; ++k)
        repeated.targets.push_back(data.targets[row * targets + k]);
      ++repeated.rows;
    }
    const FitResult once = trained(weighted, options), twice = trained(repeated, options);
    for (std::size_t tree = 0; tree < once.forest.trees(); ++tree)
      for (std::size_t row = 0; row < data.rows; ++row)
        EXPECT_EQ(once.report.leaf_ids.leaf(tree, row), twice.report.leaf_ids.leaf(tree, row));
    const Predictions a = Predictor(once.forest).predict(data.view());
    const Predictions b = Predictor(twice.forest).predict(data.view());
    EXPECT_EQ(a.mean, b.mean);
  });
}

TEST_P(Invariance, UnseenCategoriesAreMissing) {
  for_random_problems([](const Dataset& data, const FitOptions& options) {
    const Forest forest = trained(data, options).forest;
    Dataset missing = data, unseen = data;
    for (std::size_t f = 0; f < data.columns.size(); ++f) {
      if (data.schema.features[f].kind != FeatureKind::categorical) continue;
      missing.columns[f].assign(data.rows, kMissing);
      unseen.columns[f].assign(data.rows,
                               static_cast<float>(data.schema.features[f].categories.size()));
      unseen.columns[f][0] = -1;
      if (data.rows > 1) unseen.columns[f][1] = 1e9f;
    }
    test::expect_same_answers(Predictor(forest).predict(missing.view()),
                              Predictor(forest).predict(unseen.view()));
  });
}

TEST_P(Invariance, ConstantFeaturesAreNeverUsed) {
  for_random_problems([](Dataset data, const FitOptions& options) {
    data.schema.features.push_back({"constant", FeatureKind::numeric});
    data.columns.emplace_back(data.rows, 7.0f);
    const Forest forest = trained(data, options).forest;
    const auto constant = static_cast<std::uint32_t>(data.columns.size() - 1);
    for (const std::uint32_t code : forest.arrays().code)
      EXPECT_NE(code & SplitCode::kFeatureMask, constant);
  });
}

// Values that only weightless rows have make histograms too wide to pay, so that samples are sorted
// instead. Every column has the same number of distinct values, so the order of gaps stays.
Dataset with_few_values(const TaskCase& tested, std::uint64_t seed, std::size_t rows) {
  Dataset data = tested.data(seed, rows);
  RandomStream random(seed);
  for (std::size_t f = 0; f < data.columns.size(); ++f) {
    data.schema.features[f] = {data.schema.features[f].name, FeatureKind::numeric, {}};
    for (std::size_t row = 0; row < rows; ++row)
      data.columns[f][row] = static_cast<float>(row < 8 ? row : random.below(8));
    if (f == 0) data.columns[f][rows - 1] = kMissing;
  }
  data.weights.assign(rows, 1);
  return data;
}

Dataset with_weightless_rows(Dataset data) {
  constexpr std::size_t kBetween = 999;
  const std::size_t targets = data.targets.size() / data.rows;
  for (std::size_t value = 0; value < 7; ++value)
    for (std::size_t i = 1; i <= kBetween; ++i) {
      for (std::vector<float>& column : data.columns)
        column.push_back(static_cast<float>(value) + static_cast<float>(i) / (kBetween + 1));
      if (!data.labels.empty()) data.labels.push_back(0);
      for (std::size_t k = 0; k < targets; ++k) data.targets.push_back(data.targets[k]);
      data.weights.push_back(0);
      ++data.rows;
    }
  return data;
}

class InvarianceOfStrategy : public Invariance {};  // others than exact have no choice

TEST_P(InvarianceOfStrategy, HistogramsAndSortingFindTheSameSplits) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Dataset data = with_few_values(GetParam(), seed, 150);
    FitOptions options = GetParam().options(seed, 4);
    options.report.out_of_bag = false;
    test::expect_same_trees(trained(data, options).forest,
                            trained(with_weightless_rows(data), options).forest);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Invariance, testing::ValuesIn(test::task_cases()), test::kByName);
INSTANTIATE_TEST_SUITE_P(Table, InvarianceOfRanks,
                         testing::ValuesIn(test::task_cases_where([](const TaskCase& row) {
                           return !row.looks_at_values();
                         })),
                         test::kByName);
INSTANTIATE_TEST_SUITE_P(Table, InvarianceOfClasses,
                         testing::ValuesIn(test::task_cases_where([](const TaskCase& row) {
                           return row.classes();
                         })),
                         test::kByName);
INSTANTIATE_TEST_SUITE_P(Table, InvarianceOfWeights,
                         testing::ValuesIn(test::task_cases_where([](const TaskCase& row) {
                           return !row.binned() && !row.balanced();
                         })),
                         test::kByName);
INSTANTIATE_TEST_SUITE_P(Table, InvarianceOfStrategy,
                         testing::ValuesIn(test::task_cases_where([](const TaskCase& row) {
                           return row.exact();
                         })),
                         test::kByName);

}  // namespace
}  // namespace coppice
