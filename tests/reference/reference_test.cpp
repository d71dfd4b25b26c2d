// 10,080 random small problems: the forest of fit() against the one grown by the reference. Trees
// and predictions must be the same, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "model/walk.h"
#include "tests/property/random_data.h"
#include "tests/reference/reference_forest.h"

namespace coppice {
namespace {

struct ReferenceCase {
  std::string name;
  TaskChoice task;
  ThresholdChoice thresholds;
  std::size_t targets = 0;  // 0: classes
};

void PrintTo(const ReferenceCase& chosen, std::ostream* out) { *out << chosen.name; }

constexpr std::uint64_t kSeedsPerCase = 840;

std::vector<ReferenceCase> reference_cases() {
  const std::vector<ReferenceCase> tasks{{"gini", Classification{GiniObjective{}, {}}, {}, 0},
                                         {"entropy", Classification{EntropyObjective{}, {}}, {}, 0},
                                         {"variance", Regression{}, {}, 1},
                                         {"multi_variance", Regression{}, {}, 3}};
  const std::vector<std::pair<std::string, ThresholdChoice>> rules{
      {"exact", ExactThresholds{}},
      {"bins", BinnedThresholds{4, 0}},
      {"some_bins", BinnedThresholds{3, 9}},
      {"random", RandomThresholds{2}}};
  std::vector<ReferenceCase> cases;
  for (const ReferenceCase& task : tasks)
    for (const auto& [name, thresholds] : rules)
      cases.push_back({task.name + "_" + name, task.task, thresholds, task.targets});
  return cases;
}

template <class Choice, class... Others>
Choice one_of(RandomStream& random, const Choice& first, const Others&... others) {
  const std::vector<Choice> choices{first, Choice(others)...};
  return choices[random.below(static_cast<std::uint32_t>(choices.size()))];
}

Dataset random_problem(RandomStream& random, const ReferenceCase& chosen) {
  test::DataShape shape;
  shape.rows = 1 + random.below(40);
  shape.numeric = random.below(4);
  shape.categorical = shape.numeric == 0 ? 1 + random.below(3) : random.below(3);
  shape.most_categories = one_of(random, 4u, 40u);
  shape.classes = chosen.targets > 0 ? 0 : 1 + random.below(4);
  shape.targets = chosen.targets > 1 ? 2 + random.below(2) : 1;
  shape.missing = random.below(2) == 0;
  shape.extreme = random.below(2) == 0;
  shape.weights =
      one_of(random, test::WeightKind::none, test::WeightKind::whole, test::WeightKind::fractional);
  return test::random_dataset(random.child(0), shape);
}

void choose_sampling(RandomStream& random, FitOptions& options) {
  options.forest.trees = 1 + random.below(3);
  options.forest.seed = random.next();
  options.sampling.bagging =
      one_of(random, Bagging::with_replacement, Bagging::without_replacement, Bagging::none);
  options.sampling.max_samples = one_of(random, 1.0, 0.6, 0.05);
  if (options.sampling.bagging == Bagging::with_replacement && random.below(3) == 0)
    options.sampling.max_samples = one_of(random, 2.5, 15.0);  // the latter makes large nodes
}

void choose_limits(RandomStream& random, FitOptions& options) {
  options.split.max_features =
      one_of<FeatureChoice>(random, DefaultFeatures{}, AllFeatures{}, SqrtFeatures{},
                            Log2Features{}, FeatureFraction{0.7}, FeatureCount{1});
  if (random.below(4) == 0) options.split.max_node_samples = 2 + random.below(10);
  if (random.below(4) == 0) options.growth.max_depth = random.below(4);
  options.growth.min_samples_leaf = one_of(random, 1u, 1u, 2u, 5u);
  options.growth.min_samples_split = one_of(random, 2u, 2u, 3u, 10u);
  options.growth.min_impurity_decrease = one_of(random, 0.0, 0.0, 0.02, 0.2);
  options.growth.order = one_of(random, GrowthOrder::depth_first, GrowthOrder::breadth_first);
}

FitOptions random_options(RandomStream& random, const ReferenceCase& chosen, const Dataset& data) {
  FitOptions options;
  options.task = chosen.task;
  options.split.thresholds = chosen.thresholds;
  choose_sampling(random, options);
  choose_limits(random, options);
  options.report.out_of_bag = false;
  if (auto* task = std::get_if<Classification>(&options.task))
    task->class_weights = one_of<decltype(task->class_weights)>(
        random, UniformClassWeights{}, BalancedClassWeights{},
        GivenClassWeights{{{data.schema.classes.back(), 2.5}}});
  return options;
}

struct Place {
  const Forest& forest;
  std::size_t tree;
  std::size_t leaves = 0;
};

// Walks both trees in pre-order; `split` is the number of the library's split.
void expect_same_node(const reference::Node& expected, Place& place, std::size_t split,
                      bool is_leaf);

void expect_same_leaf(const reference::Node& expected, Place& place) {
  const ForestArrays& arrays = place.forest.arrays();
  const std::size_t leaf = arrays.first_leaf(place.tree) + place.leaves++;
  EXPECT_EQ(arrays.support[leaf], expected.support);
  const auto payload = arrays.payload_of(leaf);
  ASSERT_EQ(payload.size(), expected.payload.size());
  for (std::size_t k = 0; k < payload.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(payload[k]),
              std::bit_cast<std::uint32_t>(expected.payload[k]));
}

void expect_same_rule(const reference::SplitRule& expected, const Split& split,
                      const ForestArrays& arrays) {
  ASSERT_EQ(split.feature, expected.feature);
  ASSERT_EQ(split.kind == Split::Kind::category_set, expected.on_categories);
  EXPECT_EQ(split.missing_left, expected.missing_left);
  if (!expected.on_categories) {
    EXPECT_EQ(split.threshold, expected.threshold);
    return;
  }
  for (std::uint32_t category = 0; category < expected.left_categories.size(); ++category)
    EXPECT_EQ(contains(arrays, split, category), expected.left_categories[category]) << category;
}

void expect_same_node(const reference::Node& expected, Place& place, std::size_t at, bool is_leaf) {
  ASSERT_EQ(is_leaf, expected.leaf()) << "split " << at;
  if (is_leaf) return expect_same_leaf(expected, place);
  const Split split = place.forest.arrays().split(place.tree, at);
  expect_same_rule(expected.split, split, place.forest.arrays());
  if (testing::Test::HasFailure()) return;
  expect_same_node(*expected.left, place, at + 1, split.right == at + 1);
  expect_same_node(*expected.right, place, split.right, split.right_is_leaf);
}

void expect_same_trees(const std::vector<reference::Tree>& expected, const Forest& forest) {
  ASSERT_EQ(forest.trees(), expected.size());
  const ForestArrays& arrays = forest.arrays();
  for (std::size_t tree = 0; tree < expected.size(); ++tree) {
    SCOPED_TRACE("tree " + std::to_string(tree));
    Place place{forest, tree};
    expect_same_node(*expected[tree], place, 0,
                     arrays.first_split[tree] == arrays.first_split[tree + 1]);
  }
}

// Rows that the forest was not trained on: values of the data in new combinations, and strange
// ones.
std::vector<float> new_rows(RandomStream random, const Dataset& data, std::size_t count) {
  std::vector<float> rows;
  for (std::size_t row = 0; row < count; ++row)
    for (const std::vector<float>& column : data.columns) {
      const std::uint32_t from = random.below(static_cast<std::uint32_t>(data.rows) + 3);
      rows.push_back(from < data.rows ? column[from]
                                      : std::array{kMissing, 1e30f, -1.0f}[from - data.rows]);
    }
  return rows;
}

void expect_same_predictions(const std::vector<reference::Tree>& expected, const Forest& forest,
                             const std::vector<float>& rows) {
  const Predictions answers = Predictor(forest).predict_rows(rows, {.threads = 1});
  const std::size_t features = forest.info().schema.features.size(), outputs = answers.outputs;
  const auto trees = static_cast<double>(expected.size());
  for (std::size_t row = 0; row < answers.rows; ++row)
    for (std::size_t k = 0; k < outputs; ++k) {
      double sum = 0, squares = 0;
      for (const reference::Tree& tree : expected) {
        const reference::Node& leaf =
            leaf_of(tree, std::span(rows).subspan(row * features, features));
        const double mean = leaf.payload[k];
        sum += mean;
        if (!answers.variance.empty()) squares += leaf.payload[outputs + k] + mean * mean;
      }
      const double mean = sum / trees;
      EXPECT_EQ(answers.mean[row * outputs + k], mean);
      if (!answers.variance.empty()) {
        EXPECT_EQ(answers.variance[row * outputs + k],
                  std::max(0.0, squares / trees - mean * mean));
      }
    }
}

class Reference : public testing::TestWithParam<ReferenceCase> {};

TEST_P(Reference, GrowsTheSameForest) {
  std::size_t splits = 0;
  for (std::uint64_t seed = 0; seed < kSeedsPerCase; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomStream random(seed);
    const Dataset data = random_problem(random, GetParam());
    const FitOptions options = random_options(random, GetParam(), data);
    const std::vector<reference::Tree> expected = reference::grow_forest(data.view(), options);
    const Forest forest = fit(data.view(), options, {.threads = 1}).forest;
    expect_same_trees(expected, forest);
    if (HasFailure()) return;
    expect_same_predictions(expected, forest, new_rows(random, data, 8));
    splits += forest.arrays().splits();
    if (HasFailure()) return;
  }
  EXPECT_GT(splits, 2 * kSeedsPerCase) << "the problems are too easy to show anything";
}

INSTANTIATE_TEST_SUITE_P(Problems, Reference, testing::ValuesIn(reference_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace coppice
