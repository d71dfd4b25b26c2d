// Costs, means and payloads, each a sum over samples taken anew.
#include "tests/reference/training_set.h"

#include <algorithm>
#include <cmath>

#include "grow/sampling.h"

namespace coppice::reference {
namespace {

constexpr double kNoTarget[] = {0};

std::vector<double> class_weights(const Classification& task, const DatasetView& data) {
  std::vector<double> weights(data.schema->classes.size(), 1);
  std::vector<double> rows(weights.size());
  for (const std::uint32_t label : data.labels) rows[label] += 1;
  double occurring = 0;
  for (const double n : rows) occurring += n > 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (std::holds_alternative<BalancedClassWeights>(task.class_weights) && rows[c] > 0)
      weights[c] = static_cast<double>(data.rows) / (occurring * rows[c]);
    if (const auto* given = std::get_if<GivenClassWeights>(&task.class_weights))
      for (const auto& [name, weight] : given->weights)
        if (name == data.schema->classes[c]) weights[c] = weight;
  }
  return weights;
}

FixedPointWeights training_weights(const DatasetView& data, const FitOptions& options) {
  std::vector<double> weights;
  std::size_t eligible = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    double weight = data.weights.empty() ? 1 : data.weights[row];
    if (const auto* task = std::get_if<Classification>(&options.task))
      weight *= class_weights(*task, data)[data.labels[row]];
    weights.push_back(weight);
    eligible += weight > 0;
  }
  return fixed_point_weights(weights, samples_drawn(options.sampling, eligible));
}

// round(x log2 x * 2^22): entropies are whole numbers of this unit.
std::int64_t rounded_xlogx(std::int64_t x) {
  if (x == 0) return 0;
  const auto value = static_cast<long double>(x);
  return std::llroundl(value * std::log2(value) * (1 << 22));
}

double gini(const std::vector<std::int64_t>& counts) {
  std::int64_t total = 0, squares = 0;
  for (const std::int64_t n : counts) total += n, squares += n * n;
  return static_cast<double>(total) - static_cast<double>(squares) / static_cast<double>(total);
}

double entropy(const std::vector<std::int64_t>& counts) {
  std::int64_t total = 0, terms = 0;
  for (const std::int64_t n : counts) total += n, terms += rounded_xlogx(n);
  return static_cast<double>(rounded_xlogx(total) - terms) / (1 << 22);
}

}  // namespace

std::uint32_t count(const Samples& samples) {
  std::uint32_t sum = 0;
  for (const Drawn& sample : samples) sum += sample.times;
  return sum;
}

TrainingSet::TrainingSet(const DatasetView& data, const FitOptions& options)
    : data_(data),
      options_(options),
      weights_(training_weights(data, options)),
      targets_(data.targets.empty() ? std::span(kNoTarget) : data.targets,
               std::max<std::size_t>(1, data.targets.size() / data.rows), weights_.most_total) {}

std::size_t TrainingSet::candidates() const {
  const std::size_t all = data_.columns.size();
  std::size_t chosen = classes() ? static_cast<std::size_t>(std::sqrt(all)) : all / 3;
  const FeatureChoice& choice = options_.split.max_features;
  if (std::holds_alternative<AllFeatures>(choice)) chosen = all;
  if (std::holds_alternative<SqrtFeatures>(choice))
    chosen = static_cast<std::size_t>(std::sqrt(all));
  if (std::holds_alternative<Log2Features>(choice))
    chosen = static_cast<std::size_t>(std::log2(all));
  if (const auto* share = std::get_if<FeatureFraction>(&choice))
    chosen = static_cast<std::size_t>(share->fraction * static_cast<double>(all));
  if (const auto* number = std::get_if<FeatureCount>(&choice)) chosen = number->count;
  return std::clamp<std::size_t>(chosen, 1, all);
}

std::uint64_t TrainingSet::weight(const Samples& samples) const {
  std::uint64_t sum = 0;
  for (const Drawn& sample : samples)
    sum += std::uint64_t{weights_.units[sample.row]} * sample.times;
  return sum;
}

bool TrainingSet::alike(const Samples& samples) const {
  for (const Drawn& sample : samples) {
    if (classes() && data_.labels[sample.row] != data_.labels[samples.front().row]) return false;
    for (std::size_t k = 0; !classes() && k < targets_.outputs(); ++k)
      if (targets_.value(sample.row, k) != targets_.value(samples.front().row, k)) return false;
  }
  return true;
}

std::vector<std::int64_t> TrainingSet::class_counts(const Samples& samples) const {
  std::vector<std::int64_t> counts(data_.schema->classes.size());
  for (const Drawn& sample : samples)
    counts[data_.labels[sample.row]] += std::int64_t{weights_.units[sample.row]} * sample.times;
  return counts;
}

std::int64_t TrainingSet::target_sum(const Samples& samples, std::size_t output) const {
  std::int64_t sum = 0;
  for (const Drawn& sample : samples)
    sum += targets_.value(sample.row, output) * weights_.units[sample.row] * sample.times;
  return sum;
}

// Regression: up to the constant sum w y^2, it is - (sum w y)^2 / sum w.
double TrainingSet::cost(const Samples& samples) const {
  if (const auto* task = std::get_if<Classification>(&options_.task))
    return std::holds_alternative<GiniObjective>(task->objective) ? gini(class_counts(samples))
                                                                  : entropy(class_counts(samples));
  double squares = 0;
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    const double sum = static_cast<double>(target_sum(samples, k)) * targets_.unit(k);
    squares += sum * sum;
  }
  return -squares / static_cast<double>(weight(samples));
}

std::vector<double> TrainingSet::mean(const Samples& samples) const {
  std::vector<double> point;
  const auto total = static_cast<double>(weight(samples));
  if (classes()) {
    for (const std::int64_t n : class_counts(samples))
      point.push_back(static_cast<double>(n) / total);
  } else {
    for (std::size_t k = 0; k < targets_.outputs(); ++k)
      point.push_back(static_cast<double>(target_sum(samples, k)) * targets_.unit(k) / total);
  }
  return point;
}

std::vector<float> TrainingSet::payload(const Samples& samples) const {
  const std::vector<double> means = mean(samples);
  if (classes()) return {means.begin(), means.end()};
  std::vector<float> payload(2 * means.size());
  std::vector<double> quantised;  // means in units
  for (std::size_t k = 0; k < means.size(); ++k)
    quantised.push_back(static_cast<double>(target_sum(samples, k)) /
                        static_cast<double>(weight(samples)));
  for (std::size_t k = 0; k < means.size(); ++k) {
    double squares = 0;
    for (const Drawn& sample : samples) {
      const double distance = static_cast<double>(targets_.value(sample.row, k)) - quantised[k];
      squares += distance * distance * weights_.units[sample.row] * sample.times;
    }
    payload[k] = static_cast<float>(targets_.centre(k) + quantised[k] * targets_.unit(k));
    payload[means.size() + k] = static_cast<float>(squares / static_cast<double>(weight(samples)) *
                                                   targets_.squared_unit(k));
  }
  return payload;
}

float TrainingSet::support(const Samples& samples) const {
  return static_cast<float>(static_cast<double>(weight(samples)) * weights_.unit);
}

}  // namespace coppice::reference
