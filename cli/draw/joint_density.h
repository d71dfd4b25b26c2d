// A density forest of two features: its density as a picture, draws from it, and slices through it.
#pragma once

#include <string>
#include <vector>

#include "coppice/density.h"
#include "draw/axes.h"
#include "draw/plane_plot.h"

namespace coppice {

struct JointDensityPlot {
  const DensityModel& model;
  const Dataset* rows = nullptr;  // drawn on top
  Window window;
};
// The darker, the denser. REQUIRES: a density of two features.
void draw_joint_density(const JointDensityPlot&, Axes&);

// Rows drawn from the density as discs.
void draw_draws(const JointDensityPlot&, std::size_t count, Axes&);

// p(second | first = at) as a curve, with a dot on every mode.
void draw_slice(const DensityModel&, double at, Axes&);

// Around the Gaussians of all leaves.
Window window_of_density(const Forest&);

}  // namespace coppice
