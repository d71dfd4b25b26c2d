// What a classification forest says of every point of a plane: posteriors, entropies, the cells of
// its trees, and a section through it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "coppice/predict.h"
#include "draw/axes.h"

namespace coppice {

struct Window {
  Range x, y;
};

// Around all rows, with `room` times its length added on every side; if the two ranges are of
// similar length, they become equal, so that circles are circles.
Window window_around(const Dataset& rows, double room);
// The same around the thresholds of the forest, for a forest without rows. Throws
// Error(invalid_option) if it has none on one of the features.
Window window_around(const Forest&);

enum class PlaneView {
  posterior,  // the classes' colours by their probabilities; grey as far as it is undecided
  entropy,    // of the posterior, in units of the largest possible
  partition,  // the borders of the leaves over the posterior
};

struct PlanePlot {
  const Predictor& predictor;
  const Dataset* rows = nullptr;  // drawn on top
  Window window;
  PlaneView view = PlaneView::posterior;
  bool boundary = false;                 // where the most probable class changes
  std::optional<std::size_t> tree = {};  // this tree alone speaks, not the forest
};
// REQUIRES: a classification forest on two numeric features.
void draw_plane(const PlanePlot&, Axes&);

// Rows of two features in the colours of their classes; those without one are grey, and the others
// have a border if there are any such.
void draw_points(const Dataset& rows, Axes&);
void draw_with_border(const Dataset& rows, std::size_t row, Axes&);

// Probabilities of the classes along the first feature; the second one, if any, is `second`.
struct SectionPlot {
  const Predictor& predictor;
  Range x;
  double second = 0;
  // Vertical lines: where the two most probable classes are even, and where `margin` says.
  std::optional<double> margin = {};
};
void draw_section(const SectionPlot&, Axes&);

std::vector<Key> class_keys(const Schema&);

// A bar from low to high with words at its ends, for entropy and density.
void draw_colour_bar(Drawing&, const Box&, const std::string& low, const std::string& high);

// Colours of width x height points of the window, row by row from the top left.
Picture posterior_pixels(const Predictor&, const Window&, std::size_t width, std::size_t height);

}  // namespace coppice
