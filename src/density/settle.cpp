#include "density/settle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/portable_math.h"
#include "base/worker_team.h"
#include "density/node_gaussians.h"
#include "infer/leaf_answer.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"

namespace coppice {
namespace {

// A tree with a Gaussian in every node.
struct WeighedTree {
  std::vector<TreeNode> nodes;
  NodeGaussians gaussians;

  std::size_t depth() const {
    std::size_t deepest = 0;
    for (const TreeNode& node : nodes) deepest = std::max<std::size_t>(deepest, node.depth);
    return deepest;
  }
};

// log(share of samples) less the log of what the leaf, or the tree, is divided by; per node, where
// it is a leaf of the tree cut at this depth.
std::vector<double> log_weights(const WeighedTree& tree, const PayloadLayout& layout,
                                std::size_t most_depth, Normalisation normalisation) {
  const std::size_t size = layout.size();
  const auto log_mass = [&](std::size_t n) {
    return double{tree.gaussians.payload[n * size + layout.log_mass()]};
  };
  double tree_mass = 0;
  const double total = tree.gaussians.support[0];
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    if (tree.nodes[n].leaf_at(most_depth))
      tree_mass += tree.gaussians.support[n] / total * portable_exp(log_mass(n));
  std::vector<double> weights(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    weights[n] = portable_log(tree.gaussians.support[n] / total) -
                 (normalisation == Normalisation::tree ? portable_log(tree_mass) : log_mass(n));
  return weights;
}

TreeArrays cut_tree(const Forest& forest, std::size_t number, const WeighedTree& tree,
                    std::size_t most_depth, Normalisation normalisation, LeafIds& ids) {
  const PayloadLayout layout = layout_of(forest);
  std::vector<bool> cut(tree.nodes.size() / 2);
  for (const TreeNode& node : tree.nodes)
    if (!node.leaf()) cut[node.split] = node.depth == most_depth;
  CutTree made = copy_tree(forest, number, cut);
  const std::vector<double> weights = log_weights(tree, layout, most_depth, normalisation);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (!tree.nodes[n].leaf_at(most_depth)) continue;
    const auto payload =
        std::span(tree.gaussians.payload).subspan(n * layout.size(), layout.size());
    made.tree.payload.insert(made.tree.payload.end(), payload.begin(), payload.end());
    std::span(made.tree.payload).last(layout.size())[layout.log_weight()] =
        static_cast<float>(weights[n]);
  }
  for (std::size_t row = 0; row < ids.rows(); ++row)
    ids.set(number, row, made.new_leaf[ids.leaf(number, row)], ids.out_of_bag(number, row));
  return std::move(made.tree);
}

}  // namespace

SettledDensity settle_density(const Forest& grown, LeafIds ids, const DatasetView&,
                              const SettlingRule& rule, const RunContext& context) {
  const ForestArrays& arrays = grown.arrays();
  std::vector<WeighedTree> trees(grown.trees());
  for_each_task(grown.trees(), worker_count(context.threads), [&](std::size_t, std::size_t t) {
    trees[t].nodes = nodes_of(arrays, t);
    trees[t].gaussians =
        node_gaussians(grown, t, trees[t].nodes, {rule.density.prior, rule.density.floor});
  });
  DensityReport report{.trees_grown = grown.trees()};
  for (const WeighedTree& tree : trees) report.depth = std::max(report.depth, tree.depth());
  ForestBuilder builder(arrays.payload_size);
  builder.set_centres({arrays.projections.centre.begin(), arrays.projections.centre.end()});
  for (std::size_t t = 0; t < trees.size(); ++t)
    builder.append(cut_tree(grown, t, trees[t], report.depth, rule.density.normalisation, ids));
  return {Forest(builder.finish(), grown.info()), std::move(ids), std::move(report)};
}

}  // namespace coppice
