#include "density/weighed_tree.h"

#include <numeric>

#include "base/portable_math.h"
#include "base/random_stream.h"
#include "density/cells.h"
#include "density/gaussian_table.h"

namespace coppice {
namespace {

// Single masses may be less exact than sums over leaves and trees need them.
constexpr LatticeRule kTrainingLattice{.most_points = 512, .error = 2e-3};
constexpr double kLeastMass = 1e-12;

}  // namespace

WeighedTree::WeighedTree(const Forest& forest, std::size_t tree, const Rule& rule)
    : nodes_(nodes_of(forest.arrays(), tree)),
      layout_(PayloadKind::gaussian, forest.info().schema.features.size()),
      gaussians_(node_gaussians(forest, tree, nodes_, rule.covariance)) {
  const TreeCells cells(forest, tree, nodes_);
  const RandomStream stream = RandomStream(rule.seed).child(tree);
  const std::size_t features = layout_.outputs();
  std::vector<std::uint32_t> all(features);
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<float> row(features);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!rule.all_nodes && !nodes_[n].leaf()) continue;
    const auto payload = std::span(gaussians_.payload).subspan(n * layout_.size(), layout_.size());
    const std::vector<double> mean(payload.begin(),
                                   payload.begin() + static_cast<std::ptrdiff_t>(features));
    const std::vector<double> covariance = covariance_of(layout_, payload);
    const Mass mass = mass_in_cell(cells, n, {all, mean, covariance, row}, stream.child(n).next(),
                                   kTrainingLattice);
    const double value = std::clamp(mass.value, kLeastMass, 1.0);
    payload[layout_.log_mass()] = static_cast<float>(portable_log(value));
    payload[layout_.mass_error()] = static_cast<float>(mass.error / value);
  }
}

std::size_t WeighedTree::depth() const {
  std::size_t deepest = 0;
  for (const TreeNode& node : nodes_) deepest = std::max<std::size_t>(deepest, node.depth);
  return deepest;
}

std::vector<double> WeighedTree::log_weights(std::size_t most_depth,
                                             Normalisation normalisation) const {
  const double total = gaussians_.support[0];
  std::vector<double> weights(nodes_.size());
  double tree_mass = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].leaf_at(most_depth)) continue;
    const double share = gaussians_.support[n] / total;
    const double log_mass = double{payload(n)[layout_.log_mass()]};
    tree_mass += share * portable_exp(log_mass);
    weights[n] = portable_log(share) - (normalisation == Normalisation::leaf ? log_mass : 0);
  }
  if (normalisation == Normalisation::tree)
    for (double& weight : weights) weight -= portable_log(tree_mass);
  return weights;
}

}  // namespace coppice
