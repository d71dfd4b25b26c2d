// Every problem has a sentence that names the value, and all of them come at once.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/options.h"

namespace coppice {
namespace {

class ProblemsFound : public testing::Test {
 protected:
  ProblemsFound() {
    data_.rows = 2;
    data_.schema.features = {{"x", FeatureKind::numeric}};
    data_.schema.targets = {"y"};
    data_.schema.classes = {"a", "b"};
    data_.columns = {{1, 2}};
    data_.labels = {0, 1};
    data_.targets = {1.5, 2.5};
  }
  std::vector<std::string> found() const { return problems(options_, data_.view()); }
  // The one problem; it must contain the words.
  void expect_problem(const std::string& words) const {
    const auto sentences = found();
    ASSERT_EQ(sentences.size(), 1u) << words;
    EXPECT_NE(sentences[0].find(words), std::string::npos) << sentences[0];
  }

  Dataset data_;
  FitOptions options_;
};

TEST_F(ProblemsFound, NoneInGoodOptions) {
  EXPECT_TRUE(found().empty());
  options_.task = Regression{};
  EXPECT_TRUE(found().empty());
}

TEST_F(ProblemsFound, Forest) {
  options_.forest.trees = 0;
  expect_problem("number of trees is 0");
  options_.forest.trees = 2'000'000;
  expect_problem("2000000 trees");
}

TEST_F(ProblemsFound, Boxes) {
  options_.split.box_side = 2;
  expect_problem("belong to split boxes");
  options_.split.learners = {{WeakLearnerKind::boxes}};
  EXPECT_TRUE(found().empty());
  options_.split.image_width = 2;
  expect_problem("1 features are no whole number");
  for (int f = 1; f < 12; ++f) {
    data_.schema.features.push_back({std::to_string(f), FeatureKind::numeric});
    data_.columns.push_back({1, 2});
  }
  EXPECT_TRUE(found().empty());
  options_.split.image_width = 5;
  expect_problem("12 features are no whole number");
  options_.split.image_width = {};
  expect_problem("12 features are no square");
}

TEST_F(ProblemsFound, Sampling) {
  for (const double share : {0.0, -1.0, std::nan(""), 1e9}) {
    options_.sampling.max_samples = share;
    expect_problem("max-samples");
  }
  options_.sampling = {Bagging::without_replacement, 1.5};
  expect_problem("without replacement");
}

TEST_F(ProblemsFound, Split) {
  options_.split.max_features = FeatureFraction{1.5};
  expect_problem("max-features is 1.5");
  options_.split.max_features = FeatureFraction{std::nan("")};
  expect_problem("max-features");
  options_.split.max_features = FeatureCount{2};
  expect_problem("max-features is 2, but the data has 1");
  options_.split.max_features = AllFeatures{};
  options_.split.thresholds = BinnedThresholds{1};
  expect_problem("bins is 1");
  options_.split.thresholds = BinnedThresholds{65536};
  expect_problem("bins is 65536");
  options_.split.thresholds = RandomThresholds{0};
  expect_problem("random-thresholds is 0");
  options_.split.thresholds = ExactThresholds{};
  options_.split.max_node_samples = 1;
  expect_problem("max-node-samples is 1");
}

TEST_F(ProblemsFound, Growth) {
  options_.growth.min_samples_leaf = 0;
  expect_problem("min-samples-leaf is 0");
  options_.growth.min_samples_leaf = 1;
  options_.growth.min_samples_split = 1;
  expect_problem("min-samples-split is 1");
  options_.growth.min_samples_split = 2;
  for (const double decrease : {-1.0, std::nan(""), INFINITY + 0.0}) {
    options_.growth.min_impurity_decrease = decrease;
    expect_problem("min-impurity-decrease");
  }
}

TEST_F(ProblemsFound, Labels) {
  data_.labels[1] = kNoLabel;
  expect_problem("row 2 has no label");
  data_.labels.clear();
  expect_problem("classification needs");
}

TEST_F(ProblemsFound, ClassWeights) {
  options_.task = Classification{{}, GivenClassWeights{{{"z", 1.0}}}};
  expect_problem("'z'");
  options_.task = Classification{{}, GivenClassWeights{{{"a", -1.0}}}};
  expect_problem("class-weight of 'a' is -1");
  options_.task = Classification{{}, ResampledClasses{}};
  options_.sampling.bagging = Bagging::none;
  expect_problem("resample");
}

TEST_F(ProblemsFound, FeatureWeights) {
  options_.split.feature_weights = GivenFeatureWeights{{{"nobody", 1.0}}};
  expect_problem("'nobody'");
  GivenFeatureWeights none;
  for (const Feature& feature : data_.schema.features) none.weights.emplace_back(feature.name, 0);
  options_.split.feature_weights = none;
  expect_problem("0 for every feature");
  options_.split.feature_weights = LearnedFeatureWeights{0};
  expect_problem("learned:0");
}

TEST_F(ProblemsFound, Objectives) {
  options_.task = Regression{FeatureVarianceObjective{-1}};
  expect_problem("kappa is -1");
  options_.task = Regression{ProbabilisticLinearObjective{}};
  options_.split.two_sided = true;
  expect_problem("two-sided");
}

TEST_F(ProblemsFound, Targets) {
  options_.task = Regression{};
  data_.targets[1] = std::nan("");
  expect_problem("row 2 has no finite value of 'y'");
  data_.targets[1] = -1e30;
  expect_problem("row 2 has a value of 'y' beyond 1e+19");
  data_.targets.clear();
  expect_problem("regression needs");
}

TEST_F(ProblemsFound, Weights) {
  data_.weights = {0, 0};
  expect_problem("all sample weights are 0");
  data_.weights = {3e38f, 1};
  expect_problem("the sample weights add up to");
}

TEST_F(ProblemsFound, AllAtOnce) {
  options_.forest.trees = 0;
  options_.growth.min_samples_leaf = 0;
  options_.sampling.max_samples = 0;
  data_.weights = {0, 0};
  data_.labels[0] = kNoLabel;
  EXPECT_EQ(found().size(), 5u);
}

TEST_F(ProblemsFound, EmptyData) { EXPECT_GE(problems(options_, Dataset{}.view()).size(), 2u); }

}  // namespace
}  // namespace coppice
