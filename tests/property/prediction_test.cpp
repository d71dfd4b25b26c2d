// What holds for the answers of every forest: they depend on the row alone.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "model/walk.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"

namespace coppice {
namespace {

using test::TaskCase;

class PredictionProperty : public testing::TestWithParam<TaskCase> {
 protected:
  static constexpr std::size_t kRows = 300;

  PredictionProperty()
      : data_(GetParam().data(11, kRows)),
        forest_(fit(data_.view(), GetParam().options(3, 12)).forest),
        predictor_(forest_),
        answers_(predictor_.predict(data_.view(), {.threads = 1})) {}

  const Dataset data_;
  const Forest forest_;
  const Predictor predictor_;
  const Predictions answers_;
};

void append(Predictions& all, const Predictions& more) {
  all.rows += more.rows;
  all.outputs = more.outputs;
  all.mean.insert(all.mean.end(), more.mean.begin(), more.mean.end());
  all.variance.insert(all.variance.end(), more.variance.begin(), more.variance.end());
  all.labels.insert(all.labels.end(), more.labels.begin(), more.labels.end());
}

TEST_P(PredictionProperty, BatchesDoNotMatter) {
  for (const std::size_t batch :
       {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{65}, std::size_t{kRows}}) {
    Predictions all{};
    for (std::size_t first = 0; first < kRows; first += batch)
      append(all, predictor_.predict(
                      test::some_rows(data_, first, std::min(batch, kRows - first)).view()));
    test::expect_same_answers(all, answers_);
  }
}

TEST_P(PredictionProperty, ThreadsDoNotMatter) {
  for (const std::size_t threads : {2, 3, 8, 100})
    test::expect_same_answers(predictor_.predict(data_.view(), {.threads = threads}), answers_);
}

TEST_P(PredictionProperty, LayoutOfTheRowsDoesNotMatter) {
  test::expect_same_answers(predictor_.predict_rows(test::row_major(data_)), answers_);
}

TEST_P(PredictionProperty, ManyThreadsMayShareAPredictor) {
  std::vector<Predictions> found(8);
  {
    std::vector<std::jthread> threads;
    for (Predictions& own : found)
      threads.emplace_back([&] { own = predictor_.predict(data_.view(), {.threads = 1}); });
  }
  for (const Predictions& own : found) test::expect_same_answers(own, answers_);
}

TEST_P(PredictionProperty, AnswersAreValid) {
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto mean = std::span(answers_.mean).subspan(row * answers_.outputs, answers_.outputs);
    if (GetParam().classes()) {
      double sum = 0;
      for (const double probability : mean) {
        EXPECT_GE(probability, 0);
        EXPECT_LE(probability, 1 + 1e-6);
        sum += probability;
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      const auto largest = std::max_element(mean.begin(), mean.end()) - mean.begin();
      EXPECT_EQ(answers_.labels[row], static_cast<std::uint32_t>(largest));
    } else {
      for (std::size_t k = 0; k < answers_.outputs; ++k) {
        EXPECT_TRUE(std::isfinite(mean[k]));
        EXPECT_GE(answers_.variance[row * answers_.outputs + k], 0);
      }
    }
  }
  EXPECT_EQ(answers_.labels.empty(), !GetParam().classes());
  EXPECT_EQ(answers_.variance.empty(), GetParam().classes());
}

TEST_P(PredictionProperty, AnswerIsTheMeanOfTheTrees) {
  const std::vector<float> trees = predictor_.predict_per_tree(data_.view());
  const std::size_t outputs = answers_.outputs, count = forest_.trees();
  ASSERT_EQ(trees.size(), kRows * count * outputs);
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t k = 0; k < outputs; ++k) {
      double sum = 0;
      for (std::size_t tree = 0; tree < count; ++tree)
        sum += trees[(row * count + tree) * outputs + k];
      EXPECT_EQ(answers_.mean[row * outputs + k], sum / static_cast<double>(count));
    }
}

class VarianceProperty : public PredictionProperty {};

// var = E[leaf variance] + Var[leaf mean], here the sum of two terms that cannot cancel.
TEST_P(VarianceProperty, IsWithinLeavesAndBetweenTrees) {
  const LeafIds ids = predictor_.apply(data_.view());
  const std::size_t outputs = answers_.outputs, count = forest_.trees();
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t k = 0; k < outputs; ++k) {
      double within = 0, between = 0;
      const double mean = answers_.mean[row * outputs + k];
      for (std::size_t tree = 0; tree < count; ++tree) {
        const auto payload =
            forest_.arrays().payload_of(forest_.arrays().first_leaf(tree) + ids.leaf(tree, row));
        within += payload[outputs + k];
        between += (payload[k] - mean) * (payload[k] - mean);
      }
      const double expected = (within + between) / static_cast<double>(count);
      EXPECT_NEAR(answers_.variance[row * outputs + k], expected,
                  1e-9 * (mean * mean + expected) + 1e-12);
    }
}

TEST_P(PredictionProperty, PathsLeadToTheLeaf) {
  const LeafIds ids = predictor_.apply(data_.view(), {.threads = 3});
  const std::vector<float> rows = test::row_major(data_);
  const std::size_t features = data_.columns.size();
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t tree = 0; tree < forest_.trees(); ++tree) {
      const auto values = std::span(rows).subspan(row * features, features);
      const Predictor::Path path = predictor_.decision_path(values, tree);
      EXPECT_EQ(path.leaf, ids.leaf(tree, row));
      EXPECT_EQ(path.splits.size(), path.went_left.size());
      EXPECT_EQ(path.leaf, leaf_of(forest_.arrays(), forest_.info().schema, tree, values));
      EXPECT_FALSE(ids.out_of_bag(tree, row));
    }
}

INSTANTIATE_TEST_SUITE_P(Table, PredictionProperty, testing::ValuesIn(test::task_cases()),
                         test::kByName);
INSTANTIATE_TEST_SUITE_P(Table, VarianceProperty,
                         testing::ValuesIn(test::task_cases_where([](const TaskCase& row) {
                           return !row.classes();
                         })),
                         test::kByName);

}  // namespace
}  // namespace coppice
