// What is wrong with the options, or with the data for these options; all of it at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/options.h"
#include "data/limits.h"
#include "tasks/make_learner.h"
#include "tasks/methods.h"
#include "transduce/transduce.h"

namespace coppice {
namespace {

class Problems {
 public:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> sentence, Args&&... args) {
    if (holds) return;
    if (sentences_.size() < kMostTold) {
      sentences_.push_back(fmt::format(sentence, std::forward<Args>(args)...));
    } else {
      ++untold_;
    }
  }
  std::vector<std::string> take() {
    if (untold_ > 0) sentences_.push_back(fmt::format("and {} more", untold_));
    return std::move(sentences_);
  }

 private:
  static constexpr std::size_t kMostTold = 20;  // nobody reads a sentence per column

  std::vector<std::string> sentences_;
  std::size_t untold_ = 0;
};

void check_forest(const FitOptions& options, Problems& problems) {
  problems.require(options.forest.trees >= 1,
                   "the number of trees is 0; a forest needs at least 1");
  problems.require(options.forest.trees <= 1'000'000, "{} trees are more than the limit of 1000000",
                   options.forest.trees);
  const SamplingOptions& sampling = options.sampling;
  problems.require(sampling.max_samples > 0 && sampling.max_samples <= 1000,
                   "max-samples is {}; it must be a positive share of the rows, such as 0.5",
                   sampling.max_samples);
  const bool no_row_is_out =
      sampling.bagging == Bagging::none ||
      (sampling.bagging == Bagging::without_replacement && sampling.max_samples >= 1);
  const ReportOptions& report = options.report;
  problems.require(!no_row_is_out || !(report.permutation_importance || report.unbiased_importance),
                   "permutation and unbiased importance need out-of-bag rows, but every tree is "
                   "trained on all rows; choose another bagging or max-samples");
  problems.require(
      !report.calibration || (report.out_of_bag && !no_row_is_out),
      "calibration needs out-of-bag estimates, but there are none; let oob be true and "
      "choose another bagging or max-samples");
  problems.require(!report.calibration || std::holds_alternative<Regression>(options.task),
                   "calibration is about the intervals of regression, but this is another task");
  problems.require(
      !std::holds_alternative<Density>(options.task) ||
          !(report.permutation_importance || report.unbiased_importance),
      "permutation and unbiased importance measure errors, which a density does not make; leave "
      "them out");
  problems.require(sampling.bagging != Bagging::without_replacement || sampling.max_samples <= 1,
                   "max-samples is {}; without replacement it can be 1 at most",
                   sampling.max_samples);
}

void check_split(const FitOptions& options, std::size_t features, Problems& problems) {
  if (const auto* fraction = std::get_if<FeatureFraction>(&options.split.max_features))
    problems.require(fraction->fraction > 0 && fraction->fraction <= 1,
                     "max-features is {}; as a share it must lie above 0 and be at most 1",
                     fraction->fraction);
  if (const auto* count = std::get_if<FeatureCount>(&options.split.max_features))
    problems.require(count->count >= 1 && count->count <= features,
                     "max-features is {}, but the data has {} features", count->count, features);
  if (const auto* binned = std::get_if<BinnedThresholds>(&options.split.thresholds))
    problems.require(binned->bins == 0 || (binned->bins >= 2 && binned->bins <= 65535),
                     "bins is {}; it must lie between 2 and 65535", binned->bins);
  if (const auto* random = std::get_if<RandomThresholds>(&options.split.thresholds))
    problems.require(random->per_feature >= 1 && random->per_feature <= 65535,
                     "random-thresholds is {}; it must lie between 1 and 65535",
                     random->per_feature);
  if (options.split.max_node_samples)
    problems.require(*options.split.max_node_samples >= 2,
                     "max-node-samples is {}; a node needs 2 samples to be split",
                     *options.split.max_node_samples);
}

// Boxes need features that lie in a grid.
void check_boxes(const SplitOptions& split, std::size_t features, Problems& problems) {
  if (!uses(split, WeakLearnerKind::boxes)) {
    problems.require(!split.image_width && !split.box_side,
                     "image-width and box-side belong to split boxes");
    return;
  }
  const bool fits = feature_grid(split, features).has_value();
  if (split.image_width)
    problems.require(fits, "image-width is {}, but {} features are no whole number of such rows",
                     *split.image_width, features);
  else
    problems.require(fits,
                     "split boxes looks at images, but {} features are no square one; say their "
                     "image-width, or {} if they are the steps of a series",
                     features, features);
}

void check_feature_weights(const FeatureWeightChoice& choice, const Schema& schema,
                           Problems& problems) {
  if (const auto* learned = std::get_if<LearnedFeatureWeights>(&choice))
    problems.require(
        learned->uniform_share > 0 && learned->uniform_share <= 1,
        "feature-weights learned:{}; the equal share must lie above 0 and be at most 1",
        learned->uniform_share);
  const auto* given = std::get_if<GivenFeatureWeights>(&choice);
  if (given == nullptr) return;
  std::size_t never = 0;
  for (const auto& [name, weight] : given->weights) {
    const bool known =
        std::any_of(schema.features.begin(), schema.features.end(),
                    [&, wanted = &name](const Feature& f) { return f.name == *wanted; });
    problems.require(known, "feature-weights names the feature '{}', which the data does not have",
                     name);
    problems.require(weight >= 0 && std::isfinite(weight),
                     "feature-weights of '{}' is {}; it must be 0 or more", name, weight);
    never += weight <= 0;
  }
  problems.require(never < schema.features.size(),
                   "feature-weights are 0 for every feature, so that nothing could be split");
}

void check_growth(const GrowthOptions& growth, Problems& problems) {
  problems.require(growth.min_samples_leaf >= 1, "min-samples-leaf is 0; it must be at least 1");
  problems.require(growth.min_samples_split >= 2, "min-samples-split is {}; it must be at least 2",
                   growth.min_samples_split);
  problems.require(growth.min_impurity_decrease >= 0 && std::isfinite(growth.min_impurity_decrease),
                   "min-impurity-decrease is {}; it must be 0 or more",
                   growth.min_impurity_decrease);
}

void check_leaf(const Classification& task, Problems& problems) {
  problems.require(task.leaf.prior >= 0 && std::isfinite(task.leaf.prior),
                   "leaf-prior is {}; it must be 0 or more", task.leaf.prior);
}

void check_leaf(const Regression& task, Problems& problems) {
  constexpr std::uint32_t kMostTerms = 64, kMostDegree = 8, kMostPoints = 64;
  const auto check_regressors = [&](std::uint32_t count) {
    problems.require(count >= 1 && count <= kMostTerms,
                     "leaf-regressors is {}; it must lie between 1 and {}", count, kMostTerms);
  };
  if (const auto* leaf = std::get_if<LinearLeaf>(&task.leaf)) {
    check_regressors(leaf->regressors);
    problems.require(leaf->degree >= 1 && leaf->degree <= kMostDegree,
                     "leaf-degree is {}; it must lie between 1 and {}", leaf->degree, kMostDegree);
    problems.require(leaf->ridge >= 0 && std::isfinite(leaf->ridge),
                     "leaf-ridge is {}; it must be 0 or more", leaf->ridge);
  }
  if (const auto* leaf = std::get_if<ProbabilisticLinearLeaf>(&task.leaf))
    check_regressors(leaf->regressors);
  if (const auto* leaf = std::get_if<QuantileLeaf>(&task.leaf))
    problems.require(leaf->points >= 1 && leaf->points <= kMostPoints,
                     "leaf-points is {}; it must lie between 1 and {}", leaf->points, kMostPoints);
}

void check_leaf(const Density& task, Problems& problems) {
  problems.require(task.prior >= 0 && std::isfinite(task.prior),
                   "density-prior is {}; it must be 0 or more", task.prior);
  problems.require(task.floor > 0 && std::isfinite(task.floor),
                   "density-floor is {}; it must be above 0", task.floor);
  problems.require(task.samples_per_feature >= 0 && task.samples_per_feature <= 1e6,
                   "samples-per-feature is {}; it must lie between 0 and 1000000",
                   task.samples_per_feature);
}

void check_leaf(const SemiSupervised& task, Problems& problems) {
  problems.require(task.samples_per_feature >= 0 && task.samples_per_feature <= 1e6,
                   "samples-per-feature is {}; it must lie between 0 and 1000000",
                   task.samples_per_feature);
  problems.require(task.components >= 1 && task.components <= 64,
                   "components is {}; it must lie between 1 and 64", task.components);
  problems.require(task.neighbours >= 1 && task.neighbours <= 10000,
                   "neighbours is {}; it must lie between 1 and 10000", task.neighbours);
}

void check_objective(const Classification& task, const FitOptions& options, Problems& problems) {
  problems.require(
      !std::holds_alternative<ResampledClasses>(task.class_weights) ||
          options.sampling.bagging != Bagging::none,
      "class-weight resample draws the rows of every tree, but bagging is none; choose "
      "another bagging, or class-weight balanced");
}

void check_objective(const Regression& task, const FitOptions& options, Problems& problems) {
  if (const auto* rule = std::get_if<FeatureVarianceObjective>(&task.objective))
    problems.require(rule->kappa >= 0 && std::isfinite(rule->kappa),
                     "kappa is {}; it must be 0 or more", rule->kappa);
  problems.require(
      !std::holds_alternative<ProbabilisticLinearObjective>(task.objective) ||
          !options.split.two_sided,
      "two-sided splits cannot be searched by criterion probabilistic-linear; leave one out");
}

void check_objective(const Density&, const FitOptions& options, Problems& problems) {
  problems.require(options.forest.ensemble == Ensemble::mean,
                   "the density of a forest is the mean over its trees; leave ensemble out");
  problems.require(
      !uses(options.split, WeakLearnerKind::canonical),
      "weak learner lda tells targets apart, but a density has none; try pca or oblique");
}

void check_objective(const SemiSupervised& task, const FitOptions& options, Problems& problems) {
  problems.require(task.alpha >= 0 && std::isfinite(task.alpha),
                   "alpha is {}; it must be 0 or more", task.alpha);
  problems.require(!uses(options.split, WeakLearnerKind::canonical),
                   "weak learner lda needs the labels of all rows; try pca or oblique");
  problems.require(
      !options.report.permutation_importance && !options.report.unbiased_importance,
      "permutation and unbiased importance measure errors, which are not known of rows without a "
      "label; leave them out");
}

void check_target(const Classification& task, const DatasetView& data, Problems& problems) {
  if (data.labels.size() != data.rows || data.schema->classes.empty()) {
    problems.require(false, "classification needs a class label for every row");
    return;
  }
  const auto missing = std::find(data.labels.begin(), data.labels.end(), kNoLabel);
  problems.require(missing == data.labels.end(),
                   "row {} has no label; remove the rows without one, fill them in, or learn from "
                   "them, too, with --task semi-supervised",
                   missing - data.labels.begin() + 1);
  if (const auto* given = std::get_if<GivenClassWeights>(&task.class_weights)) {
    for (const auto& [name, weight] : given->weights) {
      const auto& classes = data.schema->classes;
      problems.require(std::find(classes.begin(), classes.end(), name) != classes.end(),
                       "class-weight names the class '{}', which does not occur", name);
      problems.require(weight >= 0 && std::isfinite(weight),
                       "class-weight of '{}' is {}; it must be 0 or more", name, weight);
    }
  }
}

void check_target(const Regression&, const DatasetView& data, Problems& problems) {
  const std::size_t outputs = data.schema->targets.size();
  if (outputs == 0 || data.targets.size() != data.rows * outputs) {
    problems.require(!data.labels.empty(), "regression needs a number to predict for every row");
    problems.require(data.labels.empty(),
                     "regression needs a number to predict for every row, but the target has "
                     "labels, or no row has one");
    return;
  }
  const auto bad = std::find_if(data.targets.begin(), data.targets.end(),
                                [](double target) { return !std::isfinite(target); });
  const auto index = static_cast<std::size_t>(bad - data.targets.begin());
  problems.require(bad == data.targets.end(),
                   "row {} has no finite value of '{}'; remove such rows, fill them in, or learn "
                   "from them, too, with --task semi-supervised",
                   index / outputs + 1, data.schema->targets[index % outputs]);
  const auto far = std::find_if(data.targets.begin(), data.targets.end(), [](double target) {
    return std::isfinite(target) && std::abs(target) > kMostTarget;
  });
  const auto far_index = static_cast<std::size_t>(far - data.targets.begin());
  problems.require(far == data.targets.end(),
                   "row {} has a value of '{}' beyond {}; divide the targets by a power of ten",
                   far_index / outputs + 1, data.schema->targets[far_index % outputs], kMostTarget);
}

void check_target(const SemiSupervised&, const DatasetView& data, Problems& problems) {
  const bool classes = data.labels.size() == data.rows && !data.schema->classes.empty();
  const bool numbers = !data.schema->targets.empty() &&
                       data.targets.size() == data.rows * data.schema->targets.size();
  std::size_t labelled = 0;
  for (std::size_t row = 0; (classes || numbers) && row < data.rows; ++row)
    labelled += is_labelled(data, row) && (data.weights.empty() || data.weights[row] > 0);
  problems.require(labelled > 0, "no row has a label; a few are needed to begin with");
  const auto varies = [&](std::size_t f) {
    float first = kMissing;
    for (const float value : data.columns[f]) {
      if (std::isfinite(value) && std::isfinite(first) && value != first) return true;
      if (std::isfinite(value)) first = value;
    }
    return false;
  };
  bool found = false;
  for (std::size_t f = 0; !found && f < data.columns.size(); ++f)
    found = data.schema->features[f].kind == FeatureKind::numeric && varies(f);
  problems.require(found,
                   "semi-supervised learning follows the density of numbers, but no numeric "
                   "feature has different values");
}

// Features of a density: numbers that are all there, and that differ.
void check_target(const Density&, const DatasetView& data, Problems& problems) {
  constexpr std::size_t kMostFeatures = 1000;
  constexpr float kMost = 1e18f;
  problems.require(data.columns.size() <= kMostFeatures,
                   "a density of {} features is more than the limit of {}; choose some with ignore",
                   data.columns.size(), kMostFeatures);
  for (std::size_t f = 0; f < data.columns.size(); ++f) {
    const Feature& feature = data.schema->features[f];
    const std::span<const float> column = data.columns[f];
    if (feature.kind != FeatureKind::numeric) {
      problems.require(false, "'{}' is a category, which has no density; leave it out with ignore",
                       feature.name);
      continue;
    }
    const auto bad = std::find_if(column.begin(), column.end(),
                                  [](float value) { return std::abs(value) > kMost; });
    problems.require(bad == column.end(),
                     "row {} has a value of '{}' beyond {}; remove such rows, or leave the column "
                     "out with ignore",
                     bad - column.begin() + 1, feature.name, kMost);
    const auto known =
        std::find_if(column.begin(), column.end(), [](float value) { return !std::isnan(value); });
    problems.require(
        std::any_of(known, column.end(),
                    [&](float value) { return !std::isnan(value) && value != *known; }),
        "'{}' has the same value in every row that has any, so its density is not "
        "finite; leave it out with ignore",
        feature.name);
  }
}

void check_weights(const DatasetView& data, Problems& problems) {
  if (data.weights.empty()) return;
  double total = 0;
  for (const float weight : data.weights) total += double{weight};
  problems.require(total > 0, "all sample weights are 0");
  // A leaf keeps what it weighs as a float.
  problems.require(total < 1e38, "the sample weights add up to {}; divide them by a power of ten",
                   total);
}

}  // namespace

std::vector<std::string> problems(const FitOptions& options, const DatasetView& data) {
  Problems found;
  found.require(data.rows >= 1, "the data has no rows");
  found.require(!data.columns.empty(), "the data has no features");
  check_forest(options, found);
  check_split(options, data.columns.size(), found);
  check_boxes(options.split, data.columns.size(), found);
  check_feature_weights(options.split.feature_weights, *data.schema, found);
  check_growth(options.growth, found);
  std::visit(
      [&](const auto& task) {
        check_leaf(task, found);
        check_objective(task, options, found);
        check_target(task, data, found);
      },
      options.task);
  for (const std::string& problem : method_problems(options)) found.require(false, "{}", problem);
  found.require(options.forest.ensemble != Ensemble::vote ||
                    std::holds_alternative<Classification>(options.task),
                "ensemble is vote, but regression has no classes to vote for; try mean");
  found.require(
      options.forest.ensemble != Ensemble::sum,
      "ensemble is sum, but leaves are trained as distributions, not as scores; try mean");
  check_weights(data, found);
  return found.take();
}

}  // namespace coppice
