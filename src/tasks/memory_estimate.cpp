// Upper bounds, from sizes alone: what training and the model file may need.
#include <algorithm>
#include <cmath>

#include "base/worker_team.h"
#include "coppice/fit.h"
#include "grow/sampling.h"

namespace coppice {
namespace {

std::size_t code_bytes(const Feature& feature, const ThresholdChoice& thresholds,
                       std::size_t rows) {
  std::size_t codes = rows;
  if (feature.kind == FeatureKind::categorical) codes = feature.categories.size();
  if (const auto* quantiles = std::get_if<QuantileThresholds>(&thresholds))
    codes = std::min<std::size_t>(codes, quantiles->bins);
  return codes < 256 ? 1 : codes < 65536 ? 2 : 4;
}

// Every leaf has a row of its own, enough samples, and a place at the last level.
std::size_t most_leaves(const FitOptions& options, std::size_t rows) {
  const std::size_t drawn = samples_drawn(options.sampling, rows);
  // A bootstrap leaves out a share of e^-ratio of the rows.
  const double distinct =
      options.sampling.bagging == Bagging::with_replacement
          ? static_cast<double>(rows) *
                (1 - std::exp(-static_cast<double>(drawn) / static_cast<double>(rows)))
          : static_cast<double>(drawn);
  auto leaves = static_cast<std::size_t>(distinct) + 1;
  leaves = std::min(leaves, drawn / options.growth.min_samples_leaf + 1);
  if (options.growth.max_depth && *options.growth.max_depth < 48)
    leaves = std::min(leaves, std::size_t{1} << *options.growth.max_depth);
  return leaves;
}

std::size_t payload_floats(const FitOptions& options, const Schema& schema) {
  return std::holds_alternative<Classification>(options.task) ? schema.classes.size()
                                                              : 2 * schema.targets.size();
}

}  // namespace

MemoryEstimate estimate_memory(const DatasetView& data, const FitOptions& options,
                               const RunContext& context) {
  constexpr std::size_t kSplitBytes = 12, kSupportBytes = 4, kIndexBytes = 4, kFloatBytes = 4;
  constexpr std::size_t kGrowingNodeBytes = 160;  // node, split and open node, with slack
  constexpr std::size_t kGrowingRowBytes = 32;    // row index, draws and search buffers
  const std::size_t leaves = most_leaves(options, data.rows);
  const std::size_t payload = payload_floats(options, *data.schema) * kFloatBytes;
  const std::size_t trees = options.forest.trees;
  const std::size_t tree_bytes =
      leaves * (kSplitBytes + kSupportBytes + std::max(kIndexBytes, payload));
  MemoryEstimate estimate;
  estimate.model_bytes = trees * tree_bytes;
  for (const Feature& feature : data.schema->features)
    estimate.training_bytes += data.rows * code_bytes(feature, options.split.thresholds, data.rows);
  const std::size_t workers = std::min(worker_count(context.threads), trees);
  estimate.training_bytes +=
      workers * (data.rows * kGrowingRowBytes + leaves * (kGrowingNodeBytes + payload));
  if (options.report.out_of_bag) estimate.training_bytes += data.rows * trees * 4;
  estimate.training_bytes += estimate.model_bytes;
  return estimate;
}

}  // namespace coppice
