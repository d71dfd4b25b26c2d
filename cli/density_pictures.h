// Pictures of density forests for plot_kinds().
#pragma once

#include <string>

#include "draw/drawing.h"
#include "plot_kinds.h"

namespace coppice {

// Why a forest is not a density of two features; empty if it is.
std::string joint_density_only(const Forest&);

Drawing joint_density(const PlotRequest&);
Drawing draws_from_density(const PlotRequest&);
// Throws Error(invalid_option) where the density is 0.
Drawing density_slice(const PlotRequest&);

}  // namespace coppice
