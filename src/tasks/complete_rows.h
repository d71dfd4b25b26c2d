// Densities learn from rows with missing values, too: what is missing is drawn from what a first,
// small forest says of it, given the values of the row that are known.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"

namespace coppice {

struct CompletedRows {
  std::vector<std::vector<float>> columns;  // of those that had missing values; the others empty
  std::vector<std::uint8_t> incomplete;     // per row: 1 if something was drawn
};

// Whether any value is missing.
bool any_missing(const DatasetView&);

// REQUIRES: the options of a density, which problems() accepts for the data. Draws depend on data,
// options and seed only.
CompletedRows complete_rows(const DatasetView&, const FitOptions&, const RunContext&);

// The data with these columns in the place of its own; borrows both.
DatasetView with_columns(DatasetView, const CompletedRows&);

}  // namespace coppice
