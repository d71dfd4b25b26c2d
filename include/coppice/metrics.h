// How good predictions are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/predict.h"

namespace coppice {

struct ClassMetrics {
  double accuracy = 0, error = 0;
  double log_loss = 0;                        // natural logarithm; probabilities clipped at 1e-15
  double balanced_accuracy = 0;               // mean recall of the classes that occur
  double brier = 0;                           // mean squared distance to the one-hot truth
  std::vector<std::size_t> confusion;         // classes x classes, [truth][prediction]
  std::vector<double> precision, recall, f1;  // per class; 0 where undefined
};
struct RegressionMetrics {  // over all targets together
  double rmse = 0, mae = 0, r2 = 0;
  std::vector<double> rmse_per_target, r2_per_target;
};

// REQUIRES: one known label (or target row) per predicted row; at least one row. Rows weigh 1 if
// `weights` is empty.
ClassMetrics class_metrics(const Predictions&, std::span<const std::uint32_t> labels,
                           std::span<const float> weights = {});
RegressionMetrics regression_metrics(const Predictions&, std::span<const double> targets,
                                     std::span<const float> weights = {});

// Of a posterior, with the natural logarithm: 0 if one class has all, log K if all have the same.
double entropy(std::span<const double> probabilities);

}  // namespace coppice
