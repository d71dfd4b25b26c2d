#include "tasks/task.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "leaf/class_histogram.h"
#include "leaf/covariance.h"
#include "leaf/mean.h"
#include "leaf/pending.h"
#include "leaf/quantile.h"
#include "tasks/split_searches.h"
#include "transduce/coordinates.h"
#include "transduce/transduce.h"

namespace coppice {

namespace {

PayloadKind payload_kind_of(const Regression& chosen) {
  constexpr std::array kinds{PayloadKind::mean_variance, PayloadKind::linear,
                             PayloadKind::mean_covariance, PayloadKind::linear_gaussian,
                             PayloadKind::mean_quantiles};
  return kinds[chosen.leaf.index()];
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <Objective O>
auto splitter_factory(O objective, std::span<const std::uint32_t> weights) {
  return [=](const CodedColumns& columns, std::unique_ptr<WeakLearner> learner,
             SearchLimits limits) -> std::unique_ptr<NodeSplitter> {
    return std::make_unique<SplitSearch<O>>(columns, objective, weights, std::move(learner),
                                            limits);
  };
}

Task bind(const Classification& chosen, const DatasetView& data, const FixedPointWeights& weights) {
  Task task{.payload_kind = PayloadKind::class_histogram};
  task.leaf_model = std::make_unique<ClassHistogramLeaf>(data.labels, data.schema->classes.size(),
                                                         weights, chosen.leaf.prior);
  task.make_splitter = class_splitters(chosen, data, weights.units);
  return task;
}

// The leaf model of a Regression; borrows the task's targets.
void bind_leaf(const Regression& chosen, const DatasetView& data, const FixedPointWeights& weights,
               Task& task) {
  const FixedPointTargets& targets = *task.targets;
  task.payload_kind = payload_kind_of(chosen);
  task.leaf_model = std::visit(
      Overloaded{[&](ConstantLeaf) -> std::unique_ptr<LeafModel> {
                   return std::make_unique<MeanLeaf>(targets, weights);
                 },
                 [&](ProbabilisticConstantLeaf) -> std::unique_ptr<LeafModel> {
                   return std::make_unique<CovarianceLeaf>(targets, weights);
                 },
                 [&](const QuantileLeaf& leaf) -> std::unique_ptr<LeafModel> {
                   return std::make_unique<QuantileLeafModel>(targets, weights, leaf.points);
                 },
                 [&](const LinearLeaf& leaf) -> std::unique_ptr<LeafModel> {
                   return std::make_unique<LinearLeafModel>(data, targets, weights, rule_of(leaf));
                 },
                 [&](const ProbabilisticLinearLeaf& leaf) -> std::unique_ptr<LeafModel> {
                   const LinearLeafRule rule{leaf.regressors, 1, 0, true};
                   return std::make_unique<LinearLeafModel>(data, targets, weights, rule);
                 }},
      chosen.leaf);
}

// Samples that a unit of weight stands for: whole weights count samples, others are relative.
double samples_per_unit(const FixedPointWeights& weights) {
  if (weights.unit == 1) return 1;
  double units = 0, rows = 0;
  for (const std::uint32_t of_row : weights.units) units += of_row, rows += of_row > 0;
  return rows / units;
}

Task bind(const Regression& chosen, const DatasetView& data, const FixedPointWeights& weights) {
  const std::size_t outputs = data.schema->targets.size();
  Task task;
  task.targets = std::make_unique<FixedPointTargets>(data.targets, outputs, weights.most_total);
  bind_leaf(chosen, data, weights, task);
  if (const auto* rule = std::get_if<FeatureVarianceObjective>(&chosen.objective)) {
    const TargetsAndFeatures all = targets_and_features(data, weights.units, rule->kappa);
    task.energy_targets =
        std::make_unique<FixedPointTargets>(all.values, all.columns, weights.most_total);
  }
  task.make_splitter = target_splitters(chosen, *task.targets, weights, task.energy_targets.get());
  return task;
}

// The features themselves, row by row.
std::vector<double> feature_rows(const DatasetView& data) {
  std::vector<double> values(data.rows * data.columns.size());
  for (std::size_t f = 0; f < data.columns.size(); ++f)
    for (std::size_t row = 0; row < data.rows; ++row)
      values[row * data.columns.size() + f] = double{data.columns[f][row]};
  return values;
}

// Features are targets until the forest has settled.
Task bind(const Density&, const DatasetView& data, const FixedPointWeights& weights) {
  Task task{.payload_kind = PayloadKind::mean_covariance};
  task.targets = std::make_unique<FixedPointTargets>(feature_rows(data), data.columns.size(),
                                                     weights.most_total);
  task.leaf_model = std::make_unique<CovarianceLeaf>(*task.targets, weights);
  task.make_splitter = splitter_factory(LogDet{*task.targets}, weights.units);
  return task;
}

// Targets of labelled rows; the others have what never counts.
std::vector<double> known_targets(const DatasetView& data, std::span<const std::uint8_t> labelled) {
  std::vector<double> targets(data.targets.begin(), data.targets.end());
  const std::size_t outputs = data.schema->targets.size();
  const auto first =
      static_cast<std::size_t>(std::find(labelled.begin(), labelled.end(), 1) - labelled.begin());
  for (std::size_t row = 0; row < data.rows; ++row)
    for (std::size_t k = 0; labelled[row] == 0 && k < outputs; ++k)
      targets[row * outputs + k] = targets[first * outputs + k];
  return targets;
}

// Leaves are filled in by transduction, when the trees are grown.
Task bind(const SemiSupervised& chosen, const DatasetView& data, const FixedPointWeights& weights) {
  Task task;
  task.labelled.resize(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row)
    task.labelled[row] = is_labelled(data, row) && weights.units[row] > 0 ? 1 : 0;
  const Coordinates space = coordinates_of(data, chosen.components);
  task.energy_targets =
      std::make_unique<FixedPointTargets>(space.values, space.dimensions, weights.most_total);
  const std::span<const std::uint8_t> labelled(task.labelled);
  // The log of a determinant grows with the number of dimensions; so must what weighs against it.
  const double alpha = chosen.alpha * static_cast<double>(space.dimensions);
  if (!data.labels.empty()) {
    const std::size_t classes = data.schema->classes.size();
    std::vector<float> payload(classes, 0);
    payload[0] = 1;
    task.leaf_model = std::make_unique<PendingLeaf>(payload, weights);
    task.make_splitter = splitter_factory(
        MixedGain<LabelEntropy>(*task.energy_targets, {data.labels, classes}, labelled, alpha),
        weights.units);
    return task;
  }
  const std::size_t outputs = data.schema->targets.size();
  task.payload_kind = PayloadKind::mean_variance;
  task.targets = std::make_unique<FixedPointTargets>(known_targets(data, labelled), outputs,
                                                     weights.most_total);
  task.leaf_model = std::make_unique<PendingLeaf>(std::vector<float>(2 * outputs, 0), weights);
  task.make_splitter = splitter_factory(
      MixedGain<LogDet>(*task.energy_targets, LogDet{*task.targets}, labelled, alpha),
      weights.units);
  return task;
}

std::vector<double> class_weights(const Classification& task, const DatasetView& data) {
  const std::vector<std::string>& classes = data.schema->classes;
  std::vector<double> weights(classes.size(), 1);
  if (const auto* given = std::get_if<GivenClassWeights>(&task.class_weights)) {
    for (const auto& [name, weight] : given->weights) {
      const auto found = std::find(classes.begin(), classes.end(), name);
      weights[static_cast<std::size_t>(found - classes.begin())] = weight;
    }
  } else if (std::holds_alternative<BalancedClassWeights>(task.class_weights)) {
    std::vector<std::size_t> counts(classes.size());
    for (const std::uint32_t label : data.labels) ++counts[label];
    const auto occurring = static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](std::size_t n) { return n > 0; }));
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (counts[c] > 0)
        weights[c] = static_cast<double>(data.rows) / (occurring * static_cast<double>(counts[c]));
  }
  return weights;
}

}  // namespace

LinearLeafRule rule_of(const LinearLeaf& leaf) {
  return {leaf.regressors, leaf.degree, leaf.ridge, false};
}

SplitterFactory class_splitters(const Classification& chosen, const DatasetView& data,
                                std::span<const std::uint32_t> weights) {
  const std::size_t classes = data.schema->classes.size();
  return std::visit(
      Overloaded{[&](GiniObjective) -> SplitterFactory {
                   return splitter_factory(GiniImpurity{data.labels, classes}, weights);
                 },
                 [&](EntropyObjective) -> SplitterFactory {
                   return splitter_factory(EntropyImpurity{data.labels, classes}, weights);
                 },
                 [&](TsallisObjective rule) -> SplitterFactory {
                   return splitter_factory(TsallisEntropy{data.labels, classes, rule.q}, weights);
                 },
                 [&](RenyiObjective rule) -> SplitterFactory {
                   return splitter_factory(RenyiEntropy{data.labels, classes, rule.alpha}, weights);
                 },
                 [&](TwoingObjective) -> SplitterFactory {
                   return splitter_factory(Twoing{data.labels, classes}, weights);
                 }},
      chosen.objective);
}

SplitterFactory variance_splitters(const FixedPointTargets& targets,
                                   std::span<const std::uint32_t> units) {
  if (targets.outputs() == 1) return splitter_factory(Variance{targets}, units);
  return splitter_factory(MultiVariance{targets}, units);
}

SplitterFactory target_splitters(const Regression& chosen, const FixedPointTargets& targets,
                                 const FixedPointWeights& weights,
                                 const FixedPointTargets* with_features) {
  return std::visit(
      Overloaded{
          [&](VarianceObjective) { return variance_splitters(targets, weights.units); },
          [&](AbsoluteDeviationObjective) -> SplitterFactory {
            return splitter_factory(AbsoluteDeviation{targets}, weights.units);
          },
          [&](FeatureVarianceObjective) -> SplitterFactory {
            return splitter_factory(FeatureVariance{{*with_features}, targets}, weights.units);
          },
          [&](LogDetObjective) -> SplitterFactory {
            return splitter_factory(LogDet{targets}, weights.units);
          },
          [&](ProbabilisticLinearObjective) -> SplitterFactory {
            return splitter_factory(ProbabilisticLinear{targets, samples_per_unit(weights)},
                                    weights.units);
          }},
      chosen.objective);
}

std::size_t payload_floats(const TaskChoice& choice, const Schema& schema) {
  return std::visit(
      Overloaded{[&](const Classification&) { return schema.classes.size(); },
                 [&](const SemiSupervised&) {
                   return schema.classes.empty() ? 2 * schema.targets.size()
                                                 : schema.classes.size();
                 },
                 [&](const Density&) {
                   return PayloadLayout(PayloadKind::gaussian, schema.features.size()).size();
                 },
                 [&](const Regression& chosen) {
                   std::size_t extra = 0;
                   if (const auto* leaf = std::get_if<QuantileLeaf>(&chosen.leaf))
                     extra = leaf->points;
                   if (const auto* leaf = std::get_if<LinearLeaf>(&chosen.leaf))
                     extra = leaf->regressors;
                   if (const auto* leaf = std::get_if<ProbabilisticLinearLeaf>(&chosen.leaf))
                     extra = leaf->regressors;
                   const PayloadKind kind = payload_kind_of(chosen);
                   return PayloadLayout(kind, schema.targets.size(), extra).size();
                 }},
      choice);
}

std::size_t leaf_model_bytes(const TaskChoice& choice, const Schema& schema, std::size_t rows) {
  const auto* task = std::get_if<Regression>(&choice);
  const bool linear = task && (std::holds_alternative<LinearLeaf>(task->leaf) ||
                               std::holds_alternative<ProbabilisticLinearLeaf>(task->leaf));
  return linear ? NumericTable::bytes(schema, rows) : 0;
}

ObjectiveBytes objective_bytes(const TaskChoice& choice, const Schema& schema, std::size_t rows) {
  const std::size_t row_of_features = rows * schema.features.size();
  if (std::holds_alternative<Density>(choice))
    return {.shared = row_of_features * (sizeof(double) + sizeof(std::int64_t)),
            .per_worker = row_of_features * sizeof(std::int32_t) + rows * 48};
  if (const auto* task = std::get_if<SemiSupervised>(&choice)) {
    const std::size_t dimensions = std::min<std::size_t>(schema.features.size(), task->components);
    return {.shared = row_of_features * sizeof(double) +
                      rows * dimensions * (sizeof(double) + sizeof(std::int64_t)),
            .per_worker = rows * (dimensions * sizeof(std::int32_t) + 96)};
  }
  const auto* task = std::get_if<Regression>(&choice);
  if (task == nullptr) return {};
  const std::size_t outputs = schema.targets.size();
  if (std::holds_alternative<FeatureVarianceObjective>(task->objective))
    return {.shared = rows * (outputs + schema.features.size()) *
                      (sizeof(double) + sizeof(std::int64_t))};
  // Numbers, ranks and points of a node.
  const bool looks_at_nodes = !std::holds_alternative<VarianceObjective>(task->objective);
  return {.per_worker = looks_at_nodes ? rows * (sizeof(std::int32_t) * outputs + 48) : 0};
}

Task bind_task(const TaskChoice& choice, const DatasetView& data,
               const FixedPointWeights& weights) {
  return std::visit([&](const auto& chosen) { return bind(chosen, data, weights); }, choice);
}

std::vector<double> row_weights(const TaskChoice& choice, const DatasetView& data) {
  std::vector<double> weights(data.rows, 1);
  std::copy(data.weights.begin(), data.weights.end(), weights.begin());
  if (const auto* task = std::get_if<Classification>(&choice)) {
    const std::vector<double> by_class = class_weights(*task, data);
    for (std::size_t row = 0; row < data.rows; ++row) weights[row] *= by_class[data.labels[row]];
  }
  return weights;
}

std::span<const std::uint32_t> drawn_classes(const TaskChoice& choice, const DatasetView& data) {
  const auto* task = std::get_if<Classification>(&choice);
  const bool resampled = task && std::holds_alternative<ResampledClasses>(task->class_weights);
  return resampled ? data.labels : std::span<const std::uint32_t>();
}

std::uint32_t least_leaf_samples(const FitOptions& options, std::size_t features) {
  double per_feature = 0;
  if (const auto* task = std::get_if<Density>(&options.task))
    per_feature = task->samples_per_feature;
  if (const auto* task = std::get_if<SemiSupervised>(&options.task)) {
    per_feature = task->samples_per_feature;
    features = std::min<std::size_t>(features, task->components);
  }
  const double samples = std::ceil(per_feature * static_cast<double>(features + 1));
  return std::max(options.growth.min_samples_leaf, static_cast<std::uint32_t>(samples));
}

// Thresholds matter more to a smooth function than to the boundary of a class, and a bin costs
// less.
std::uint32_t bins_per_feature(const BinnedThresholds& chosen, const TaskChoice& task) {
  if (chosen.bins > 0) return chosen.bins;
  return std::holds_alternative<Classification>(task) ? 256 : 2048;
}

std::uint32_t rows_searched_exactly(const BinnedThresholds& chosen, const TaskChoice& task) {
  return chosen.exact_rows.value_or(std::holds_alternative<Classification>(task) ? 2048 : 8192);
}

std::size_t features_per_node(const FeatureChoice& choice, const TaskChoice& task,
                              std::size_t features) {
  const auto all = static_cast<double>(features);
  const auto square_root = [&] { return static_cast<std::size_t>(std::sqrt(all)); };
  const auto third = [&] { return features / 3; };
  const std::size_t count = std::visit(
      Overloaded{
          [&](DefaultFeatures) {
            if (std::holds_alternative<Density>(task)) return features;
            if (std::holds_alternative<SemiSupervised>(task))
              return std::max<std::size_t>(2, square_root());
            return std::holds_alternative<Regression>(task) ? third() : square_root();
          },
          [&](AllFeatures) { return features; }, [&](SqrtFeatures) { return square_root(); },
          [&](Log2Features) { return static_cast<std::size_t>(std::bit_width(features)) - 1; },
          [&](FeatureFraction chosen) { return static_cast<std::size_t>(chosen.fraction * all); },
          [&](FeatureCount chosen) { return std::size_t{chosen.count}; }},
      choice);
  return std::clamp<std::size_t>(count, 1, features);
}

}  // namespace coppice
