#include "coppice/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "base/worker_team.h"
#include "coppice/checkpoint.h"
#include "coppice/error.h"
#include "coppice/version.h"
#include "density/settle.h"
#include "grow/forest_trainer.h"
#include "grow/sampling.h"
#include "report/calibration.h"
#include "report/importance.h"
#include "report/out_of_bag.h"
#include "tasks/checkpoint_file.h"
#include "tasks/complete_rows.h"
#include "tasks/density_options.h"
#include "tasks/feature_weights.h"
#include "tasks/make_learner.h"
#include "tasks/memory_estimate.h"
#include "tasks/methods.h"
#include "tasks/option_table.h"
#include "tasks/planned_forest.h"
#include "tasks/rounding_notes.h"
#include "tasks/task.h"
#include "transduce/transduce.h"

namespace coppice {
namespace {

// What fit() was asked to do; borrowed.
struct TrainingRun {
  const DatasetView& data;
  const FitOptions& options;
  const RunContext& context;
  const MemoryPlan& memory;
  const Checkpoint* checkpoint;  // none: it cannot be continued
};

template <class... Args>
void log(const RunContext& context, fmt::format_string<Args...> line, Args&&... args) {
  if (context.log) context.log(fmt::format(line, std::forward<Args>(args)...));
}

void refuse_problems(const FitOptions& options, const DatasetView& data) {
  const std::vector<std::string> found = problems(options, data);
  if (!found.empty())
    throw Error(ErrorKind::invalid_option, fmt::format("{}", fmt::join(found, "; ")));
}

// The data without the targets of other tasks: what follows takes labels to mean classes.
DatasetView own_targets(DatasetView data, const TaskChoice& task) {
  const bool either = std::holds_alternative<SemiSupervised>(task);
  if (!std::holds_alternative<Regression>(task) && !(either && data.labels.empty()))
    data.targets = {};
  if (!std::holds_alternative<Classification>(task) && !either) data.labels = {};
  return data;
}

FixedPointWeights training_weights(const FitOptions& options, const DatasetView& data) {
  const std::vector<double> weights = row_weights(options.task, data);
  const auto eligible = static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
  if (eligible == 0)
    throw Error(ErrorKind::invalid_option, "class and sample weights leave no row with any weight");
  return fixed_point_weights(weights, samples_drawn(options.sampling, eligible));
}

std::uint32_t bin_limit(const FitOptions& options) {
  const auto* binned = std::get_if<BinnedThresholds>(&options.split.thresholds);
  return binned ? bins_per_feature(*binned, options.task) : 0;
}

SearchLimits search_limits(const FitOptions& options, std::size_t features) {
  SearchLimits limits{.min_split_samples = options.growth.min_samples_split,
                      .min_child_samples = least_leaf_samples(options, features)};
  if (const auto* binned = std::get_if<BinnedThresholds>(&options.split.thresholds))
    limits.exact_rows = rows_searched_exactly(*binned, options.task);
  if (const auto* random = std::get_if<RandomThresholds>(&options.split.thresholds))
    limits.random_thresholds = random->per_feature;
  if (options.split.max_node_samples) limits.max_node_samples = *options.split.max_node_samples;
  limits.two_sided = options.split.two_sided;
  return limits;
}

// Features with more than one value: the others cannot split anything.
std::vector<std::uint32_t> varying_features(const CodedColumns& columns) {
  std::vector<std::uint32_t> varying;
  for (std::uint32_t feature = 0; feature < columns.features(); ++feature)
    if (columns.column(feature).varies) varying.push_back(feature);
  return varying;
}

void add_row_table(const FitOptions& options, CodedColumns& columns, std::size_t workers) {
  if (std::holds_alternative<RandomThresholds>(options.split.thresholds) ||
      uses_projections(options.split)) {
    columns.add_value_rows(workers);
  } else {
    columns.add_code_rows(workers);
  }
}

// Of two features the cells of slanted splits are polygons, whose masses are exact; of more, boxes
// are the only cells of which that is so.
FitOptions resolved(FitOptions options, const DatasetView& data) {
  if (std::holds_alternative<Density>(options.task) && options.split.learners.empty() &&
      data.columns.size() == 2)
    options.split.learners = {{WeakLearnerKind::principal, 1}, {WeakLearnerKind::oblique, 1}};
  return options;
}

RunContext with_workers(RunContext context, std::size_t workers) {
  context.threads = workers;
  return context;
}

GrownForest grow(const TrainingRun& run, const Task& task, const FixedPointWeights& weights,
                 RecordKeeper* keeper) {
  const FitOptions& options = run.options;
  const Stopwatch coding;
  const bool drawn = std::holds_alternative<RandomThresholds>(options.split.thresholds);
  CodedColumns columns(run.data, bin_limit(options), run.memory.workers,
                       drawn ? NumberCoding::where_needed : NumberCoding::all);
  log(run.context, "coded {} features of {} rows in {:.3f} s", columns.features(), columns.rows(),
      coding.seconds());
  const std::size_t candidates = options.split.candidates.value_or(
      features_per_node(options.split.max_features, options.task, columns.features()));
  columns.move_codes_to_rows(run.memory.workers);
  if (run.memory.row_tables) add_row_table(options, columns, run.memory.workers);
  FeatureScales scales;
  if (uses_projections(options.split)) {
    scales = measure_scales(run.data, run.memory.workers);
    columns.set_centres(scales.centre);
  }
  const LearnerSources sources{columns, scales, run.data, varying_features(columns),
                               feature_weights(run.data, options, run.context)};
  const auto make_splitter = [&] {
    return task.make_splitter(columns, make_learner(options.split, sources, candidates),
                              search_limits(options, columns.features()));
  };
  return train_forest({.columns = columns,
                       .weights = task.working_weights && task.staging.bags_by_weight
                                      ? task.working_weights->units()
                                      : weights.units,
                       .make_splitter = make_splitter,
                       .leaf_model = *task.leaf_model,
                       .forest = options.forest,
                       .sampling = options.sampling,
                       .growth = growth_of(options),
                       .staging = task.staging,
                       .drawn_classes = drawn_classes(options.task, run.data),
                       .keep_leaf_ids = needs_leaf_ids(options),
                       .keeper = keeper},
                      with_workers(run.context, run.memory.workers));
}

ForestInfo describe(const DatasetView& data, const FitOptions& options, const Task& task) {
  ForestInfo info{.schema = *data.schema,
                  .payload_kind = task.payload_kind,
                  .options = shown_options(options),
                  .facts = options.report.facts,
                  .ensemble = task.trees_add_up ? Ensemble::sum : options.forest.ensemble};
  if (!predicts_classes(task.payload_kind)) info.schema.classes.clear();
  if (std::holds_alternative<Density>(options.task)) {
    info.schema.targets.clear();
    for (const Feature& feature : info.schema.features) info.schema.targets.push_back(feature.name);
  }
  info.facts["rows"] = std::to_string(data.rows);
  info.facts["features"] = std::to_string(data.columns.size());
  info.facts["coppice_version"] = kVersion;
  return info;
}

// Grows the forest, or what is left to grow of one.
GrownForest grow_with_checkpoints(const TrainingRun& run, const Task& task,
                                  const FixedPointWeights& weights, const ForestInfo& info) {
  if (!run.checkpoint) return grow(run, task, weights, nullptr);
  CheckpointFile file(*run.checkpoint, {.data = run.data,
                                        .info = info,
                                        .trees = run.options.forest.trees,
                                        .workers = run.memory.workers,
                                        .by_levels = task.staging.unit == StageUnit::level});
  GrownForest grown = grow(run, task, weights, &file);
  file.finish();
  if (file.writes() > 0)
    log(run.context, "{} checkpoints took {:.3f} s of processor time", file.writes(),
        file.seconds());
  if (grown.cancelled) throw Error(ErrorKind::cancelled, file.stopped_sentence());
  return grown;
}

FitReport summarise(const Forest& forest, const GrownForest& grown) {
  return {.trees = forest.trees(),
          .nodes = forest.arrays().splits() + forest.arrays().leaves(),
          .leaves = forest.arrays().leaves(),
          .max_depth = grown.max_depth};
}

// The forest of a density with as many levels and trees as are worth it, and its masses.
DensityReport settle(const TrainingRun& run, GrownForest& grown,
                     const std::vector<std::uint8_t>& incomplete, Forest& forest) {
  const Stopwatch watch;
  SettledDensity settled = settle_density(forest, std::move(grown.leaf_ids), run.data,
                                          {.density = std::get<Density>(run.options.task),
                                           .choose_depth = !run.options.growth.max_depth,
                                           .seed = run.options.forest.seed,
                                           .incomplete = incomplete},
                                          with_workers(run.context, run.memory.workers));
  forest = std::move(settled.forest);
  grown.leaf_ids = std::move(settled.leaf_ids);
  grown.max_depth = settled.report.depth;
  log(run.context, "weighed the leaves in {:.3f} s", watch.seconds());
  return std::move(settled.report);
}

// The forest with labels in all leaves.
void transduce(const TrainingRun& run, const GrownForest& grown, const Task& task, Forest& forest) {
  const Stopwatch watch;
  const auto& chosen = std::get<SemiSupervised>(run.options.task);
  ForestInfo info = forest.info();
  info.facts["labelled_rows"] =
      std::to_string(std::count(task.labelled.begin(), task.labelled.end(), 1));
  forest = transduced(forest, grown.leaf_ids, run.data, {*task.energy_targets, chosen.neighbours},
                      run.memory.workers)
               .with_info(std::move(info));
  log(run.context, "transduced in {:.3f} s", watch.seconds());
}

std::map<std::string, std::vector<float>> importances(const Forest& forest,
                                                      const GrownForest& grown,
                                                      const TrainingRun& run) {
  std::map<std::string, std::vector<float>> found;
  found["impurity"] = impurity_importance(grown.gains);
  if (run.options.report.permutation_importance)
    found["permutation"] = permutation_importance(forest, grown.leaf_ids, run.data,
                                                  run.options.forest.seed, run.context);
  if (run.options.report.unbiased_importance)
    found["unbiased"] = unbiased_importance(forest, grown.leaf_ids, run.data);
  return found;
}

// What a model says of its training.
void note_facts(const FitReport& report, const std::optional<CompletedRows>& completed,
                ForestInfo& info) {
  if (completed)
    info.facts["completed_rows"] =
        std::to_string(std::count(completed->incomplete.begin(), completed->incomplete.end(), 1));
  if (report.density && report.density->log_likelihood)
    info.facts["oob_log_likelihood"] = fmt::format("{}", *report.density->log_likelihood);
  if (report.cancelled) info.facts["stopped_at_tree"] = std::to_string(report.trees);
  if (report.out_of_bag) info.facts["oob_error"] = fmt::format("{}", report.out_of_bag->error);
}

// The task of the options, bound to the data.
Task bind(const FitOptions& options, const DatasetView& data, const FixedPointWeights& weights) {
  Task task = bind_task(options.task, data, weights);
  bind_method(options, data, weights, task);
  return task;
}

}  // namespace

ForestInfo planned_forest(const DatasetView& given, const FitOptions& asked) {
  validate(given);
  const FitOptions options = resolved(asked, given);
  refuse_problems(options, given);
  const DatasetView data = own_targets(given, options.task);
  return describe(data, options, bind(options, data, training_weights(options, data)));
}

FitResult fit(const DatasetView& given, const FitOptions& asked, const RunContext& context,
              const Checkpoint* checkpoint) {
  const Stopwatch whole;
  validate(given);
  const FitOptions options = resolved(asked, given);
  refuse_problems(options, given);
  std::optional<CompletedRows> completed;
  if (std::holds_alternative<Density>(options.task) && any_missing(given))
    completed = complete_rows(given, options, context);
  const DatasetView data =
      own_targets(completed ? with_columns(given, *completed) : given, options.task);
  const MemoryPlan memory = plan_memory(data, options, context);
  const FixedPointWeights weights = training_weights(options, data);
  const Task task = bind(options, data, weights);
  const Stopwatch growing;
  const ForestInfo plain = describe(data, options, task);
  const TrainingRun run{data, options, context, memory, checkpoint};
  GrownForest grown = grow_with_checkpoints(run, task, weights, plain);
  const double growing_seconds = growing.seconds();
  if (grown.trees == 0) throw Error(ErrorKind::cancelled, "stopped before a tree was finished");

  Forest forest(std::move(grown.storage), plain);
  std::optional<DensityReport> density;
  if (std::holds_alternative<Density>(options.task))
    density =
        settle(run, grown, completed ? completed->incomplete : std::vector<std::uint8_t>{}, forest);
  const bool partly_labelled = std::holds_alternative<SemiSupervised>(options.task);
  if (partly_labelled) transduce(run, grown, task, forest);
  FitReport report = summarise(forest, grown);
  report.density = std::move(density);
  log(context, "coded and grew {} trees of {} nodes in {:.3f} s", report.trees, report.nodes,
      growing_seconds);
  const Stopwatch reporting;
  report.cancelled = grown.cancelled;
  report.notes = rounding_notes(data);
  report.stage_losses = std::move(grown.stage_losses);
  for (std::size_t stage = 0; stage < report.stage_losses.size(); ++stage)
    log(context, "before stage {}: mean loss {:.6g}", stage + 1, report.stage_losses[stage]);
  if (options.report.out_of_bag && !task.trees_add_up && !task.revision && !report.density &&
      !partly_labelled)
    report.out_of_bag = out_of_bag(forest, grown.leaf_ids, data, worker_count(context.threads));
  ForestInfo info = forest.info();
  if (options.report.calibration && report.out_of_bag) {
    Calibrated calibrated = calibrate(*report.out_of_bag, data, forest.trees());
    info.calibration = std::move(calibrated.scores);
    report.interval_coverage = calibrated.coverage;
    info.facts["interval_coverage"] = fmt::format("{}", calibrated.coverage);
  }
  info.importances = importances(forest, grown, run);
  note_facts(report, completed, info);
  if (options.report.leaf_ids) report.leaf_ids = std::move(grown.leaf_ids);
  log(context, "out-of-bag estimates and importances in {:.3f} s", reporting.seconds());
  report.seconds = whole.seconds();
  return {std::move(forest).with_info(std::move(info)), std::move(report)};
}

FitResult fit(const DatasetView& data, const FitOptions& options, const RunContext& context) {
  return fit(data, options, context, nullptr);
}

}  // namespace coppice
