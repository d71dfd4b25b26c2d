// The Gaussian of every leaf of a tree, of all rows that fall into it. Its covariance is
//   (n S + (d + 1) P) / (n + d + 1) + kFloor V,
// S the covariance of its n rows, P the mean of S over all rows, V the variances of all rows on a
// diagonal: leaves of a single row have one, too.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/leaf_ids.h"
#include "data/fixed_point.h"

namespace coppice {

class LeafGaussians {
 public:
  static constexpr double kFloor = 1e-4;

  // The coordinates of the rows, and the leaves of one tree.
  LeafGaussians(const FixedPointTargets& space, const LeafIds&, std::size_t tree,
                std::size_t leaves);

  std::size_t size() const { return rows_.size(); }
  std::size_t dimensions() const { return dimensions_; }
  // Leaves without a row have the mean of all rows.
  std::span<const double> mean(std::size_t leaf) const {
    return std::span(means_).subspan(leaf * dimensions_, dimensions_);
  }

  std::span<const double> means() const { return means_; }

  // The symmetric Mahalanobis distance of two means (Criminisi et al. 2012, section 7.3),
  //   (d' A^-1 d + d' B^-1 d) / 2, and never below kLeastDistance: means may be the same.
  static constexpr double kLeastDistance = 1e-9;
  double distance(std::size_t leaf, std::size_t other) const;
  // The same of two points, one in each leaf, that differ by this much.
  double distance(std::size_t leaf, std::size_t other, std::span<const double> difference) const;

 private:
  void add_scatter(const FixedPointTargets&, const LeafIds&, std::size_t tree);
  void factorise_all(std::span<const double> variances);
  // |L^-1 difference|^2
  double stretched(std::size_t leaf, std::span<const double> difference) const;

  std::size_t dimensions_;
  std::vector<double> rows_;     // per leaf
  std::vector<double> means_;    // leaves x dimensions
  std::vector<double> inverse_;  // triangle of L^-1 per leaf, L L' being the covariance
};

}  // namespace coppice
