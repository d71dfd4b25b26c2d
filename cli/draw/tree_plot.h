// One tree of a forest, drawn from the root down.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "coppice/predict.h"
#include "draw/drawing.h"

namespace coppice {

struct TreePlot {
  const Predictor& predictor;
  std::size_t tree = 0;
  std::size_t depth = 3;        // what lies deeper is summed up
  std::vector<float> row = {};  // its path is marked; empty: none
  std::string title = {};
};
inline constexpr std::size_t kDeepestTreePlot = 8;

// A node shows its split, the weight of its training samples, and the shares of the classes or mean
// and deviation of the first target.
Drawing tree_drawing(const TreePlot&);

}  // namespace coppice
