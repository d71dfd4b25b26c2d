// Regression: the variance of the targets and that of the features (Grabner 2016, 2.2.2.1),
//   cost(S) = n ( mean over targets of var(y) + kappa mean over numbers of var(x) ),
// with y and x scaled to [0, 1] over all of the data. Children are then compact in both.
#pragma once

#include <vector>

#include "coppice/dataset.h"
#include "objective/variance.h"

namespace coppice {

// A variance of columns in which the features follow the targets.
struct FeatureVariance : MultiVariance {
  const FixedPointTargets& true_targets;  // alone decide what is left to tell apart

  bool alike(const Item& a, const Item& b) const { return true_targets.same_row(a.row, b.row); }
};
static_assert(Objective<FeatureVariance>);

// Row-major: targets / sqrt(targets), then the numeric features * sqrt(kappa / features). Rows of
// weight count for the range of a column, whose middle stands for missing values.
struct TargetsAndFeatures {
  std::size_t columns = 0;
  std::vector<double> values;
};
TargetsAndFeatures targets_and_features(const DatasetView&, std::span<const std::uint32_t> weights,
                                        double kappa);

}  // namespace coppice
