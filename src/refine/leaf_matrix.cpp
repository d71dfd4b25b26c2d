#include "refine/leaf_matrix.h"

#include "base/row_sums.h"

namespace coppice {

void LeafMatrix::pass(const OutputBlock& w, OutputBlock& z, const RowChange& change, OutputBlock& g,
                      std::size_t workers) const {
  predict(w, z, workers);
  for_each_chunk(rows(), workers,
                 [&](std::size_t, std::size_t first, std::size_t last) { change(first, last); });
  collect(z, g, workers);
}

}  // namespace coppice
