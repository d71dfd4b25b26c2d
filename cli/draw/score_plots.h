// How good a forest's answers are: calibration, confusion, predicted against true; and what they
// owe to each feature.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coppice/metrics.h"
#include "coppice/predict.h"
#include "draw/axes.h"

namespace coppice {

// Rows by the probability of their most probable class, in ten bins of equal width.
struct Calibration {
  struct Bin {
    std::size_t rows = 0;
    double confidence = 0;  // means over the rows
    double accuracy = 0;
  };
  std::vector<Bin> bins;
  double error = 0;  // expected calibration error: sum rows / all |accuracy - confidence|
};
Calibration calibration(const Predictions&, std::span<const std::uint32_t> labels);
void draw_calibration(const Calibration&, Axes&);

// Rows are the truth; colours are shares of a row.
void draw_confusion(const ClassMetrics&, const std::vector<std::string>& classes, Axes&);

struct PredictedPlot {
  std::span<const double> truth, predicted;
};
void draw_predicted(const PredictedPlot&, Axes&);

// The largest first, `most` of them.
struct ImportancePlot {
  std::vector<std::string> names = {};
  std::vector<double> values = {};
  std::size_t most = 25;
  std::string title, note;
};
Drawing importance_drawing(const ImportancePlot&);

}  // namespace coppice
