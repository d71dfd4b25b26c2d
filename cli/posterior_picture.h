// Forests on two features side by side, as the demonstration shows them.
#pragma once

#include <string>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/predict.h"
#include "draw/drawing.h"

namespace coppice {

// One panel: a forest and its title.
struct Panel {
  const Predictor* predictor;
  std::string title;
};

// With the training rows drawn on top. REQUIRES: two numeric features.
Drawing posterior_picture(const std::vector<Panel>&, const Dataset& training_rows);

// The same in half-block characters and 24-bit colours, without the rows.
std::string posterior_text(const std::vector<Panel>&, const Dataset& training_rows);

}  // namespace coppice
