#include <cmath>

#include "coppice/semi_supervised.h"
#include "transduce/transduce.h"

namespace coppice {
namespace {

void complete_class(const Predictions& says, std::size_t row, CompletedLabels& completed) {
  if (completed.given[row]) return;
  completed.labels[row] = says.labels[row];
  completed.confidence[row] = says.mean[row * says.outputs + says.labels[row]];
}

void complete_numbers(const Predictions& says, std::size_t row, CompletedLabels& completed) {
  for (std::size_t n = row * says.outputs; n < (row + 1) * says.outputs; ++n) {
    if (completed.given[row]) continue;
    completed.targets[n] = says.mean[n];
    completed.deviation[n] = std::sqrt(says.variance[n]);
  }
}

}  // namespace

CompletedLabels complete_labels(const Predictor& predictor, const DatasetView& data,
                                const RunContext& context) {
  const bool classes = predicts_classes(predictor.forest().info().payload_kind);
  const Predictions says = predictor.predict(data, context);
  const bool any = !data.labels.empty() || !data.targets.empty();
  CompletedLabels completed;
  completed.given.resize(data.rows, false);
  for (std::size_t row = 0; any && row < data.rows; ++row)
    completed.given[row] = is_labelled(data, row);
  completed.labels.assign(data.labels.begin(), data.labels.end());
  completed.targets.assign(data.targets.begin(), data.targets.end());
  if (classes) {
    completed.labels.resize(data.rows);
    completed.confidence.assign(data.rows, 1);
  } else {
    completed.targets.resize(data.rows * says.outputs);
    completed.deviation.assign(data.rows * says.outputs, 0);
  }
  for (std::size_t row = 0; row < data.rows; ++row)
    classes ? complete_class(says, row, completed) : complete_numbers(says, row, completed);
  return completed;
}

}  // namespace coppice
