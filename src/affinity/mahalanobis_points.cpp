// The points of the Mahalanobis affinity (eq. 6.3): with the Cholesky factor L of a leaf's
// covariance, d' C^-1 d is the squared length of L^-1 d.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "affinity/sparse_affinity.h"
#include "base/cholesky.h"
#include "base/payload_layout.h"
#include "base/worker_team.h"
#include "coppice/error.h"

namespace coppice {
namespace {

// What the covariance of the rows in a leaf gets from that of all rows: so many rows' worth of it,
// and a share of its variances.
constexpr double kPriorRows = 1, kFloor = 1e-3;

struct LeafGaussian {
  std::vector<double> mean, triangle;  // lower triangle of the covariance
};

// Mean and covariance of rows of standardised points.
LeafGaussian measure(const AffinityPoints& points, std::span<const std::uint32_t> rows) {
  const std::size_t width = points.width;
  const auto count = static_cast<double>(rows.size());
  LeafGaussian found{std::vector<double>(width), std::vector<double>(width * (width + 1) / 2)};
  for (const std::uint32_t row : rows)
    for (std::size_t i = 0; i < width; ++i) found.mean[i] += double{points.of(0, row)[i]} / count;
  for (const std::uint32_t row : rows)
    for (std::size_t i = 0, at = 0; i < width; ++i) {
      const double from_mean = double{points.of(0, row)[i]} - found.mean[i];
      for (std::size_t j = 0; j <= i; ++j)
        found.triangle[at++] += from_mean * (double{points.of(0, row)[j]} - found.mean[j]);
    }
  for (std::size_t i = 0, at = 0; i < width; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++at)
      found.triangle[at] = (found.triangle[at] + (i == j ? kPriorRows : 0)) / (count + kPriorRows) +
                           (i == j ? kFloor : 0);
  return found;
}

// What the leaf of a density holds, in units of the features.
LeafGaussian held(const PayloadLayout& layout, std::span<const float> payload) {
  LeafGaussian found;
  for (std::size_t i = 0; i < layout.outputs(); ++i) {
    found.mean.push_back(double{payload[i]});
    for (std::size_t j = 0; j <= i; ++j)
      found.triangle.push_back(double{payload[layout.covariance(j, i)]});
  }
  return found;
}

// L^-1 (x - mean).
void whiten(const LeafGaussian& leaf, const std::vector<double>& inverse, const double* x,
            float* out) {
  const std::size_t width = leaf.mean.size();
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j)
      sum += inverse[triangle_index(i, j)] * (x[j] - leaf.mean[j]);
    out[i] = static_cast<float>(sum);
  }
}

class LeafWhitening {
 public:
  LeafWhitening(const Forest& forest, const DatasetView& data, const LeafMembers& members)
      : forest_(forest),
        data_(data),
        members_(members),
        holds_gaussians_(forest.info().payload_kind == PayloadKind::gaussian) {
    if (!holds_gaussians_) standard_ = standard_points(data);
    points_ = {.rows = data.rows, .width = data.columns.size(), .by_tree = true};
    points_.values.resize(data.rows * forest.trees() * points_.width);
  }

  void whiten_leaf(std::size_t tree, std::size_t leaf, std::size_t leaf_in_forest) {
    const auto rows = members_.of(leaf);
    LeafGaussian gaussian = holds_gaussians_
                                ? held(PayloadLayout(PayloadKind::gaussian, points_.width),
                                       forest_.arrays().payload_of(leaf_in_forest))
                                : measure(standard_, rows);
    std::vector<double> factor = gaussian.triangle;
    if (!factorise(factor, points_.width, 0))
      throw Error(ErrorKind::invalid_option,
                  "the covariance of a leaf is singular; take the Gaussian affinity");
    const std::vector<double> inverse = inverse_of_factor(factor, points_.width);
    std::vector<double> x(points_.width);
    for (const std::uint32_t row : rows) {
      for (std::size_t f = 0; f < x.size(); ++f) {
        const float value = holds_gaussians_ ? data_.columns[f][row] : standard_.of(0, row)[f];
        x[f] = std::isfinite(value) ? double{value} : gaussian.mean[f];
      }
      whiten(gaussian, inverse, x.data(),
             points_.values.data() + (tree * points_.rows + row) * points_.width);
    }
  }

  AffinityPoints take() { return std::move(points_); }

 private:
  const Forest& forest_;
  const DatasetView& data_;
  const LeafMembers& members_;
  bool holds_gaussians_;
  AffinityPoints standard_, points_;
};

void check(const DatasetView& data, std::size_t trees, const AffinityLimits& limits) {
  for (const Feature& feature : data.schema->features)
    if (feature.kind != FeatureKind::numeric)
      throw Error(
          ErrorKind::invalid_option,
          fmt::format("the Mahalanobis affinity is for numbers, but '{}' is a category; take "
                      "the Gaussian or the binary affinity",
                      feature.name));
  const std::size_t bytes = data.rows * trees * data.columns.size() * sizeof(float);
  if (bytes > limits.bytes)
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("the Mahalanobis affinity of {} rows and {} features in {} trees takes {} "
                    "MB, but {} MB are left for it; take the Gaussian or the binary affinity",
                    data.rows, data.columns.size(), trees, bytes >> 20, limits.bytes >> 20));
}

}  // namespace

AffinityPoints mahalanobis_points(const Forest& forest, const DatasetView& data, const LeafIds& ids,
                                  const LeafIncidence& leaves, const LeafMembers& members,
                                  const AffinityLimits& limits) {
  check(data, leaves.trees(), limits);
  LeafWhitening whitening(forest, data, members);
  for_each_task(leaves.trees(), limits.workers, [&](std::size_t, std::size_t tree) {
    for (std::size_t leaf = leaves.first_leaf(tree); leaf < leaves.first_leaf(tree + 1); ++leaf) {
      const std::uint32_t member = members.of(leaf).front();
      whitening.whiten_leaf(tree, leaf, forest.arrays().first_leaf(tree) + ids.leaf(tree, member));
    }
  });
  return whitening.take();
}

}  // namespace coppice
