// What every task must do with small, empty, wrong and extreme data. A new task is covered once it
// has a row in cases.h.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "coppice/error.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"

namespace coppice {
namespace {

using test::TaskCase;

class Conformance : public testing::TestWithParam<TaskCase> {
 protected:
  FitResult trained(const Dataset& data) const {
    return fit(data.view(), GetParam().options(1), {.threads = 2});
  }
  // The answers of a forest trained on the data, for the same data; checks that it can be saved.
  Predictions learnt(const Dataset& data) const {
    const FitResult result = trained(data);
    EXPECT_EQ(result.forest.trees(), 5u);
    EXPECT_FALSE(test::model_bytes(result.forest).bytes.empty());
    return Predictor(result.forest).predict(data.view());
  }
  void set_constant_target(Dataset& data, double value) const {
    for (std::uint32_t& label : data.labels) label = 1;
    for (double& target : data.targets) target = value;
  }
};

// The kind of the error; its sentence must be one.
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_GT(std::string(error.what()).size(), 10u);
    switch (error.kind()) {
      case ErrorKind::invalid_option:
        return "option";
      case ErrorKind::invalid_data:
        return "data";
      default:
        return error.what();
    }
  }
  return "none";
}

TEST_P(Conformance, TheSameFitTwiceIsTheSameFile) {
  const Dataset data = GetParam().data(1, 60);
  EXPECT_EQ(test::model_bytes(trained(data).forest), test::model_bytes(trained(data).forest));
}

TEST_P(Conformance, SavedAndLoadedAnswersTheSame) {
  const Dataset data = GetParam().data(2, 60);
  const Forest forest = trained(data).forest;
  const test::TestFolder folder;
  forest.save(folder.file("model"));
  forest.save_json(folder.file("model.json"));
  const Forest loaded = Forest::load(folder.file("model"));
  const Forest from_text = Forest::load_json(folder.file("model.json"));
  EXPECT_EQ(test::model_bytes(loaded), test::model_bytes(forest));
  const Predictions answers = Predictor(forest).predict(data.view());
  test::expect_same_answers(answers, Predictor(loaded).predict(data.view()));
  test::expect_same_answers(answers, Predictor(from_text).predict(data.view()));
}

TEST_P(Conformance, LearnsFromOneRow) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Dataset data = GetParam().data(seed, 1);
    const Predictions answers = learnt(data);
    if (GetParam().classes()) {
      EXPECT_EQ(answers.mean[data.labels[0]], 1);
    } else {
      EXPECT_FLOAT_EQ(static_cast<float>(answers.mean[0]), static_cast<float>(data.targets[0]));
    }
  }
}

TEST_P(Conformance, LearnsFromOneFeature) {
  Dataset data = GetParam().data(3, 50);
  data.columns.resize(1);
  data.schema.features.resize(1);
  EXPECT_EQ(learnt(data).rows, 50u);
}

TEST_P(Conformance, LearnsFromConstantFeatures) {
  Dataset data = GetParam().data(4, 50);
  for (std::vector<float>& column : data.columns) column.assign(data.rows, 0);
  EXPECT_EQ(trained(data).report.leaves, 5u);
}

TEST_P(Conformance, LearnsWhereEverythingIsMissing) {
  Dataset data = GetParam().data(5, 50);
  for (std::vector<float>& column : data.columns) column.assign(data.rows, kMissing);
  EXPECT_EQ(trained(data).report.leaves, 5u);
}

TEST_P(Conformance, AConstantTargetNeedsNoSplit) {
  for (const double value : {0.0, -3.5, 1e18, 1e-30}) {
    Dataset data = GetParam().data(6, 50);
    set_constant_target(data, value);
    EXPECT_EQ(trained(data).report.leaves, 5u);
    const Predictions answers = learnt(data);
    for (std::size_t row = 0; row < data.rows; ++row)
      for (std::size_t k = 0; k < answers.outputs; ++k)
        EXPECT_EQ(answers.mean[row * answers.outputs + k],
                  GetParam().classes() ? (k == 1 ? 1 : 0) : double{static_cast<float>(value)});
  }
}

TEST_P(Conformance, AClassMayHaveNoRows) {
  Dataset data = GetParam().data(7, 50);
  if (GetParam().classes()) data.schema.classes.push_back("never seen");
  const Predictions answers = learnt(data);
  if (GetParam().classes()) {
    for (std::size_t row = 0; row < data.rows; ++row)
      EXPECT_EQ(answers.mean[(row + 1) * answers.outputs - 1], 0);
  }
}

TEST_P(Conformance, RowsWithoutWeightTeachNothing) {
  Dataset data = GetParam().data(8, 60);
  data.weights.assign(data.rows, 1);
  for (std::size_t row = 0; row < data.rows; row += 2) data.weights[row] = 0;
  Dataset others = data;
  for (std::size_t row = 0; row < data.rows; row += 2) {
    if (GetParam().classes()) {
      others.labels[row] = (data.labels[row] + 1) % GetParam().shape.classes;
    } else {
      for (std::size_t k = 0; k < data.schema.targets.size(); ++k)
        others.targets[row * data.schema.targets.size() + k] = data.targets[0];
    }
  }
  if (GetParam().balanced() || !GetParam().classes()) {
    trained(others);  // class counts and the grid of targets see all rows
  } else {
    test::expect_same_trees(trained(data).forest, trained(others).forest);
  }
}

TEST_P(Conformance, RefusesDataWithoutRows) {
  Dataset data = GetParam().data(1, 5);
  data.rows = 0;
  for (std::vector<float>& column : data.columns) column.clear();
  data.labels.clear();
  data.targets.clear();
  data.weights.clear();
  EXPECT_EQ(refusal([&] { trained(data); }), "option");
}

TEST_P(Conformance, RefusesDataWithoutFeatures) {
  Dataset data = GetParam().data(1, 5);
  data.columns.clear();
  data.schema.features.clear();
  EXPECT_EQ(refusal([&] { trained(data); }), "option");
}

TEST_P(Conformance, RefusesWeightsThatAreAllZero) {
  Dataset data = GetParam().data(1, 5);
  data.weights.assign(data.rows, 0);
  EXPECT_EQ(refusal([&] { trained(data); }), "option");
}

TEST_P(Conformance, RefusesWeightsThatAreNoWeights) {
  for (const float weight : {-1.0f, kMissing, std::numeric_limits<float>::infinity()}) {
    Dataset data = GetParam().data(1, 5);
    data.weights.assign(data.rows, 1);
    data.weights[3] = weight;
    EXPECT_EQ(refusal([&] { trained(data); }), "data");
  }
}

TEST_P(Conformance, RefusesATargetThatIsNotThere) {
  Dataset data = GetParam().data(1, 5);
  if (GetParam().classes()) {
    data.labels[2] = kNoLabel;
  } else {
    data.targets[2] = std::nan("");
  }
  EXPECT_EQ(refusal([&] { trained(data); }), "option");
  data.labels.clear();
  data.targets.clear();
  EXPECT_EQ(refusal([&] { trained(data); }), "option");
}

TEST_P(Conformance, RefusesOtherColumnsThanItWasTrainedOn) {
  Dataset data = GetParam().data(9, 20);
  const Forest forest = trained(data).forest;
  const Predictor predictor(forest);
  const std::vector<float> rows = test::row_major(data);
  EXPECT_EQ(refusal([&] { predictor.predict_rows(std::span(rows).first(rows.size() - 1)); }),
            "data");
  EXPECT_EQ(refusal([&] { predictor.decision_path(std::span(rows).first(1), 0); }), "data");
  EXPECT_EQ(refusal([&] {
              predictor.decision_path(std::span(rows).first(data.columns.size()), forest.trees());
            }),
            "data");
  data.columns.back().pop_back();
  EXPECT_EQ(refusal([&] { predictor.predict(data.view()); }), "data");
  data.columns.pop_back();
  EXPECT_EQ(refusal([&] { predictor.predict(data.view()); }), "data");
  EXPECT_EQ(refusal([&] { predictor.apply(data.view()); }), "data");
  EXPECT_EQ(refusal([&] { predictor.predict_per_tree(data.view()); }), "data");
}

TEST_P(Conformance, NoRowsHaveNoAnswers) {
  const Dataset data = GetParam().data(9, 20);
  const Forest forest = trained(data).forest;
  EXPECT_EQ(Predictor(forest).predict(test::some_rows(data, 0, 0).view()).rows, 0u);
  EXPECT_TRUE(Predictor(forest).predict_rows({}).mean.empty());
}

TEST_P(Conformance, TargetsOfAnotherKindDoNotMatter) {
  Dataset data = GetParam().data(10, 60);
  FitOptions options = GetParam().options(1);
  options.report.permutation_importance = true;
  options.report.unbiased_importance = true;
  const FitResult plain = fit(data.view(), options);
  if (GetParam().classes()) {
    data.targets.assign(data.rows, 2.5);
  } else {
    data.schema.classes = {"a", "b", "c", "d", "e", "f", "g"};
    for (std::uint32_t row = 0; row < data.rows; ++row) data.labels.push_back(row % 7);
  }
  const FitResult both = fit(data.view(), options);
  EXPECT_EQ(test::model_bytes(plain.forest), test::model_bytes(both.forest));
  EXPECT_EQ(plain.report.out_of_bag->error, both.report.out_of_bag->error);
}

TEST_P(Conformance, StopsWhenAsked) {
  const Dataset data = GetParam().data(1, 100);
  RunContext context{.threads = 1};
  context.cancelled = [] { return true; };
  EXPECT_NE(refusal([&] { fit(data.view(), GetParam().options(1), context); }), "none");
  std::size_t finished = 0;
  context.cancelled = [&] { return finished >= 2; };
  context.progress = [&](const Progress& progress) { finished = progress.done; };
  const FitResult result = fit(data.view(), GetParam().options(1), context);
  EXPECT_TRUE(result.report.cancelled);
  EXPECT_EQ(result.forest.trees(), 2u);
  test::expect_same_trees(result.forest, fit(data.view(), GetParam().options(1, 2)).forest);
}

INSTANTIATE_TEST_SUITE_P(Table, Conformance, testing::ValuesIn(test::task_cases()), test::kByName);

}  // namespace
}  // namespace coppice
