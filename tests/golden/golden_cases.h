// The models of this folder: what each was trained on and how. make_golden writes them, the golden
// test trains them again.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "coppice/density.h"
#include "coppice/fit.h"
#include "coppice/read.h"
#include "coppice/refine.h"
#include "coppice/semi_supervised.h"
#include "coppice/toy_data.h"

namespace coppice::golden {

inline const std::string kFolder = "tests/golden";

struct GoldenCase {
  std::string name;
  std::function<Dataset()> data;
  FitOptions options;
  std::optional<RefineOptions> refinement = {};
};
inline void PrintTo(const GoldenCase& row, std::ostream* out) { *out << row.name; }

inline Dataset toy(ToyShape shape, std::size_t rows, std::uint32_t classes = 2) {
  ToyOptions options;
  options.shape = shape;
  options.rows = rows;
  options.classes = classes;
  options.noise = 0.3;
  return generate(options);
}

// Invented animals: numbers, categories, missing values.
inline Dataset mixed(std::vector<std::string> targets, bool weighted = false) {
  ReadOptions options;
  options.targets = std::move(targets);
  options.ignored_columns = {"species", "price", "age"};
  for (const std::string& target : options.targets) std::erase(options.ignored_columns, target);
  if (weighted) {
    options.weight_column = "weight";
  } else {
    options.ignored_columns.push_back("weight");
  }
  return read_dataset(kFolder + "/mixed.csv", options);
}

inline FitOptions small_forest(const TaskChoice& task, std::uint32_t trees) {
  FitOptions options;
  options.task = task;
  options.forest = {trees, 42};
  return options;
}

template <class Change>
GoldenCase golden_case(std::string name, std::function<Dataset()> data, FitOptions options,
                       Change change) {
  change(options);
  return {std::move(name), std::move(data), std::move(options), {}};
}

inline std::vector<GoldenCase> classification_cases() {
  const FitOptions gini = small_forest(Classification{}, 5);
  const FitOptions entropy = small_forest(Classification{EntropyObjective{}, {}}, 4);
  const auto as_it_is = [](FitOptions&) {};
  return {golden_case(
              "classes", [] { return toy(ToyShape::blobs, 80, 3); }, gini, as_it_is),
          golden_case(
              "classes_quantile", [] { return toy(ToyShape::moons, 120); }, entropy,
              [](FitOptions& o) {
                o.split.thresholds = BinnedThresholds{8, 0};
              }),
          golden_case(
              "classes_random_thresholds", [] { return toy(ToyShape::spirals, 80); }, gini,
              [](FitOptions& o) {
                o.split.thresholds = RandomThresholds{1};
                o.sampling.bagging = Bagging::none;
              }),
          golden_case(
              "classes_many", [] { return toy(ToyShape::blobs, 150, 12); }, entropy, as_it_is),
          golden_case(
              "classes_mixed", [] { return mixed({"species"}); }, gini,
              [](FitOptions& o) {
                o.report.permutation_importance = true;
                o.report.unbiased_importance = true;
              }),
          golden_case(
              "classes_weighted", [] { return mixed({"species"}, true); }, gini,
              [](FitOptions& o) {
                o.task = Classification{GiniObjective{}, BalancedClassWeights{}};
              }),
          golden_case(
              "classes_subset", [] { return mixed({"species"}); }, entropy,
              [](FitOptions& o) {
                o.sampling = {Bagging::without_replacement, 0.7};
                o.split.max_node_samples = 20;
                o.split.max_features = AllFeatures{};
              }),
          golden_case(
              "classes_projections", [] { return mixed({"species"}); }, gini,
              [](FitOptions& o) {
                using Kind = WeakLearnerKind;
                o.split.learners = {{Kind::axis, 0.4}, {Kind::conic, 0.3}, {Kind::canonical, 0.3}};
                o.split.candidates = 6;
              }),
          golden_case(
              "classes_bands", [] { return toy(ToyShape::rings, 80); }, entropy,
              [](FitOptions& o) {
                o.split.learners = {{WeakLearnerKind::oblique}};
                o.split.two_sided = true;
              }),
          golden_case(
              "classes_stumps", [] { return mixed({"species"}); }, gini,
              [](FitOptions& o) { o.growth.max_depth = 1; }),
          golden_case(
              "classes_leaves_only", [] { return toy(ToyShape::rings, 30); }, gini,
              [](FitOptions& o) { o.growth.max_depth = 0; })};
}

inline std::vector<GoldenCase> regression_cases() {
  const FitOptions variance = small_forest(Regression{}, 5);
  const auto as_it_is = [](FitOptions&) {};
  return {golden_case(
              "numbers", [] { return toy(ToyShape::friedman1, 100); }, variance, as_it_is),
          golden_case(
              "numbers_medium_index", [] { return toy(ToyShape::friedman1, 280); }, variance,
              [](FitOptions& o) { o.forest.trees = 6; }),
          golden_case(
              "numbers_own_rows", [] { return toy(ToyShape::friedman2, 120); }, variance,
              [](FitOptions& o) { o.growth.min_samples_leaf = 8; }),
          golden_case(
              "numbers_quantile", [] { return toy(ToyShape::friedman3, 100); }, variance,
              [](FitOptions& o) {
                o.split.thresholds = BinnedThresholds{16, 0};
                o.growth.min_impurity_decrease = 0.001;
              }),
          golden_case(
              "numbers_mixed", [] { return mixed({"price"}, true); }, variance,
              [](FitOptions& o) { o.split.max_features = AllFeatures{}; }),
          golden_case(
              "numbers_two_targets",
              [] {
                return mixed({"price", "age"});
              },
              variance, as_it_is),
          golden_case(
              "numbers_linear", [] { return toy(ToyShape::friedman1, 150); }, variance,
              [](FitOptions& o) {
                o.task = Regression{{}, ProbabilisticLinearLeaf{}};
                o.growth.min_samples_leaf = 12;
              }),
          golden_case(
              "numbers_kept_quantiles", [] { return toy(ToyShape::friedman1, 150); }, variance,
              [](FitOptions& o) {
                o.task = Regression{{}, QuantileLeaf{}};
                o.growth.min_samples_leaf = 12;
              }),
          golden_case(
              "numbers_random_thresholds", [] { return mixed({"age"}); }, variance,
              [](FitOptions& o) {
                o.split.thresholds = RandomThresholds{3};
                o.sampling.max_samples = 0.5;
              }),
          golden_case(
              "numbers_stumps", [] { return toy(ToyShape::two_piece_line, 60); }, variance,
              [](FitOptions& o) { o.growth.max_depth = 1; })};
}

inline std::vector<GoldenCase> staged_cases() {
  const FitOptions gini = small_forest(Classification{}, 5);
  const FitOptions variance = small_forest(Regression{}, 5);
  return {golden_case(
              "classes_alternating", [] { return mixed({"species"}); }, gini,
              [](FitOptions& o) { choose_method(o, AlternatingForest{}); }),
          golden_case(
              "numbers_alternating", [] { return toy(ToyShape::friedman1, 100); }, variance,
              [](FitOptions& o) { choose_method(o, AlternatingForest{}); }),
          golden_case(
              "numbers_boosted", [] { return mixed({"price"}, true); }, variance,
              [](FitOptions& o) { choose_method(o, BoostedTrees{}); }),
          golden_case(
              "classes_newton", [] { return toy(ToyShape::blobs, 80, 3); }, gini,
              [](FitOptions& o) { choose_method(o, NewtonTrees{}); })};
}

inline std::vector<GoldenCase> refined_cases() {
  FitOptions classes = small_forest(Classification{}, 5), numbers = small_forest(Regression{}, 5);
  classes.growth.max_depth = numbers.growth.max_depth = 3;
  return {{"classes_refined", [] { return mixed({"species"}); }, classes, RefineOptions{}},
          {"classes_refined_hinge", [] { return toy(ToyShape::blobs, 80, 3); }, classes,
           RefineOptions{.loss = HingeLoss{}}},
          {"numbers_refined", [] { return toy(ToyShape::friedman1, 100); }, numbers,
           RefineOptions{.method = Refinement::add}}};
}

inline std::vector<GoldenCase> energy_cases() {
  const FitOptions twoing = small_forest(Classification{TwoingObjective{}, ResampledClasses{}}, 5);
  const FitOptions lines =
      small_forest(Regression{ProbabilisticLinearObjective{}, LinearLeaf{.regressors = 1}}, 4);
  return {golden_case(
              "classes_resampled", [] { return mixed({"species"}); }, twoing,
              [](FitOptions& o) { o.split.feature_weights = LearnedFeatureWeights{}; }),
          golden_case(
              "numbers_by_lines", [] { return mixed({"price"}); }, lines,
              [](FitOptions& o) { o.growth.min_samples_leaf = 4; })};
}

inline std::vector<GoldenCase> density_cases() {
  FitOptions leaves = density_options();
  leaves.forest = {5, 42};
  std::get<Density>(leaves.task).normalisation = Normalisation::leaf;
  leaves.split.learners = {{WeakLearnerKind::axis, 1}};
  return {{"density", [] { return toy(ToyShape::blobs, 200, 3); }, leaves},
          golden_case(
              "density_oblique", [] { return toy(ToyShape::friedman2, 150); }, leaves,
              [](FitOptions& o) {
                o.split.learners = {{WeakLearnerKind::oblique, 1}};
                o.growth.max_depth = 2;
              }),
          golden_case(
              "density_slanted", [] { return toy(ToyShape::moons, 200); }, leaves,
              [](FitOptions& o) {
                o.split.learners.clear();
                std::get<Density>(o.task).normalisation = Normalisation::tree;
              })};
}

inline std::vector<GoldenCase> few_label_cases() {
  FitOptions options = semi_supervised_options();
  options.forest = {5, 42};
  const auto few = [](ToyShape shape, std::uint32_t classes, std::size_t labels) {
    return [=] {
      return generate({.shape = shape, .rows = 150, .classes = classes, .labels = labels});
    };
  };
  return {{"few_labels", few(ToyShape::arms, 4, 8), options},
          {"few_numbers", few(ToyShape::s_curve, 2, 20), options}};
}

inline std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases = classification_cases();
  for (const auto& more : {regression_cases(), staged_cases(), refined_cases(), energy_cases(),
                           density_cases(), few_label_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

inline Forest trained(const GoldenCase& row) {
  const Dataset data = row.data();
  if (!row.refinement) return fit(data.view(), row.options).forest;
  return fit_and_refine(data.view(), row.options, *row.refinement).fit.forest;
}

// The names of the answers in NAME.csv, after the features.
inline std::vector<std::string> answer_columns(const Forest& forest) {
  Schema schema = forest.info().schema;
  std::vector<std::string> names;
  if (forest.info().payload_kind == PayloadKind::gaussian)
    for (const Feature& feature : schema.features) schema.targets.push_back(feature.name);
  for (const std::string& label : schema.classes) names.push_back("probability of " + label);
  if (!names.empty()) return names;
  for (const std::string& target : schema.targets) names.push_back("mean of " + target);
  for (const std::string& target : schema.targets) names.push_back("variance of " + target);
  return names;
}

}  // namespace coppice::golden
