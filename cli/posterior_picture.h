// What a forest on two features believes, in colour: one per class, grey where it is undecided.
#pragma once

#include <string>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/predict.h"
#include "picture.h"

namespace coppice {

// One panel: a forest and its title.
struct Panel {
  const Predictor* predictor;
  std::string title;
};

// Panels side by side, with the training rows drawn on top. REQUIRES: two features, at most eight
// classes.
Picture posterior_picture(const std::vector<Panel>&, const Dataset& training_rows);

// The same in half-block characters and 24-bit colours, without the rows.
std::string posterior_text(const std::vector<Panel>&, const Dataset& training_rows);

}  // namespace coppice
