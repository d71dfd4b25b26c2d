#include "known_rows.h"

#include <fmt/format.h>

#include <cmath>

#include "coppice/error.h"
#include "coppice/metrics.h"
#include "coppice/predict.h"

namespace coppice {

bool truth_known(const Dataset& data, std::size_t row) {
  if (!data.labels.empty()) return data.labels[row] != kNoLabel;
  const std::size_t outputs = data.targets.size() / data.rows;
  for (std::size_t k = 0; k < outputs; ++k) {
    if (std::isnan(data.targets[row * outputs + k])) return false;
  }
  return true;
}

Dataset rows_with_truth(const Dataset& data, const std::string& path) {
  Dataset kept;
  kept.schema = data.schema;
  kept.columns.resize(data.columns.size());
  const std::size_t outputs = data.targets.empty() ? 0 : data.targets.size() / data.rows;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!truth_known(data, row)) continue;
    ++kept.rows;
    for (std::size_t f = 0; f < data.columns.size(); ++f) {
      kept.columns[f].push_back(data.columns[f][row]);
    }
    if (!data.labels.empty()) kept.labels.push_back(data.labels[row]);
    if (!data.weights.empty()) kept.weights.push_back(data.weights[row]);
    for (std::size_t k = 0; k < outputs; ++k) {
      kept.targets.push_back(data.targets[row * outputs + k]);
    }
  }
  if (kept.rows > 0) return kept;
  throw Error(ErrorKind::invalid_data,
              fmt::format("{}: no row has a known value in the target column", path));
}

double error_on(const Forest& forest, const Dataset& rows) {
  const Predictions answers = Predictor(forest).predict(rows.view());
  if (rows.labels.empty()) return regression_metrics(answers, rows.targets).rmse;
  return class_metrics(answers, rows.labels).error;
}

}  // namespace coppice
