#include "refine/refinable_rows.h"

#include <algorithm>

namespace coppice {
namespace {

OutputBlock picked(const OutputBlock& block, std::span<const std::uint32_t> rows) {
  OutputBlock part(block.rows == 0 ? 0 : rows.size(), std::max<std::size_t>(1, block.outputs));
  for (std::size_t row = 0; row < part.rows; ++row)
    std::copy_n(block.row(rows[row]), block.stride, part.row(row));
  return part;
}

}  // namespace

RefinableRows RefinableRows::subset(std::span<const std::uint32_t> rows) const {
  RefinableRows part;
  part.matrix = matrix->subset(rows);
  part.targets = picked(targets, rows);
  part.classes = classes;
  part.offset = picked(offset, rows);
  for (std::size_t n = 0; !labels.empty() && n < rows.size(); ++n)
    part.labels.push_back(labels[rows[n]]);
  return part;
}

double RefinableRows::error(const OutputBlock& w, const RefinementScale& scale,
                            std::size_t workers) const {
  OutputBlock predicted(matrix->rows(), outputs());
  matrix->predict(w, predicted, workers);
  double errors = 0, total = 0;
  for (std::size_t row = 0; row < predicted.rows; ++row) {
    const double weight = double{matrix->weight(row)};
    float* const answer = predicted.row(row);
    double error = 0;
    if (labels.empty()) {
      for (std::size_t k = 0; k < predicted.outputs; ++k) {
        const double distance =
            (double{targets.row(row)[k]} - double{answer[k]}) * scale.deviation[k];
        error += distance * distance / static_cast<double>(predicted.outputs);
      }
    } else {
      for (std::size_t k = 0; offset.rows > 0 && k < classes; ++k) answer[k] += offset.row(row)[k];
      error = std::max_element(answer, answer + classes) - answer != labels[row] ? 1 : 0;
    }
    errors += weight * error;
    total += weight;
  }
  return total > 0 ? errors / total : 0;
}

}  // namespace coppice
