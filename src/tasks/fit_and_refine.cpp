// Training with refinement: the cost is chosen on rows that neither trees nor leaves have seen.
#include <algorithm>
#include <utility>

#include "coppice/checkpoint.h"
#include "coppice/error.h"
#include "coppice/refine.h"
#include "data/row_selection.h"
#include "refine/prepared.h"
#include "tasks/planned_forest.h"
#include "tasks/task.h"

namespace coppice {
namespace {

// Refuses what could only fail once trees are grown. Returns what they will say of themselves.
ForestInfo check(const DatasetView& data, const FitOptions& fit_options,
                 const RefineOptions& options) {
  ForestInfo info = planned_forest(data, fit_options);
  checked_refinement(info, data, options);
  if (fit_options.report.calibration)
    throw Error(ErrorKind::invalid_option,
                "intervals are calibrated on out-of-bag rows, which refinement learns from; leave "
                "one of both out");
  return info;
}

// The data with class weights in the weights of the rows. Bags that draw classes equally often
// count as balanced weights.
struct WeightedRows {
  std::vector<float> weights;
  DatasetView view;

  WeightedRows(const DatasetView& data, TaskChoice task) : view(data) {
    auto* const classes = std::get_if<Classification>(&task);
    if (!classes || std::holds_alternative<UniformClassWeights>(classes->class_weights)) return;
    if (std::holds_alternative<ResampledClasses>(classes->class_weights))
      classes->class_weights = BalancedClassWeights{};
    for (const double weight : row_weights(task, data))
      weights.push_back(static_cast<float>(weight));
    view.weights = weights;
  }
  WeightedRows(const WeightedRows&) = delete;
};

// All rows in random order, those for validation last; both parts ascending.
struct Parts {
  std::vector<std::uint32_t> growing, validation;
};

Parts parted(std::size_t rows, const RefineOptions& options) {
  if (rows < 2) throw Error(ErrorKind::invalid_data, "refinement needs two rows at least");
  const std::vector<std::uint32_t> all = shuffled_rows(rows, RandomStream(options.seed).child(2));
  const auto held = static_cast<std::size_t>(options.validation_share * double(rows));
  const auto middle =
      all.end() - static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(held, 1, rows - 1));
  Parts parts{{all.begin(), middle}, {middle, all.end()}};
  std::sort(parts.growing.begin(), parts.growing.end());
  std::sort(parts.validation.begin(), parts.validation.end());
  return parts;
}

// The report of a forest that is grown without the validation rows.
RefineReport look_aside(const DatasetView& data, const FitOptions& fit_options, const Parts& parts,
                        RefineOptions options, const RunContext& silent,
                        const Checkpoint* checkpoint) {
  FitOptions quick = fit_options;
  quick.report = {};
  quick.report.out_of_bag = false;
  const FitResult grown = fit(rows_of(data, parts.growing).view(), quick, silent, checkpoint);
  if (grown.report.cancelled)
    throw Error(ErrorKind::cancelled, "stopped before the cost of refinement was chosen");
  options.validation_rows = parts.validation;
  options.all_costs |= options.cost_folds > 0;
  options.cost_folds = 0;
  return refine(grown.forest, WeightedRows(data, fit_options.task).view, options, silent).report;
}

// One part of the rows held out. The forest has a checkpoint of its own.
RefineReport look_aside_once(const DatasetView& data, const FitOptions& fit_options,
                             const RefineOptions& options, const RunContext& silent,
                             const Checkpoint* checkpoint) {
  const Parts parts = parted(data.rows, options);
  if (!checkpoint) return look_aside(data, fit_options, parts, options, silent, nullptr);
  // What an earlier training has left would not fit to this forest.
  if (!checkpoint->resume) remove_checkpoint(*checkpoint);
  const Checkpoint first = of_first_forest(*checkpoint);
  return look_aside(data, fit_options, parts, options, silent, &first);
}

// A forest per fold, grown without it. They are grown anew when a training is continued.
RefineReport look_aside_by_folds(const DatasetView& data, const FitOptions& fit_options,
                                 const RefineOptions& options, const RunContext& silent) {
  if (options.cost_folds > data.rows)
    throw Error(ErrorKind::invalid_option, "there are more folds than rows");
  const bool classes = !data.labels.empty();
  RefineReport all{.validation_rows = data.rows};
  std::vector<std::vector<CostTrial>> trials;
  double before = 0;
  for (const auto& fold : deal_folds(data.rows, options.cost_folds, options.seed)) {
    Parts parts{{}, fold};
    for (std::uint32_t row = 0; row < data.rows; ++row)
      if (!std::binary_search(fold.begin(), fold.end(), row)) parts.growing.push_back(row);
    RefineReport report = look_aside(data, fit_options, parts, options, silent, nullptr);
    before += classes ? report.error_before : report.error_before * report.error_before;
    all.seconds += report.seconds;
    trials.push_back(std::move(report.trials));
  }
  all.trials = mean_trials(trials, classes);
  all.cost = best_trial(all.trials).cost;
  all.error_before = reported_error(before / static_cast<double>(options.cost_folds), classes);
  all.error_after = best_trial(all.trials).error;
  return all;
}

}  // namespace

RefinedFit fit_and_refine(const DatasetView& data, const FitOptions& fit_options,
                          const RefineOptions& refine_options, const RunContext& context,
                          const Checkpoint* checkpoint) {
  check(data, fit_options, refine_options);
  const WeightedRows weighted(data, fit_options.task);
  RefineOptions options = refine_options;
  RefineReport choice;
  if (!options.cost) {
    RunContext silent = context;
    silent.progress = {};
    choice = options.cost_folds > 0
                 ? look_aside_by_folds(data, fit_options, options, silent)
                 : look_aside_once(data, fit_options, options, silent, checkpoint);
    options.cost = choice.cost;
  }
  options.validation_rows = {};
  options.validation_share = 0;
  FitResult plain = fit(data, fit_options, context, checkpoint);
  if (plain.report.cancelled) return {std::move(plain), choice};
  RefineResult refined = refine(plain.forest, weighted.view, options, context);
  if (choice.validation_rows > 0) {
    choice.objective = refined.report.objective;
    choice.iterations = refined.report.iterations;
    choice.converged = refined.report.converged;
    choice.seconds += refined.report.seconds;
  } else {
    choice = std::move(refined.report);
  }
  return {{std::move(refined.forest), std::move(plain.report)}, std::move(choice)};
}

RefinedFit fit_and_prune(const DatasetView& data, const FitOptions& fit_options,
                         const PruneOptions& prune_options, const RunContext& context,
                         const Checkpoint* checkpoint) {
  check_pruning(check(data, fit_options, prune_options.refine), prune_options);
  const WeightedRows weighted(data, fit_options.task);
  const Parts parts = parted(data.rows, prune_options.refine);
  FitResult grown = fit(rows_of(data, parts.growing).view(), fit_options, context, checkpoint);
  if (grown.report.cancelled) return {std::move(grown), {}};
  PruneOptions options = prune_options;
  options.refine.validation_rows = parts.validation;
  RunContext silent = context;
  silent.progress = {};
  PruneResult pruned = prune(grown.forest, weighted.view, options, silent);
  return {{std::move(pruned.forest), std::move(grown.report)}, std::move(pruned.report)};
}

RefinedFit fit_and_refine(const DatasetView& data, const FitOptions& fit_options,
                          const RefineOptions& refine_options, const RunContext& context) {
  return fit_and_refine(data, fit_options, refine_options, context, nullptr);
}

RefinedFit fit_and_prune(const DatasetView& data, const FitOptions& fit_options,
                         const PruneOptions& prune_options, const RunContext& context) {
  return fit_and_prune(data, fit_options, prune_options, context, nullptr);
}

}  // namespace coppice
