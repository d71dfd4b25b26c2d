// What it costs to keep what leaves hold in fewer bytes, on rows whose answers are known.
#pragma once

#include <cstddef>
#include <string>

#include "coppice/coppice.h"
#include "json_output.h"

namespace coppice {

struct RoundingLoss {
  std::size_t rows = 0;
  double before = 0, after = 0;  // misclassified share, or root of the mean squared error
};

RoundingLoss rounding_loss(const Forest& before, const Forest& after, const Dataset& known);

// A line.
std::string rounding_text(const RoundingLoss&, bool classes);
// error_before and error_after.
Json rounding_json(const RoundingLoss&);

}  // namespace coppice
