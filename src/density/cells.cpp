#include "density/cells.h"

#include <algorithm>

#include "base/cholesky.h"
#include "density/lattice.h"
#include "density/normal_share.h"

namespace coppice {

TreeCells::TreeCells(const Forest& forest, std::size_t tree, std::span<const TreeNode> nodes)
    : forest_(forest),
      tree_(tree),
      features_(forest.info().schema.features.size()),
      nodes_(nodes),
      box_(nodes.size(), true),
      intervals_(nodes.size() * features_) {
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    const std::size_t above = nodes[n].parent;
    box_[n] = box_[above];
    std::copy_n(intervals_.begin() + static_cast<std::ptrdiff_t>(above * features_), features_,
                intervals_.begin() + static_cast<std::ptrdiff_t>(n * features_));
    const Split split = forest.arrays().split(tree, nodes[above].split);
    if (split.kind != Split::Kind::numeric) {
      box_[n] = false;
      continue;
    }
    Interval& interval = intervals_[n * features_ + split.feature];
    if (is_left(n)) {
      interval.upper = std::min(interval.upper, double{split.threshold});
    } else {
      interval.lower = std::max(interval.lower, double{split.threshold});
    }
  }
}

namespace {

// Of the features that the path looks at: the others integrate to 1.
Mass mass_in_box(const TreeCells& cells, std::size_t node, const PartialGaussian& given,
                 std::uint64_t seed, const LatticeRule& rule) {
  std::vector<std::size_t> bounded;
  std::vector<Interval> box;
  std::vector<double> covariance;
  for (std::size_t k = 0; k < given.features.size(); ++k) {
    const Interval& interval = cells.interval(node, given.features[k]);
    if (interval.everything()) continue;
    bounded.push_back(k);
    box.push_back({interval.lower - given.mean[k], interval.upper - given.mean[k]});
    for (const std::size_t j : bounded)
      covariance.push_back(given.covariance[triangle_index(k, j)]);
  }
  return box_mass(covariance, box, seed, rule);
}

// The share of draws that meet all splits of the path.
Mass mass_by_drawing(const TreeCells& cells, std::size_t node, const PartialGaussian& given,
                     std::uint64_t seed, const LatticeRule& rule) {
  const std::size_t size = given.features.size();
  std::vector<double> factor(given.covariance.begin(), given.covariance.end()), normal(size);
  factorise(factor, size, 0);
  std::vector<float> row(given.row.begin(), given.row.end());
  const auto inside = [&](std::span<const double> point) -> double {
    for (std::size_t k = 0; k < size; ++k) {
      normal[k] = normal_quantile(point[k]);
      double x = given.mean[k];
      for (std::size_t j = 0; j <= k; ++j) x += factor[triangle_index(k, j)] * normal[j];
      if (!cells.interval(node, given.features[k]).contains(x)) return 0;
      row[given.features[k]] = static_cast<float>(x);
    }
    return cells.meets_projections(node, [&](std::size_t f) { return row[f]; }) ? 1 : 0;
  };
  return ShiftedLattice(size, seed).mean(rule, inside);
}

}  // namespace

Mass mass_in_cell(const TreeCells& cells, std::size_t node, const PartialGaussian& given,
                  std::uint64_t seed, const LatticeRule& rule) {
  if (cells.is_box(node)) return mass_in_box(cells, node, given, seed, rule);
  if (given.features.empty())
    return {cells.meets_projections(node, [&](std::size_t f) { return given.row[f]; }) ? 1.0 : 0.0,
            0};
  return mass_by_drawing(cells, node, given, seed, rule);
}

}  // namespace coppice
