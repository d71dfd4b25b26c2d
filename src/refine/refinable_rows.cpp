#include "refine/refinable_rows.h"

#include <algorithm>
#include <variant>

#include "base/portable_math.h"

namespace coppice {
namespace {

OutputBlock picked(const OutputBlock& block, std::span<const std::uint32_t> rows) {
  OutputBlock part(block.rows == 0 ? 0 : rows.size(), std::max<std::size_t>(1, block.outputs));
  for (std::size_t row = 0; row < part.rows; ++row)
    std::copy_n(block.row(rows[row]), block.stride, part.row(row));
  return part;
}

double logistic_loss(std::span<const float> scores, std::uint32_t label) {
  const double most = double{*std::max_element(scores.begin(), scores.end())};
  double sum = 0;
  for (const float score : scores) sum += portable_exp(double{score} - most);
  return most + portable_log(sum) - double{scores[label]};
}

// Of Crammer and Singer.
double hinge_loss(std::span<const float> scores, std::uint32_t label) {
  double loss = 0;
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (k != label) loss = std::max(loss, 1 + double{scores[k]} - double{scores[label]});
  return loss;
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

RowErrors RefinableRows::errors(const OutputBlock& w, const RefinementScale& scale,
                                const RefinementLoss& loss, std::size_t workers) const {
  OutputBlock predicted(matrix->rows(), outputs());
  matrix->predict(w, predicted, workers);
  const bool logistic = std::holds_alternative<LogisticLoss>(loss);
  RowErrors sums;
  double total = 0;
  for (std::size_t row = 0; row < predicted.rows; ++row) {
    const double weight = double{matrix->weight(row)};
    const RowErrors of_row = errors_of_row(row, predicted.row(row), scale, logistic);
    sums.error += weight * of_row.error;
    sums.loss += weight * of_row.loss;
    total += weight;
  }
  return total > 0 ? RowErrors{sums.error / total, sums.loss / total} : RowErrors{};
}

RowErrors RefinableRows::errors_of_row(std::size_t row, float* answer, const RefinementScale& scale,
                                       bool logistic) const {
  if (!labels.empty()) {
    for (std::size_t k = 0; offset.rows > 0 && k < classes; ++k) answer[k] += offset.row(row)[k];
    const std::span<const float> scores(answer, classes);
    const bool wrong = std::max_element(answer, answer + classes) - answer != labels[row];
    return {wrong ? 1.0 : 0.0,
            logistic ? logistic_loss(scores, labels[row]) : hinge_loss(scores, labels[row])};
  }
  double square = 0;
  for (std::size_t k = 0; k < targets.outputs; ++k) {
    const double distance = (double{targets.row(row)[k]} - double{answer[k]}) * scale.deviation[k];
    square += distance * distance / static_cast<double>(targets.outputs);
  }
  return {square, square};
}

}  // namespace coppice
