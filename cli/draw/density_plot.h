// p(y|x) of a regression forest on one feature: the mixture of the Gaussians of the trees' leaves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/model.h"
#include "coppice/predict.h"
#include "draw/axes.h"

namespace coppice {

struct Gaussian {
  double mean = 0, deviation = 0;
};

// The leaf Gaussians of all trees at each x, tree by tree: xs.size() * trees of them.
std::vector<Gaussian> leaf_gaussians(const Predictor&, std::span<const float> xs);

// (1 / n) sum N(y; mean, deviation^2), deviations below `least` taken as `least`: a leaf of a
// single row has none of its own.
double mixture_density(std::span<const Gaussian>, double y, double least);

struct DensityPlot {
  const Predictor& predictor;
  const Dataset* rows = nullptr;  // drawn on top
  Range x, y;
};
// REQUIRES: a regression forest on one numeric feature, with one target.
void draw_density(const DensityPlot&, Axes&);

// The meaning of its lines.
std::vector<Key> density_keys();

}  // namespace coppice
