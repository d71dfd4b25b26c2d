// Metrics as weighted sums over rows. The confusion matrix counts rows; all else is weighted.
#include "coppice/metrics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/portable_math.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr double kLeastProbability = 1e-15;

double weight_of(std::span<const float> weights, std::size_t row) {
  return weights.empty() ? 1.0 : static_cast<double>(weights[row]);
}

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

// The sum of the weights.
double check(const Predictions& predictions, std::size_t truths, std::span<const float> weights) {
  const std::size_t rows = predictions.rows;
  if (rows == 0) throw Error(ErrorKind::invalid_data, "metrics: there are no rows to evaluate");
  if (truths != rows || (!weights.empty() && weights.size() != rows)) {
    throw Error(ErrorKind::invalid_data, "metrics: " + std::to_string(rows) + " predictions but " +
                                             std::to_string(truths) + " true values and " +
                                             std::to_string(weights.size()) + " weights");
  }
  double total = 0;
  for (std::size_t row = 0; row < rows; ++row) total += weight_of(weights, row);
  if (!(total > 0)) {
    throw Error(ErrorKind::invalid_data, "metrics: all weights are 0; nothing can be evaluated");
  }
  return total;
}

void check_labels(std::span<const std::uint32_t> labels, std::size_t classes) {
  const auto unknown = std::find_if(labels.begin(), labels.end(),
                                    [&](std::uint32_t label) { return label >= classes; });
  if (unknown == labels.end()) return;
  throw Error(ErrorKind::invalid_data, "metrics: the label of row " +
                                           std::to_string(unknown - labels.begin() + 1) +
                                           " is unknown; leave such rows out");
}

double squared_distance_to_one_hot(std::span<const double> probabilities, std::size_t label) {
  double sum = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const double difference = probabilities[k] - (k == label ? 1.0 : 0.0);
    sum += difference * difference;
  }
  return sum;
}

// Precision, recall, F1, accuracy from weights by [truth][prediction].
void add_rates(ClassMetrics& metrics, const std::vector<double>& weight, std::size_t classes) {
  double correct = 0, total = 0, recalls = 0, occurring = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    double truly = 0, predicted = 0;
    for (std::size_t other = 0; other < classes; ++other) {
      truly += weight[k * classes + other];
      predicted += weight[other * classes + k];
    }
    const double hit = weight[k * classes + k];
    metrics.precision.push_back(ratio(hit, predicted));
    metrics.recall.push_back(ratio(hit, truly));
    metrics.f1.push_back(ratio(2 * hit, truly + predicted));
    correct += hit;
    total += truly;
    recalls += metrics.recall.back();
    occurring += truly > 0 ? 1 : 0;
  }
  metrics.accuracy = correct / total;
  metrics.error = (total - correct) / total;
  metrics.balanced_accuracy = recalls / occurring;
}

struct TargetSums {
  double weighted_target = 0;
  double squared_error = 0;
  double absolute_error = 0;
  double squared_deviation = 0;  // of the target from its mean
};

TargetSums sums_of(const Predictions& predictions, std::span<const double> targets,
                   std::span<const float> weights, std::size_t output) {
  TargetSums sums;
  double total = 0;
  const std::size_t outputs = predictions.outputs;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const double weight = weight_of(weights, row);
    const double truth = targets[row * outputs + output];
    const double difference = predictions.mean[row * outputs + output] - truth;
    total += weight;
    sums.weighted_target += weight * truth;
    sums.squared_error += weight * difference * difference;
    sums.absolute_error += weight * std::abs(difference);
  }
  const double mean = sums.weighted_target / total;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const double deviation = targets[row * outputs + output] - mean;
    sums.squared_deviation += weight_of(weights, row) * deviation * deviation;
  }
  return sums;
}

// 1 - squared error / squared deviation; of a constant target 1 if it is met exactly, else 0.
double r2_of(double squared_error, double squared_deviation) {
  if (squared_deviation > 0) return 1 - squared_error / squared_deviation;
  return squared_error > 0 ? 0 : 1;
}

}  // namespace

ClassMetrics class_metrics(const Predictions& predictions, std::span<const std::uint32_t> labels,
                           std::span<const float> weights) {
  const double total = check(predictions, labels.size(), weights);
  const std::size_t classes = predictions.outputs;
  check_labels(labels, classes);
  ClassMetrics metrics;
  metrics.confusion.assign(classes * classes, 0);
  std::vector<double> weight_of_pair(classes * classes);
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const double weight = weight_of(weights, row);
    const std::size_t pair = labels[row] * classes + predictions.labels[row];
    ++metrics.confusion[pair];
    weight_of_pair[pair] += weight;
    const auto probabilities = std::span(predictions.mean).subspan(row * classes, classes);
    metrics.log_loss -=
        weight * portable_log(std::max(probabilities[labels[row]], kLeastProbability));
    metrics.brier += weight * squared_distance_to_one_hot(probabilities, labels[row]);
  }
  metrics.log_loss /= total;
  metrics.brier /= total;
  add_rates(metrics, weight_of_pair, classes);
  return metrics;
}

RegressionMetrics regression_metrics(const Predictions& predictions,
                                     std::span<const double> targets,
                                     std::span<const float> weights) {
  const std::size_t outputs = predictions.outputs;
  const double total =
      check(predictions, targets.size() / std::max<std::size_t>(outputs, 1), weights);
  RegressionMetrics metrics;
  TargetSums all;
  for (std::size_t output = 0; output < outputs; ++output) {
    const TargetSums sums = sums_of(predictions, targets, weights, output);
    metrics.rmse_per_target.push_back(std::sqrt(sums.squared_error / total));
    metrics.r2_per_target.push_back(r2_of(sums.squared_error, sums.squared_deviation));
    all.squared_error += sums.squared_error;
    all.absolute_error += sums.absolute_error;
    all.squared_deviation += sums.squared_deviation;
  }
  const double values = total * static_cast<double>(outputs);
  metrics.rmse = std::sqrt(all.squared_error / values);
  metrics.mae = all.absolute_error / values;
  metrics.r2 = r2_of(all.squared_error, all.squared_deviation);
  return metrics;
}

double entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities)
    if (p > 0) sum -= p * portable_log(p);
  return sum;
}

}  // namespace coppice
