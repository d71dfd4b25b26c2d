// Embedded rows as discs, and the eigenvalues that an embedding comes from.
#pragma once

#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "draw/axes.h"

namespace coppice {

struct EmbeddingPlot {
  std::span<const double> coordinates;  // row-major
  std::size_t dimensions = 2;           // one is drawn over its order
  // One column: classes or numbers. nullptr: rows are coloured by their first coordinate.
  const Dataset* colours = nullptr;
};
void draw_embedding(const EmbeddingPlot&, Axes&);

// Discs from the smallest to the largest, with a line at the intrinsic dimension.
void draw_eigenvalues(std::span<const double> values, std::size_t intrinsic_dimension, Axes&);

}  // namespace coppice
