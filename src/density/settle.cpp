#include "density/settle.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/worker_team.h"
#include "density/out_of_bag_density.h"
#include "density/weighed_tree.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"

namespace coppice {
namespace {

std::vector<WeighedTree> weigh(const Forest& grown, const DatasetView& data,
                               const SettlingRule& rule, bool all_nodes, std::size_t workers) {
  std::vector<std::optional<WeighedTree>> made(grown.trees());
  const double prior = rule.density.prior * static_cast<double>(data.columns.size());
  const WeighedTree::Rule weighing{{prior, rule.density.floor, data.rows}, all_nodes, rule.seed};
  for_each_task(grown.trees(), workers,
                [&](std::size_t, std::size_t t) { made[t].emplace(grown, t, weighing); });
  std::vector<WeighedTree> trees;
  for (std::optional<WeighedTree>& tree : made) trees.push_back(std::move(*tree));
  return trees;
}

// As few as come close to the best: a tree more costs every later answer.
std::size_t enough_trees(const std::vector<double>& log_likelihood) {
  constexpr double kClose = 0.0005;
  constexpr std::size_t kLeast = 10;
  const double best = *std::max_element(log_likelihood.begin(), log_likelihood.end());
  for (std::size_t trees = kLeast; trees < log_likelihood.size(); ++trees)
    if (log_likelihood[trees - 1] >= best - kClose) return trees;
  return log_likelihood.size();
}

TreeArrays cut_tree(const Forest& forest, std::size_t number, const WeighedTree& tree,
                    std::size_t most_depth, Normalisation normalisation, LeafIds& ids) {
  const PayloadLayout& layout = tree.layout();
  std::vector<bool> cut(tree.nodes().size() / 2);
  for (const TreeNode& node : tree.nodes())
    if (!node.leaf()) cut[node.split] = node.depth == most_depth;
  CutTree made = copy_tree(forest, number, cut);
  const std::vector<double> weights = tree.log_weights(most_depth, normalisation);
  for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
    if (!tree.nodes()[n].leaf_at(most_depth)) continue;
    const std::span<const float> payload = tree.payload(n);
    made.tree.payload.insert(made.tree.payload.end(), payload.begin(), payload.end());
    std::span(made.tree.payload).last(layout.size())[layout.log_weight()] =
        static_cast<float>(weights[n]);
  }
  for (std::size_t row = 0; row < ids.rows(); ++row)
    ids.set(number, row, made.new_leaf[ids.leaf(number, row)], ids.out_of_bag(number, row));
  return std::move(made.tree);
}

// Quantiles at levels 0.005, 0.01 ... 0.995, after a 0.
std::vector<float> quantiles_of(std::vector<double> values) {
  std::vector<float> found;
  if (values.empty()) return found;
  std::sort(values.begin(), values.end());
  found.push_back(0);
  constexpr std::size_t kParts = ForestInfo::kCalibrationFloats;
  for (std::size_t i = 1; i < kParts; ++i)
    found.push_back(static_cast<float>(values[i * values.size() / kParts]));
  return found;
}

ForestInfo density_info(ForestInfo info, std::vector<double> log_densities) {
  info.payload_kind = PayloadKind::gaussian;
  info.schema.targets.clear();
  info.calibration = quantiles_of(std::move(log_densities));
  return info;
}

}  // namespace

SettledDensity settle_density(const Forest& grown, LeafIds ids, const DatasetView& data,
                              const SettlingRule& rule, const RunContext& context) {
  const std::size_t workers = worker_count(context.threads);
  const bool choose_depth = rule.choose_depth && !ids.empty();
  std::vector<WeighedTree> trees = weigh(grown, data, rule, choose_depth, workers);
  DensityReport report{.trees_grown = grown.trees()};
  std::vector<double> log_densities;
  for (const WeighedTree& tree : trees) report.depth = std::max(report.depth, tree.depth());
  if (!ids.empty()) {
    const OutOfBagDensity out_of_bag(data, ids, rule.density.normalisation, workers,
                                     rule.incomplete);
    std::vector<double>& by_depth = report.log_likelihood_by_depth;
    if (choose_depth) by_depth = out_of_bag.by_depth(trees);
    if (!by_depth.empty())
      report.depth = static_cast<std::size_t>(std::max_element(by_depth.begin(), by_depth.end()) -
                                              by_depth.begin());
    const std::vector<double> by_trees = out_of_bag.by_trees(trees, report.depth);
    const bool any = std::isfinite(by_trees.back());
    const std::size_t kept =
        any && rule.density.choose_trees ? enough_trees(by_trees) : trees.size();
    trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(kept), trees.end());
    ids.keep_trees(kept);
    if (any) report.log_likelihood = by_trees[kept - 1];
    log_densities = out_of_bag.of_rows(trees, report.depth);
  }
  const ForestArrays& arrays = grown.arrays();
  const PayloadLayout& layout = trees[0].layout();
  ForestBuilder builder(layout.size());
  builder.set_centres({arrays.projections.centre.begin(), arrays.projections.centre.end()});
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const TreeArrays cut =
        cut_tree(grown, t, trees[t], report.depth, rule.density.normalisation, ids);
    for (std::size_t at = layout.mass_error(); at < cut.payload.size(); at += layout.size())
      report.mass_error = std::max(report.mass_error, double{cut.payload[at]});
    builder.append(cut);
  }
  return {Forest(builder.finish(), density_info(grown.info(), std::move(log_densities))),
          std::move(ids), std::move(report)};
}

}  // namespace coppice
