// How wide intervals must be, learnt from out-of-bag rows: a conformal prediction whose scores are
// residuals in units of the predicted deviation.
#pragma once

#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/fit.h"

namespace coppice {

struct Calibrated {
  std::vector<float> scores;  // as ForestInfo::calibration
  double coverage = 0;        // as FitReport::interval_coverage
};

// REQUIRES: means and variances of at least one row. A row is out of bag in some of the trees only,
// whose mean is less sure than that of all `trees`: residuals are scaled down accordingly.
Calibrated calibrate(const OutOfBag&, const DatasetView&, std::size_t trees);

// Bounds of an interval that holds a share `coverage` of the targets; `scores` are the
// ForestInfo::kCalibrationFloats of the target.
struct Interval {
  double lower = 0, upper = 0;
};
Interval calibrated_interval(std::span<const float> scores, double mean, double variance,
                             double coverage);

}  // namespace coppice
