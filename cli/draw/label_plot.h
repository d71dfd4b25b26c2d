// Rows of two features in the colours of the classes that a forest gives to them.
#pragma once

#include <cstddef>
#include <optional>

#include "coppice/predict.h"
#include "draw/plane_plot.h"

namespace coppice {

struct LabelPlot {
  const Predictor& predictor;
  const Dataset& rows;  // those that have a label keep it, and are drawn with a border
  Window window;
  std::optional<std::size_t> tree = {};  // this tree alone speaks, not the forest
};
// REQUIRES: a classification forest on two numeric features.
void draw_labels(const LabelPlot&, Axes&);

}  // namespace coppice
