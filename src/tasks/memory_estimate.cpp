// Upper bounds, from sizes alone: what training and the model file may need.
#include <algorithm>
#include <cmath>

#include "base/worker_team.h"
#include "coppice/fit.h"
#include "grow/sampling.h"

namespace coppice {
namespace {

std::size_t width_of(std::size_t codes) { return codes < 256 ? 1 : codes < 65536 ? 2 : 4; }

// A code for every row and, of numbers, its bin and the value of every code.
std::size_t column_bytes(const Feature& feature, const ThresholdChoice& thresholds,
                         std::size_t rows) {
  if (feature.kind == FeatureKind::categorical) return rows * width_of(feature.categories.size());
  std::size_t bytes = rows * (width_of(rows) + sizeof(float));
  const auto* binned = std::get_if<BinnedThresholds>(&thresholds);
  if (binned && rows > binned->bins) bytes += rows * width_of(binned->bins);
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
  if (options.growth.max_depth && *options.growth.max_depth < 48)
    leaves = std::min(leaves, std::size_t{1} << *options.growth.max_depth);
  return leaves;
}

std::size_t payload_floats(const FitOptions& options, const Schema& schema) {
  return std::holds_alternative<Classification>(options.task) ? schema.classes.size()
                                                              : 2 * schema.targets.size();
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

}  // namespace

MemoryEstimate estimate_memory(const DatasetView& data, const FitOptions& options,
                               const RunContext& context) {
  constexpr std::size_t kSplitBytes = 12, kSupportBytes = 4, kTreeBytes = 4, kFloatBytes = 4;
  constexpr std::size_t kGrowingNodeBytes = 160;  // node, split and open node, with slack
  constexpr std::size_t kGrowingRowBytes = 48;    // rows, draws, search or coding buffers
  const std::size_t leaves = most_leaves(options, data.rows);
  const std::size_t payload = payload_floats(options, *data.schema) * kFloatBytes;
  const std::size_t trees = options.forest.trees;
  // Leaves share payloads only where that takes less than a payload for each.
  const std::size_t tree_bytes =
      kTreeBytes + leaves * (kSplitBytes + most_set_bytes(*data.schema) + kSupportBytes + payload);
  MemoryEstimate estimate;
  estimate.model_bytes = header_bytes(*data.schema, options.report) + trees * tree_bytes;
  for (const Feature& feature : data.schema->features)
    estimate.training_bytes += column_bytes(feature, options.split.thresholds, data.rows);
  const std::size_t workers = std::min(worker_count(context.threads), trees);
  estimate.training_bytes +=
      workers * (data.rows * kGrowingRowBytes + leaves * (kGrowingNodeBytes + payload));
  const ReportOptions& report = options.report;
  const bool leaf_ids = report.out_of_bag || report.leaf_ids || report.permutation_importance ||
                        report.unbiased_importance;
  if (leaf_ids) estimate.training_bytes += data.rows * trees * 4;
  estimate.training_bytes += estimate.model_bytes;
  return estimate;
}

}  // namespace coppice
