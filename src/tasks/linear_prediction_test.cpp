// Linear leaves: a batch, whose rows are grouped by leaf, against the same rows one by one.
#include <gtest/gtest.h>

#include <vector>

#include "coppice/coppice.h"
#include "coppice/toy_data.h"

namespace coppice {
namespace {

struct Case {
  const char* name;
  Regression task;
  std::uint32_t depth;  // shallow trees have groups of many rows, deep ones none
  Ensemble ensemble;
  std::size_t targets;
};

void PrintTo(const Case& tried, std::ostream* out) { *out << tried.name; }

class LinearPrediction : public testing::TestWithParam<Case> {};

Dataset rows_with_gaps(std::size_t targets) {
  Dataset data = generate({.shape = ToyShape::friedman1, .rows = 700});
  for (std::size_t row = 0; row < data.rows; row += 7) data.columns[row % 5][row] = kMissing;
  std::vector<double> all;
  for (const double y : data.targets)
    for (std::size_t k = 0; k < targets; ++k) all.push_back(y * static_cast<double>(k + 1));
  data.targets = all;
  for (std::size_t k = 1; k < targets; ++k) data.schema.targets.push_back(std::to_string(k));
  return data;
}

TEST_P(LinearPrediction, DoesNotDependOnTheBatch) {
  const Case& tried = GetParam();
  const Dataset data = rows_with_gaps(tried.targets);
  FitOptions options;
  options.task = tried.task;
  options.forest = {.trees = 20, .ensemble = tried.ensemble};
  options.growth = {.max_depth = tried.depth, .min_samples_leaf = 12};
  const Forest forest = fit(data.view(), options).forest;
  const Predictor predictor(forest);
  const Predictions together = predictor.predict(data.view());
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<float> values;
    for (const std::vector<float>& column : data.columns) values.push_back(column[row]);
    const Predictions alone = predictor.predict_rows(values);
    for (std::size_t k = 0; k < tried.targets; ++k) {
      ASSERT_EQ(together.mean[row * tried.targets + k], alone.mean[k]) << row;
      ASSERT_EQ(together.variance[row * tried.targets + k], alone.variance[k]) << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, LinearPrediction,
    testing::Values(Case{"linear", {{}, LinearLeaf{}}, 3, Ensemble::mean, 1},
                    Case{"deep", {{}, LinearLeaf{}}, 12, Ensemble::mean, 1},
                    Case{"three_targets", {{}, LinearLeaf{}}, 2, Ensemble::mean, 3},
                    Case{"polynomial", {{}, LinearLeaf{.degree = 3}}, 3, Ensemble::confidence, 1},
                    Case{"probabilistic", {{}, ProbabilisticLinearLeaf{}}, 3, Ensemble::mean, 1},
                    Case{"product", {{}, ProbabilisticLinearLeaf{}}, 4, Ensemble::product, 2}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace coppice
