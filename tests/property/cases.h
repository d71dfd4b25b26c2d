// The one table behind the property tests. A new objective, leaf model, weak learner or task is
// covered by all of them once it has a row here.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random_stream.h"
#include "coppice/options.h"
#include "data/fixed_point.h"
#include "leaf/class_histogram.h"
#include "leaf/mean.h"
#include "objective/absolute_deviation.h"
#include "objective/class_impurity.h"
#include "objective/general_entropy.h"
#include "objective/log_det.h"
#include "objective/twoing.h"
#include "objective/variance.h"
#include "split/axis_aligned.h"
#include "tests/property/random_data.h"

namespace coppice::test {

// --- Objectives ----------------------------------------------------------------------------------

// Rows that an objective can be bound to.
template <class O, std::uint32_t kClasses>
class OnLabels {
 public:
  using Bound = O;

  OnLabels(RandomStream random, std::size_t rows) : labels_(rows) {
    for (std::uint32_t& label : labels_) label = random.below(kClasses);
  }
  O objective() const { return {labels_, kClasses}; }

 private:
  std::vector<std::uint32_t> labels_;
};

template <class O, std::size_t kOutputs>
class OnTargets {
 public:
  using Bound = O;

  OnTargets(RandomStream random, std::size_t rows) : targets_(draw(random, rows), kOutputs) {}
  O objective() const { return O{targets_}; }

 private:
  static std::vector<double> draw(RandomStream random, std::size_t rows) {
    std::vector<double> values(rows * kOutputs);
    for (double& value : values) value = random_normal(random) * 3 + 100;
    return values;
  }
  FixedPointTargets targets_;
};

using ObjectiveCases =
    testing::Types<OnLabels<GiniImpurity, 2>, OnLabels<GiniImpurity, 9>,
                   OnLabels<TsallisEntropy, 4>, OnLabels<EntropyImpurity, 2>,
                   OnLabels<EntropyImpurity, 9>, OnTargets<Variance, 1>,
                   OnTargets<MultiVariance, 1>, OnTargets<MultiVariance, 4>, OnLabels<Twoing, 2>,
                   OnLabels<Twoing, 9>, OnTargets<AbsoluteDeviation, 1>,
                   OnTargets<AbsoluteDeviation, 3>, OnTargets<LogDet, 1>, OnTargets<LogDet, 3>>;

// --- Leaf models ---------------------------------------------------------------------------------

// Rows that a leaf model can be bound to; it keeps references.
struct LeafRows {
  static constexpr std::uint32_t kClasses = 4;
  static constexpr std::size_t kOutputs = 3;

  std::vector<std::uint32_t> labels;
  FixedPointTargets targets;
  FixedPointWeights weights;
};

struct LeafCase {
  std::string name;
  std::function<std::unique_ptr<LeafModel>(const LeafRows&)> bind;
  // True if the payload may stand in a model.
  std::function<bool(std::span<const float>)> valid;
};

inline bool is_distribution(std::span<const float> payload) {
  double sum = 0;
  for (const float share : payload) {
    if (!(share >= 0 && share <= 1)) return false;
    sum += share;
  }
  return std::abs(sum - 1) < 1e-6;
}

inline bool has_variances(std::span<const float> payload) {
  for (std::size_t k = 0; k < payload.size(); ++k)
    if (!std::isfinite(payload[k]) || (k >= payload.size() / 2 && payload[k] < 0)) return false;
  return true;
}

inline std::vector<LeafCase> leaf_cases() {
  return {{"class_histogram",
           [](const LeafRows& rows) -> std::unique_ptr<LeafModel> {
             return std::make_unique<ClassHistogramLeaf>(rows.labels, LeafRows::kClasses,
                                                         rows.weights);
           },
           is_distribution},
          {"mean",
           [](const LeafRows& rows) -> std::unique_ptr<LeafModel> {
             return std::make_unique<MeanLeaf>(rows.targets, rows.weights);
           },
           has_variances}};
}

// --- Weak learners -------------------------------------------------------------------------------

struct LearnerCase {
  std::string name;
  std::function<std::unique_ptr<WeakLearner>(std::uint32_t features, std::size_t candidates)> make;
};

inline std::vector<LearnerCase> learner_cases() {
  return {{"axis_aligned", [](std::uint32_t features, std::size_t candidates) {
             return std::make_unique<AxisAligned>(features, candidates);
           }}};
}

// --- Tasks ---------------------------------------------------------------------------------------

// How a forest is asked for, and the data that suits it.
struct TaskCase {
  std::string name;
  TaskChoice task;
  ThresholdChoice thresholds;
  DataShape shape;
  MethodChoice method = {};

  bool classes() const { return shape.classes > 0; }
  bool exact() const { return std::holds_alternative<ExactThresholds>(thresholds); }
  bool random_thresholds() const { return std::holds_alternative<RandomThresholds>(thresholds); }
  bool binned() const { return std::holds_alternative<BinnedThresholds>(thresholds); }
  // Whether splits depend on the values of features and not on their order alone.
  bool looks_at_values() const {
    const auto* chosen = std::get_if<Regression>(&task);
    return random_thresholds() ||
           (chosen && (std::holds_alternative<FeatureVarianceObjective>(chosen->objective) ||
                       std::holds_alternative<ProbabilisticLinearObjective>(chosen->objective)));
  }
  bool balanced() const {
    const auto* chosen = std::get_if<Classification>(&task);
    return chosen && std::holds_alternative<BalancedClassWeights>(chosen->class_weights);
  }

  // No tree says anything alone, in or out of its bag.
  bool trees_add_up() const {
    return std::holds_alternative<NewtonTrees>(method) ||
           std::holds_alternative<IntermediateRefinement>(method) ||
           (std::holds_alternative<BoostedTrees>(method) && !classes());
  }

  FitOptions options(std::uint64_t seed, std::uint32_t trees = 5) const {
    FitOptions options;
    options.task = task;
    options.method = method;
    options.split.thresholds = thresholds;
    options.forest = {trees, seed};
    return options;
  }
  Dataset data(std::uint64_t seed, std::size_t rows) const {
    DataShape sized = shape;
    sized.rows = rows;
    return random_dataset(RandomStream(seed).child(rows), sized);
  }
};

inline std::vector<TaskCase> task_cases() {
  const TaskChoice gini = Classification{GiniObjective{}, {}};
  const TaskChoice entropy = Classification{EntropyObjective{}, {}};
  const TaskChoice balanced = Classification{GiniObjective{}, BalancedClassWeights{}};
  const TaskChoice twoing = Classification{TwoingObjective{}, {}};
  const TaskChoice absolute = Regression{AbsoluteDeviationObjective{}};
  const TaskChoice features = Regression{FeatureVarianceObjective{0.5}};
  const TaskChoice log_det = Regression{LogDetObjective{}};
  const TaskChoice lines = Regression{ProbabilisticLinearObjective{}};
  const DataShape two_classes{.numeric = 3, .categorical = 2, .classes = 2};
  const DataShape classes{.numeric = 4, .categorical = 1, .classes = 5, .extreme = true};
  const DataShape weighted{.numeric = 3, .classes = 3, .weights = WeightKind::whole};
  const DataShape number{.numeric = 3, .categorical = 2, .classes = 0, .extreme = true};
  const DataShape numbers{.numeric = 3, .categorical = 1, .classes = 0, .targets = 3};
  const DataShape weighted_number{
      .numeric = 4, .most_categories = 40, .classes = 0, .weights = WeightKind::fractional};
  return {{"gini_exact", gini, ExactThresholds{}, classes},
          {"gini_binary", gini, ExactThresholds{}, two_classes},
          {"gini_balanced_bins", balanced, BinnedThresholds{8, 0}, weighted},
          {"gini_bins_of_large_nodes", gini, BinnedThresholds{8, 25}, classes},
          {"gini_random", gini, RandomThresholds{1}, classes},
          {"entropy_exact", entropy, ExactThresholds{}, weighted},
          {"entropy_bins", entropy, BinnedThresholds{16, 0}, classes},
          {"entropy_random", entropy, RandomThresholds{3}, two_classes},
          {"variance_exact", Regression{}, ExactThresholds{}, number},
          {"variance_bins", Regression{}, BinnedThresholds{8, 0}, weighted_number},
          {"variance_bins_of_large_nodes", Regression{}, BinnedThresholds{8, 25}, number},
          {"variance_random", Regression{}, RandomThresholds{1}, weighted_number},
          {"multi_variance_exact", Regression{}, ExactThresholds{}, numbers},
          {"multi_variance_bins", Regression{}, BinnedThresholds{8, 0}, numbers},
          {"multi_variance_random", Regression{}, RandomThresholds{2}, numbers},
          {"twoing_exact", twoing, ExactThresholds{}, classes},
          {"twoing_random", twoing, RandomThresholds{1}, classes},
          {"absolute_exact", absolute, ExactThresholds{}, number},
          {"absolute_random", absolute, RandomThresholds{1}, numbers},
          {"feature_variance_exact", features, ExactThresholds{}, numbers},
          {"log_det_exact", log_det, ExactThresholds{}, weighted_number},
          {"log_det_bins", log_det, BinnedThresholds{8, 0}, numbers},
          {"lines_exact", lines, ExactThresholds{}, number},
          {"lines_bins_of_large_nodes", lines, BinnedThresholds{8, 25}, numbers},
          {"lines_random", lines, RandomThresholds{2}, weighted_number}};
}

// The rows of which a property speaks at all.
template <class Predicate>
std::vector<TaskCase> task_cases_where(Predicate holds) {
  std::vector<TaskCase> chosen;
  for (const TaskCase& row : task_cases())
    if (holds(row)) chosen.push_back(row);
  return chosen;
}

// Names the rows of a table in the list of tests.
constexpr auto kByName = [](const auto& tested) { return tested.param.name; };
inline void PrintTo(const LeafCase& row, std::ostream* out) { *out << row.name; }
inline void PrintTo(const LearnerCase& row, std::ostream* out) { *out << row.name; }
inline void PrintTo(const TaskCase& row, std::ostream* out) { *out << row.name; }

}  // namespace coppice::test
