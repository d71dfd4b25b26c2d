#include "density/cells.h"

#include <algorithm>
#include <limits>

#include "base/cholesky.h"
#include "density/lattice.h"
#include "density/normal_share.h"
#include "density/polygon_mass.h"

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

std::optional<TreeCells::Bound> TreeCells::linear_sum(const Split& split,
                                                      std::span<const std::uint32_t> features,
                                                      std::span<const float> row) const {
  Bound sum{std::vector<double>(features.size()), 0};
  const auto add = [&](std::size_t feature, double coefficient, double centre) {
    const auto at = std::find(features.begin(), features.end(), feature);
    sum.bound -= coefficient * centre;
    if (at == features.end()) {
      sum.bound += coefficient * double{row[feature]};
    } else {
      sum.slope[static_cast<std::size_t>(at - features.begin())] += coefficient;
    }
  };
  if (split.kind == Split::Kind::numeric) {
    add(split.feature, 1, 0);
    return sum;
  }
  if (split.kind != Split::Kind::projection) return std::nullopt;
  const ProjectionArrays& all = forest_.arrays().projections;
  for (std::size_t t = all.first_term[split.feature]; t < all.first_term[split.feature + 1]; ++t) {
    const Term term = all.term(t);
    if (term.partner != Term::kNoPartner) return std::nullopt;
    add(term.feature, double{term.coefficient}, double{all.centre[term.feature]});
  }
  return sum;
}

std::optional<std::vector<TreeCells::Bound>> TreeCells::linear_bounds(
    std::size_t node, std::span<const std::uint32_t> features, std::span<const float> row) const {
  std::vector<Bound> bounds;
  for (std::size_t n = node; n > 0; n = nodes_[n].parent) {
    const Split split = forest_.arrays().split(tree_, nodes_[nodes_[n].parent].split);
    const std::optional<Bound> sum = linear_sum(split, features, row);
    if (!sum) return std::nullopt;
    const double lower = split.kind == Split::Kind::projection
                             ? double{forest_.arrays().projections.lower[split.feature]}
                             : -std::numeric_limits<double>::infinity();
    const bool two_sided = lower > -std::numeric_limits<double>::infinity();
    if (two_sided && !is_left(n)) return std::nullopt;
    const auto below = [&](double threshold, double sign) {
      Bound bound{sum->slope, sign * (threshold - sum->bound)};
      for (double& slope : bound.slope) slope *= sign;
      bounds.push_back(std::move(bound));
    };
    below(double{split.threshold}, is_left(n) ? 1 : -1);
    if (two_sided) below(lower, -1);
  }
  return bounds;
}

namespace {

// Of one or two features: a polygon, if the path says sums only.
std::optional<Mass> mass_in_polygon(const TreeCells& cells, std::size_t node,
                                    const PartialGaussian& given) {
  const std::size_t size = given.features.size();
  const auto bounds = cells.linear_bounds(node, given.features, given.row);
  if (!bounds) return std::nullopt;
  std::vector<double> factor(given.covariance.begin(), given.covariance.end());
  factorise(factor, size, 0);
  std::vector<HalfPlane> planes;
  for (const TreeCells::Bound& bound : *bounds) {
    HalfPlane& plane = planes.emplace_back();
    plane.bound = bound.bound;
    for (std::size_t k = 0; k < size; ++k) {
      plane.bound -= bound.slope[k] * given.mean[k];
      for (std::size_t j = 0; j <= k; ++j)
        plane.slope[j] += bound.slope[k] * factor[triangle_index(k, j)];
    }
  }
  return Mass{mass_of_polygon(planes), 0};
}

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
  if (given.features.size() <= 2)
    if (const std::optional<Mass> mass = mass_in_polygon(cells, node, given)) return *mass;
  return mass_by_drawing(cells, node, given, seed, rule);
}

}  // namespace coppice
