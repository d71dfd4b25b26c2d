// Draws from a Gaussian cut off at the borders of a cell.
#pragma once

#include <span>

#include "base/random_stream.h"
#include "density/cells.h"

namespace coppice {

// Writes the features of the Gaussian into the row, whose others are known. By rejection; where
// that hits too rarely, a box is walked by Gibbs steps from the point of it that is nearest to the
// mean. A cell that is no box, or empty, and is never hit gives its last draw.
void draw_truncated(const TreeCells&, std::size_t node, const PartialGaussian&, RandomStream&,
                    std::span<float> row);

}  // namespace coppice
