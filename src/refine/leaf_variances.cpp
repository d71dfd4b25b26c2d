#include "refine/leaf_variances.h"

#include "refine/block_algebra.h"

namespace coppice {

OutputBlock leaf_variances(const RefinableRows& rows, const OutputBlock& w, std::size_t workers) {
  OutputBlock squares(rows.matrix->rows(), w.outputs);
  rows.matrix->predict(w, squares, workers);
  const std::vector<double> sums =
      sum_rows(squares.rows, squares.stride + 1, workers, [&](std::size_t row, double* sum) {
        const float weight = rows.matrix->weight(row);
        for (std::size_t k = 0; k < w.outputs; ++k) {
          const float distance = rows.targets.row(row)[k] - squares.row(row)[k];
          squares.row(row)[k] = weight * distance * distance;
          sum[k] += double{squares.row(row)[k]};
        }
        sum[squares.stride] += double{weight};
      });
  const ConstantLeaves& leaves = rows.constant();
  OutputBlock variances(leaves.unknowns(), w.outputs);
  leaves.collect(squares, variances, workers);
  for (std::size_t leaf = 0; leaf < variances.rows; ++leaf)
    for (std::size_t k = 0; k < w.outputs; ++k) {
      const double weight = leaves.leaf_weights()[leaf];
      float& variance = variances.row(leaf)[k];
      variance = static_cast<float>(weight > 0 ? double{variance} / weight
                                               : sums[k] / sums[squares.stride]);
    }
  return variances;
}

}  // namespace coppice
