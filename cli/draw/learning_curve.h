// How the error falls with the number of trees and with their depth.
#pragma once

#include <vector>

#include "coppice/predict.h"
#include "draw/axes.h"

namespace coppice {

// Misclassified share, or root of the mean squared error over all targets. REQUIRES: rows as the
// forest's schema has them, with known truth; at least one.
// Entry t is that of the first t + 1 trees.
std::vector<double> error_by_trees(const Predictor&, const Dataset& rows, const RunContext& = {});
// Entry d is that of the forest with every tree cut at depth d; the last one is that of the forest.
std::vector<double> error_by_depth(const Forest&, const Dataset& rows);

// Entry n is drawn at first + n.
struct ErrorCurve {
  std::vector<double> errors;
  double first = 0;
};
void draw_curve(const ErrorCurve&, Axes&);

// Several at once, each over numbers of its own; the axes hold all of them, and 0.
struct ColouredCurve {
  std::vector<Spot> spots;
  Colour colour;
};
void draw_curves(const std::vector<ColouredCurve>&, Axes&);

}  // namespace coppice
