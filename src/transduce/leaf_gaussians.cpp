#include "transduce/leaf_gaussians.h"

#include <algorithm>

#include "base/cholesky.h"

namespace coppice {
namespace {

// In units of the coordinate's deviation or thereabouts; the centre means nothing here.
double coordinate(const FixedPointTargets& space, std::size_t row, std::size_t k) {
  return space.centre(k) + static_cast<double>(space.value(row, k)) * space.unit(k);
}

std::size_t triangle_size(std::size_t dimensions) { return dimensions * (dimensions + 1) / 2; }

}  // namespace

LeafGaussians::LeafGaussians(const FixedPointTargets& space, const LeafIds& ids, std::size_t tree,
                             std::size_t leaves)
    : dimensions_(space.outputs()),
      rows_(leaves, 0),
      means_(leaves * dimensions_, 0),
      inverse_(leaves * triangle_size(dimensions_), 0) {
  std::vector<double> mean(dimensions_, 0), variances(dimensions_, 0);
  const auto rows = static_cast<double>(ids.rows());
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    const std::size_t leaf = ids.leaf(tree, row);
    rows_[leaf] += 1;
    for (std::size_t k = 0; k < dimensions_; ++k) {
      const double x = coordinate(space, row, k);
      means_[leaf * dimensions_ + k] += x;
      mean[k] += x / rows;
    }
  }
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    for (std::size_t k = 0; k < dimensions_; ++k) {
      double& own = means_[leaf * dimensions_ + k];
      own = rows_[leaf] > 0 ? own / rows_[leaf] : mean[k];
    }
  for (std::size_t row = 0; row < ids.rows(); ++row)
    for (std::size_t k = 0; k < dimensions_; ++k) {
      const double deviation = coordinate(space, row, k) - mean[k];
      variances[k] += deviation * deviation / rows;
    }
  add_scatter(space, ids, tree);
  factorise_all(variances);
}

// n S of every leaf, where the factor will be.
void LeafGaussians::add_scatter(const FixedPointTargets& space, const LeafIds& ids,
                                std::size_t tree) {
  std::vector<double> deviation(dimensions_);
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    const std::size_t leaf = ids.leaf(tree, row);
    for (std::size_t k = 0; k < dimensions_; ++k)
      deviation[k] = coordinate(space, row, k) - means_[leaf * dimensions_ + k];
    double* product = inverse_.data() + leaf * triangle_size(dimensions_);
    for (std::size_t i = 0; i < dimensions_; ++i)
      for (std::size_t j = 0; j <= i; ++j) *product++ += deviation[i] * deviation[j];
  }
}

void LeafGaussians::factorise_all(std::span<const double> variances) {
  const std::size_t size = triangle_size(dimensions_);
  std::vector<double> pooled(size, 0), triangle(size);
  double rows = 0;
  for (std::size_t leaf = 0; leaf < rows_.size(); ++leaf) {
    rows += rows_[leaf];
    for (std::size_t n = 0; n < size; ++n) pooled[n] += inverse_[leaf * size + n];
  }
  const auto prior = static_cast<double>(dimensions_ + 1);
  for (std::size_t leaf = 0; leaf < rows_.size(); ++leaf) {
    for (std::size_t n = 0; n < size; ++n)
      triangle[n] = (inverse_[leaf * size + n] + prior * pooled[n] / rows) / (rows_[leaf] + prior);
    for (std::size_t k = 0; k < dimensions_; ++k)
      triangle[triangle_index(k, k)] += kFloor * variances[k];
    factorise(triangle, dimensions_, 0);  // the floor makes it regular
    const std::vector<double> inverse = inverse_of_factor(triangle, dimensions_);
    std::copy(inverse.begin(), inverse.end(), inverse_.begin() + std::ptrdiff_t(leaf * size));
  }
}

double LeafGaussians::stretched(std::size_t leaf, std::span<const double> difference) const {
  const double* factor = inverse_.data() + leaf * triangle_size(dimensions_);
  double sum = 0;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    double along = 0;
    for (std::size_t j = 0; j <= i; ++j) along += *factor++ * difference[j];
    sum += along * along;
  }
  return sum;
}

double LeafGaussians::distance(std::size_t leaf, std::size_t other,
                               std::span<const double> difference) const {
  return std::max(kLeastDistance, (stretched(leaf, difference) + stretched(other, difference)) / 2);
}

double LeafGaussians::distance(std::size_t leaf, std::size_t other) const {
  constexpr std::size_t kFew = 64;
  double few[kFew];
  std::vector<double> many(dimensions_ > kFew ? dimensions_ : 0);
  const std::span<double> difference(many.empty() ? few : many.data(), dimensions_);
  for (std::size_t k = 0; k < dimensions_; ++k) difference[k] = mean(leaf)[k] - mean(other)[k];
  return distance(leaf, other, difference);
}

}  // namespace coppice
