// Learning from few labels: rows without one take part in training, and get one.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/options.h"
#include "coppice/predict.h"

namespace coppice {

// What `coppice train --task semi-supervised` begins with.
FitOptions semi_supervised_options();

// Labels or targets of all rows: those that are given, and the forest's answers in place of those
// that are not.
struct CompletedLabels {
  std::vector<bool> given;            // per row
  std::vector<std::uint32_t> labels;  // of classes
  std::vector<double> targets;        // of numbers: rows x targets
  // Per row the probability of the label, or per row and target the standard deviation; 1 and 0 of
  // what is given.
  std::vector<double> confidence, deviation;
};
CompletedLabels complete_labels(const Predictor&, const DatasetView&, const RunContext& = {});

}  // namespace coppice
