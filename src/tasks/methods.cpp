#include "tasks/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grow/sampling.h"
#include "tasks/leaf_revision.h"
#include "tasks/logistic_loss.h"
#include "tasks/margin_loss.h"
#include "tasks/residual_loss.h"

namespace coppice {
namespace {

// What the method is bound to; borrowed.
struct Binding {
  const FitOptions& options;
  const DatasetView& data;
  const FixedPointWeights& weights;
  Task& task;
};

std::size_t most_drawn(const Binding& to) {
  const auto eligible = std::count_if(to.weights.units.begin(), to.weights.units.end(),
                                      [](std::uint32_t units) { return units > 0; });
  return samples_drawn(to.options.sampling, static_cast<std::size_t>(eligible));
}

// Splits see weights that change; leaves count the weights of the data.
void bind_weights(const Binding& to, const Classification& chosen) {
  to.task.working_weights =
      std::make_unique<WorkingWeights>(to.weights, most_drawn(to), WorkingWeights::kCoarse);
  to.task.make_splitter = class_splitters(chosen, to.data, to.task.working_weights->units());
}

void bind_margins(const Binding& to, const Classification& chosen, MarginReweighting::Rule rule) {
  bind_weights(to, chosen);
  to.task.loss = std::make_unique<MarginReweighting>(to.data.labels, std::move(rule),
                                                     *to.task.working_weights);
}

std::vector<double> class_shares(const Binding& to) {
  std::vector<double> shares(to.data.schema->classes.size());
  double total = 0;
  for (std::size_t row = 0; row < to.data.rows; ++row) {
    shares[to.data.labels[row]] += to.weights.units[row];
    total += to.weights.units[row];
  }
  for (double& share : shares) share /= total;
  return shares;
}

// What the stages learn, at a place that stays the same.
const FixedPointTargets& bind_residuals(const Binding& to, const ResidualTargets::Rule& rule) {
  auto loss = std::make_unique<ResidualTargets>(to.data.targets, to.data.schema->targets.size(),
                                                rule, to.weights);
  const auto& regression = std::get<Regression>(to.options.task);
  const auto* const linear = std::get_if<LinearLeaf>(&regression.leaf);
  to.task.leaf_model.reset();  // which may hold a copy of the data
  to.task.leaf_model = linear ? loss->leaf_model(to.data, rule_of(*linear)) : loss->leaf_model();
  to.task.make_splitter = target_splitters(regression, loss->pseudo(), to.weights);
  const FixedPointTargets& pseudo = loss->pseudo();
  to.task.loss = std::move(loss);
  to.task.targets.reset();
  return pseudo;
}

const LogisticTargets& bind_scores(const Binding& to, const LogisticTargets::Rule& rule) {
  to.task.working_weights =
      std::make_unique<WorkingWeights>(to.weights, most_drawn(to), WorkingWeights::kFine);
  auto loss = std::make_unique<LogisticTargets>(to.data.labels, class_shares(to), rule, to.weights,
                                                *to.task.working_weights);
  to.task.payload_kind = PayloadKind::class_scores;
  to.task.leaf_model = loss->leaf_model();
  to.task.make_splitter = variance_splitters(loss->pseudo(), to.task.working_weights->units());
  to.task.trees_add_up = true;
  const LogisticTargets& targets = *loss;
  to.task.loss = std::move(loss);
  return targets;
}

void bind(const PlainForest&, const Binding&) {}

void bind(const AlternatingForest& method, const Binding& to) {
  to.task.staging = {.unit = StageUnit::level,
                     .vote_scale = 1.0f / static_cast<float>(to.options.forest.trees)};
  const StageLoss& loss = method.loss;
  if (const auto* chosen = std::get_if<Classification>(&to.options.task)) {
    bind_margins(to, *chosen, {loss.margin, loss.margin_scale, method.shrinkage, {}});
  } else {
    bind_residuals(to, {loss.residual, loss.huber_delta, 1, method.shrinkage, false});
  }
}

// Votes are a sum over trees; the prior stands for the root of the tree that is about to grow.
void bind(const BoostedTrees& method, const Binding& to) {
  to.task.staging = {.unit = StageUnit::tree};
  const StageLoss& loss = method.loss;
  const double rate = boosting_rate(method, to.options.task);
  if (const auto* chosen = std::get_if<Classification>(&to.options.task)) {
    bind_margins(to, *chosen, {loss.margin, loss.margin_scale, rate, class_shares(to)});
  } else {
    bind_residuals(to, {loss.residual, loss.huber_delta, rate, rate, true});
    to.task.trees_add_up = true;
  }
}

void bind(const NewtonTrees& method, const Binding& to) {
  to.task.staging = {.unit = StageUnit::tree};
  bind_scores(to, {method.shrinkage, method.ridge});
}

void bind(const IntermediateRefinement& method, const Binding& to) {
  const double share = 1 / static_cast<double>(to.options.forest.trees);
  to.task.staging = {.unit = StageUnit::level};
  if (std::holds_alternative<Classification>(to.options.task)) {
    constexpr double kRidge = 1;
    const LogisticTargets& scores = bind_scores(to, {method.shrinkage * share, kRidge});
    to.task.revision = std::make_unique<ScoreRevision>(to.data.labels, scores.probabilities(),
                                                       to.weights, method.cost);
  } else {
    to.task.staging.vote_scale = static_cast<float>(share);
    const FixedPointTargets& residuals =
        bind_residuals(to, {ResidualLoss::squared, 0, 1, method.shrinkage, false});
    to.task.revision = std::make_unique<ResidualRevision>(residuals, to.weights, method.cost);
  }
}

void bind(const DynamicForest&, const Binding& to) {
  to.task.staging = {.unit = StageUnit::tree, .out_of_bag_votes = true, .bags_by_weight = true};
  bind_weights(to, std::get<Classification>(to.options.task));
  to.task.loss = std::make_unique<OutOfBagReweighting>(to.data.labels, *to.task.working_weights);
}

}  // namespace

void bind_method(const FitOptions& options, const DatasetView& data,
                 const FixedPointWeights& weights, Task& task) {
  const Binding to{options, data, weights, task};
  std::visit([&](const auto& method) { bind(method, to); }, options.method);
  task.staging.loss = task.loss.get();
  task.staging.revision = task.revision.get();
}

void choose_method(FitOptions& options, const MethodChoice& method) {
  constexpr std::uint32_t kLevels = 20, kShallow = 6;
  options.method = method;
  const bool regression = std::holds_alternative<Regression>(options.task);
  const bool boosted = std::holds_alternative<BoostedTrees>(method);
  const bool newton = std::holds_alternative<NewtonTrees>(method);
  const bool refined = std::holds_alternative<IntermediateRefinement>(method);
  if (grows_by_levels(method)) options.growth.max_depth = kLevels;
  if (newton || refined || (boosted && regression)) options.growth.max_depth = kShallow;
  if (boosted || newton || refined) options.sampling.bagging = Bagging::none;
}

double boosting_rate(const BoostedTrees& method, const TaskChoice& task) {
  return method.shrinkage.value_or(std::holds_alternative<Regression>(task) ? 0.1 : 1);
}

namespace {

// The trees of a sum, of which one alone says nothing.
bool trees_add_up(const FitOptions& options) {
  return std::holds_alternative<NewtonTrees>(options.method) ||
         std::holds_alternative<IntermediateRefinement>(options.method) ||
         (std::holds_alternative<BoostedTrees>(options.method) &&
          std::holds_alternative<Regression>(options.task));
}

bool is_share(double value) { return value > 0 && value <= 1; }

// Leaves hold what levels or trees have added up.
bool adds_up(const FitOptions& options) {
  return !std::holds_alternative<PlainForest>(options.method) &&
         std::holds_alternative<Regression>(options.task);
}

// Collects a sentence for everything that does not hold.
class Requirements {
 public:
  void require(bool holds, std::string sentence) {
    if (!holds) found_.push_back(std::move(sentence));
  }
  void require_share(double shrinkage) {
    require(is_share(shrinkage),
            fmt::format("shrinkage is {}; it must be above 0 and at most 1", shrinkage));
  }
  void require_positive(const char* name, double value) {
    require(value > 0 && std::isfinite(value),
            fmt::format("{} is {}; it must be above 0", name, value));
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

void check_loss(const StageLoss& loss, double shrinkage, Requirements& all) {
  all.require_share(shrinkage);
  all.require_positive("margin-scale", loss.margin_scale);
  all.require_positive("huber-delta", loss.huber_delta);
}

void check(const PlainForest&, const FitOptions&, Requirements&) {}

void check(const AlternatingForest& method, const FitOptions&, Requirements& all) {
  check_loss(method.loss, method.shrinkage, all);
}

void check(const BoostedTrees& method, const FitOptions& options, Requirements& all) {
  check_loss(method.loss, boosting_rate(method, options.task), all);
}

void check(const NewtonTrees& method, const FitOptions& options, Requirements& all) {
  all.require(std::holds_alternative<Classification>(options.task),
              "method newton is for classification; try boosted");
  all.require_share(method.shrinkage);
  all.require(method.ridge >= 0 && std::isfinite(method.ridge),
              fmt::format("newton-ridge is {}; it must be 0 or more", method.ridge));
}

void check(const IntermediateRefinement& method, const FitOptions&, Requirements& all) {
  all.require_share(method.shrinkage);
  all.require_positive("stage-cost", method.cost);
}

void check(const DynamicForest&, const FitOptions& options, Requirements& all) {
  const auto* task = std::get_if<Classification>(&options.task);
  all.require(task != nullptr, "method dynamic is for classification; try arf or boosted");
  all.require(options.sampling.bagging == Bagging::with_replacement,
              "method dynamic draws rows by weight, with replacement; leave bagging as it is");
  all.require(!task || !std::holds_alternative<ResampledClasses>(task->class_weights),
              "method dynamic draws rows by weight; leave class-weight resample out");
}

// What stages that add up leave no choice about.
void check_sums(const FitOptions& options, Requirements& all) {
  if (adds_up(options)) {
    const auto& task = std::get<Regression>(options.task);
    all.require(!std::holds_alternative<FeatureVarianceObjective>(task.objective),
                "criterion variance-features looks at the targets of the data, but the stages "
                "learn others; leave criterion out");
    const bool linear = std::holds_alternative<LinearLeaf>(task.leaf) &&
                        std::holds_alternative<AlternatingForest>(options.method);
    all.require(linear || std::holds_alternative<ConstantLeaf>(task.leaf),
                "a leaf holds the sum of what its stages have learnt, so it must be constant, or "
                "linear with method arf; leave leaf out, or choose method forest");
  }
  if (adds_up(options) || trees_add_up(options))
    all.require(options.forest.ensemble == Ensemble::mean,
                "the stages of this method know how the trees become one; leave ensemble as it is");
  const ReportOptions& report = options.report;
  if (trees_add_up(options))
    all.require(
        !report.calibration && !report.permutation_importance && !report.unbiased_importance,
        "calibration, permutation and unbiased importance ask trees out of their bags, but trees "
        "that correct each other say nothing alone; leave them out");
}

}  // namespace

std::vector<std::string> method_problems(const FitOptions& options) {
  Requirements all;
  if (!std::holds_alternative<Classification>(options.task) &&
      !std::holds_alternative<Regression>(options.task)) {
    all.require(std::holds_alternative<PlainForest>(options.method),
                "methods in stages learn targets that all rows have, but here they do not; leave "
                "method out");
    return all.take();
  }
  std::visit([&](const auto& method) { check(method, options, all); }, options.method);
  check_sums(options, all);
  return all.take();
}

bool grows_by_levels(const MethodChoice& method) {
  return std::holds_alternative<AlternatingForest>(method) ||
         std::holds_alternative<IntermediateRefinement>(method);
}

}  // namespace coppice
