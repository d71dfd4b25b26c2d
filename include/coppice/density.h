// Densities: forests whose leaves are Gaussians of the features, cut off at the borders of their
// cells (Criminisi et al. 2012, chapter 5). p(x) is the mean over trees of
//   p_t(x) = share of the leaf x N(x; mean, covariance) / mass       (eq. 5.3)
// where mass is that of the leaf's Gaussian in its cell, or of all leaves of the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

// What `coppice train --task density` begins with.
FitOptions density_options();

// A local maximum of the density of one feature.
struct Mode {
  double value = 0, density = 0;
};

// Local maxima of a curve over ascending places. One counts if the curve falls by at least this
// share of its largest value before it rises above it; the highest first.
std::vector<Mode> find_modes(std::span<const double> at, std::span<const double> density,
                             double least_prominence = 0.1);

// p(features that are not known | those that are), eq. 5.10.
class Conditional {
 public:
  Conditional(Conditional&&) noexcept;
  ~Conditional();

  // Log of the density of what is known; -infinity where the forest has none.
  double log_known() const;
  // Features that are not known, in their order.
  const std::vector<std::uint32_t>& unknown() const;

  // p(feature = at | known), the other features integrated out.
  // REQUIRES: the feature is not known, and log_known() is finite; so below.
  std::vector<double> density(std::uint32_t feature, std::span<const double> at) const;
  // Between these lies all but a share of about 10^-6 of the feature.
  struct Range {
    double lower = 0, upper = 0;
  };
  Range range(std::uint32_t feature) const;
  // Mean and variance of every unknown feature; exact where no cell bounds two of them, else from
  // draws.
  struct Moments {
    std::vector<double> mean, variance;
  };
  Moments moments() const;
  // Rows of all features, row-major (Criminisi et al. 2012, alg. 5.3).
  std::vector<float> sample(std::size_t rows, std::uint64_t seed) const;

 private:
  friend class DensityModel;
  struct Parts;
  explicit Conditional(std::unique_ptr<Parts>);
  std::unique_ptr<Parts> parts_;
};

class DensityModel {
 public:
  // Keeps a reference: the forest must outlive the model and its conditionals. Throws
  // Error(invalid_option) unless its leaves are Gaussians.
  explicit DensityModel(const Forest&);
  DensityModel(DensityModel&&) noexcept;
  ~DensityModel();

  const Forest& forest() const;

  // Natural log of p(x) of every row; of a row with missing values that of the others, the missing
  // ones integrated out. REQUIRES: columns as the forest's schema has them; else
  // Error(invalid_data).
  std::vector<double> log_density(const DatasetView&, const RunContext& = {}) const;

  // How unusual a row is: the share of training rows, out of bag, with a larger log density. Empty
  // if the model was trained without out-of-bag rows.
  std::vector<double> unusual(std::span<const double> log_densities) const;

  // Rows drawn from p (Criminisi et al. 2012, alg. 5.1), row-major.
  std::vector<float> sample(std::size_t rows, std::uint64_t seed, const RunContext& = {}) const;

  // A row of all features: those that are not known are kMissing.
  Conditional condition(std::span<const float> row) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coppice
