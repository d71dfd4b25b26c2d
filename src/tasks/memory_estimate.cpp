// Upper bounds, from sizes alone: what training and the model file may need.
#include "tasks/memory_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "grow/sampling.h"
#include "grow/share_tally.h"
#include "split/copying_rule.h"
#include "tasks/density_options.h"
#include "tasks/make_learner.h"
#include "tasks/methods.h"
#include "tasks/planned_forest.h"
#include "tasks/task.h"

namespace coppice {
namespace {

constexpr std::size_t kMostCopiedRows = CopyingRule::kMostRows;

std::size_t width_of(std::size_t codes) { return codes < 256 ? 1 : codes < 65536 ? 2 : 4; }

// A code for every row and, of numbers, its bin, the value of every code and a bit.
std::size_t column_bytes(const Feature& feature, const FitOptions& options, std::size_t rows) {
  if (feature.kind == FeatureKind::categorical) return rows * width_of(feature.categories.size());
  std::size_t bytes = rows * (width_of(rows) + sizeof(float)) + rows / 8;
  if (const auto* binned = std::get_if<BinnedThresholds>(&options.split.thresholds)) {
    const std::uint32_t bins = bins_per_feature(*binned, options.task);
    if (rows > bins) bytes += rows * width_of(bins);
  }
  return bytes;
}

// Every leaf has a row of its own, enough samples, and a place at the last level.
std::size_t most_leaves(const FitOptions& options, std::size_t rows) {
  const std::size_t drawn = samples_drawn(options.sampling, rows);
  auto leaves = std::min(rows, drawn);
  if (options.sampling.bagging == Bagging::with_replacement) {
    // A bootstrap leaves out a share of e^-ratio of the rows; its deviation is below sqrt(rows)
    // / 3.
    const auto all = static_cast<double>(rows);
    const double distinct = all * (1 - std::exp(-static_cast<double>(drawn) / all));
    leaves = std::min(leaves, static_cast<std::size_t>(distinct + 3 * std::sqrt(all)) + 1);
  }
  leaves = std::min(leaves, drawn / options.growth.min_samples_leaf + 1);
  const auto depth = growth_of(options).max_depth;
  if (depth && *depth < 48) leaves = std::min(leaves, std::size_t{1} << *depth);
  return leaves;
}

// A set of categories takes a bit for each of them, in whole words.
std::size_t most_set_bytes(const Schema& schema) {
  std::size_t most = 0;
  for (const Feature& feature : schema.features)
    most = std::max(most, (feature.categories.size() + 31) / 32 * 4);
  return most;
}

// The names in the header of the model file, as JSON within JSON: a byte may take seven.
std::size_t header_bytes(const Schema& schema, const ReportOptions& report) {
  constexpr std::size_t kFixed = 4096, kPerByte = 7, kPerName = 8, kPerFeature = 128;
  const auto name_bytes = [](const std::string& name) { return kPerName + kPerByte * name.size(); };
  std::size_t bytes = kFixed + kPerFeature * schema.features.size();
  for (const Feature& feature : schema.features) {
    bytes += name_bytes(feature.name);
    for (const std::string& category : feature.categories) bytes += name_bytes(category);
  }
  for (const std::string& target : schema.targets) bytes += name_bytes(target);
  for (const std::string& label : schema.classes) bytes += name_bytes(label);
  for (const auto& [name, value] : report.facts) bytes += name_bytes(name) + name_bytes(value);
  return bytes;
}

// Training bytes by what they grow with.
struct Needs {
  std::size_t fixed = 0;       // codes, leaf ids, the model, what follows growing
  std::size_t row_tables = 0;  // see RowTable
  std::size_t per_worker = 0;  // a growing tree
  std::size_t per_helper = 0;  // one that helps with the tree of another
};

std::size_t most_tree_bytes(const FitOptions& options, const Schema& schema, std::size_t leaves) {
  constexpr std::size_t kSplitBytes = 12, kSupportBytes = 4, kTreeBytes = 4;
  // Leaves share payloads only where that takes less than a payload for each.
  constexpr std::size_t kProjectionBytes = 8, kTermBytes = 20;
  const std::size_t payload = payload_floats(options.task, schema) * sizeof(float);
  const std::size_t terms = most_terms(options.split, schema.features.size());
  const std::size_t projection = terms > 0 ? kProjectionBytes + terms * kTermBytes : 0;
  return kTreeBytes +
         leaves * (kSplitBytes + most_set_bytes(schema) + kSupportBytes + payload + projection);
}

// Methods in stages ask about every row: votes, working weights and targets. If they grow by
// levels, all trees are there at once, each with its rows, draws, nodes and payloads.
std::size_t stage_bytes(const FitOptions& options, const DatasetView& data,
                        std::size_t bytes_per_leaf, std::size_t leaves) {
  if (std::holds_alternative<PlainForest>(options.method)) return 0;
  constexpr std::size_t kTreeRowBytes = 6, kWorkingBytes = 64;
  const std::size_t outputs = payload_floats(options.task, *data.schema);
  std::size_t bytes = data.rows * outputs * (2 * sizeof(float) + kWorkingBytes);
  if (grows_by_levels(options.method))
    bytes += options.forest.trees * (data.rows * kTreeRowBytes + 2 * leaves * bytes_per_leaf);
  return bytes;
}

// Every worker counts what trees that grow by levels say of classes (see ShareTally).
std::size_t tally_bytes(const FitOptions& options, const DatasetView& data) {
  if (!grows_by_levels(options.method)) return 0;
  const std::size_t classes = (data.schema->classes.size() + 31) / 32 * 32;
  return data.rows * (classes + ShareTally::kMostWaiting) * sizeof(std::uint16_t);
}

// What follows growing, while all trees are there. A density weighs every node of every tree, and
// adds up the rows that are out of bag for every depth.
Needs settling_needs(const Density&, const FitOptions& options, const DatasetView& data,
                     std::size_t leaves) {
  constexpr std::size_t kNodeBytes = 64, kDepthBytes = 16, kRowBytes = 32;
  const std::size_t d = data.columns.size(), nodes = 2 * leaves;
  const std::size_t payload = payload_floats(options.task, *data.schema) * sizeof(float);
  const std::size_t levels = *growth_of(options).max_depth + 1;
  return {.fixed = options.forest.trees * nodes * (kNodeBytes + payload) +
                   data.rows * (kRowBytes + levels * kDepthBytes + d * sizeof(float)),
          .per_worker = nodes * (1 + d + d * d) * sizeof(double)};
}

// Labels travel over a graph of the rows, tree by tree.
Needs settling_needs(const SemiSupervised& task, const FitOptions&, const DatasetView& data,
                     std::size_t leaves) {
  constexpr std::size_t kGraphRowBytes = 176;  // neighbours twice, and the tree that finds them
  constexpr std::size_t kPathRowBytes = 96;    // distance, source and those waiting
  const std::size_t d = std::min<std::size_t>(data.columns.size(), task.components);
  return {.fixed = data.rows * (kGraphRowBytes + d * sizeof(double)),
          .per_worker = data.rows * kPathRowBytes + leaves * (d + d * d) * sizeof(double)};
}

template <class Other>
Needs settling_needs(const Other&, const FitOptions&, const DatasetView&, std::size_t) {
  return {};
}

Needs needs_of(const DatasetView& data, const FitOptions& options, std::size_t model_bytes) {
  constexpr std::size_t kGrowingNodeBytes = 160;  // node, split and open node, with slack
  constexpr std::size_t kGrowingRowBytes = 68;    // rows, draws, items, search or coding buffers
  const std::size_t leaves = most_leaves(options, data.rows);
  constexpr std::size_t kFeatureBytes = 2048;  // names and descriptions, with those of the model
  constexpr std::size_t kKeptSplitBytes = 128, kKeptTermBytes = 24;
  // Beside the model a gain per split is kept, a row per leaf and the table of rows that are alike,
  // or what waits for the next part of a checkpoint; an array that grows is there twice for a
  // while. A checkpoint of levels is a copy of all trees.
  constexpr std::size_t kJoinedLeafBytes = 48;
  Needs needs{.fixed = model_bytes + model_bytes / 2 +
                       options.forest.trees * leaves * kJoinedLeafBytes +
                       data.columns.size() * kFeatureBytes};
  if (grows_by_levels(options.method)) needs.fixed += needs.fixed;
  for (const Feature& feature : data.schema->features)
    needs.fixed += column_bytes(feature, options, data.rows);
  if (needs_leaf_ids(options)) needs.fixed += data.rows * options.forest.trees * 4;
  needs.fixed += leaf_model_bytes(options.task, *data.schema, data.rows);
  const ObjectiveBytes objective = objective_bytes(options.task, *data.schema, data.rows);
  needs.fixed += objective.shared;
  needs.row_tables = row_table_bytes(options, data.rows, data.columns.size());
  const std::size_t payload = payload_floats(options.task, *data.schema) * sizeof(float);
  needs.fixed += stage_bytes(options, data, kGrowingNodeBytes + payload, leaves);
  const std::size_t copied_rows = std::min<std::size_t>(data.rows, kMostCopiedRows);
  const std::size_t terms = most_terms(options.split, data.columns.size());
  const std::size_t kept = terms > 0 ? kKeptSplitBytes + terms * kKeptTermBytes : 0;
  needs.per_helper = data.rows * kGrowingRowBytes;
  needs.per_worker = needs.per_helper + leaves * (kGrowingNodeBytes + kept + 2 * payload) +
                     2 * copied_rows * data.columns.size() * sizeof(float) + objective.per_worker +
                     tally_bytes(options, data);
  const Needs settling = std::visit(
      [&](const auto& task) { return settling_needs(task, options, data, leaves); }, options.task);
  needs.fixed += settling.fixed;
  needs.per_worker = std::max(needs.per_worker, settling.per_worker);  // never at the same time
  return needs;
}

}  // namespace

bool needs_leaf_ids(const FitOptions& options) {
  const ReportOptions& report = options.report;
  return std::holds_alternative<SemiSupervised>(options.task) || report.out_of_bag ||
         report.leaf_ids || report.permutation_importance || report.unbiased_importance;
}

std::size_t row_table_bytes(const FitOptions& options, std::size_t rows, std::size_t features) {
  if (std::holds_alternative<RandomThresholds>(options.split.thresholds) ||
      uses_projections(options.split))
    return rows * features * sizeof(float);
  constexpr std::size_t kManyFeatures = 8;
  const std::size_t drawn = features_per_node(options.split.max_features, options.task, features);
  // A byte and a bit per value; rows of bits are whole words.
  return features > kManyFeatures * drawn ? rows * (features + (features + 63) / 64 * 8) : 0;
}

MemoryPlan plan_memory(const DatasetView& data, const FitOptions& options,
                       const RunContext& context) {
  const std::size_t trees = options.forest.trees;
  const std::size_t model_bytes =
      header_bytes(*data.schema, options.report) +
      trees * most_tree_bytes(options, *data.schema, most_leaves(options, data.rows));
  const Needs needs = needs_of(data, options, model_bytes);
  MemoryPlan plan{.workers = worker_count(context.threads), .row_tables = needs.row_tables > 0};
  plan.estimate.model_bytes = model_bytes;
  const auto total = [&] {
    return needs.fixed + (plan.row_tables ? needs.row_tables : 0) +
           std::min(plan.workers, trees) * needs.per_worker +
           (plan.workers - std::min(plan.workers, trees)) * needs.per_helper;
  };
  if (context.memory > 0) {
    if (total() > context.memory) plan.row_tables = false;
    while (plan.workers > 1 && total() > context.memory) --plan.workers;
    if (total() > context.memory)
      throw Error(
          ErrorKind::invalid_option,
          fmt::format("training may need {} bytes beside the data, but only {} are allowed; "
                      "allow more memory, or ask for fewer or smaller trees",
                      total(), context.memory));
  }
  plan.estimate.training_bytes = total();
  plan.estimate.trees_at_once = std::min(plan.workers, trees);
  return plan;
}

MemoryEstimate estimate_memory(const DatasetView& data, const FitOptions& options,
                               const RunContext& context) {
  (void)planned_forest(data, options);  // refuses what fit() would
  return plan_memory(data, options, context).estimate;
}

}  // namespace coppice
