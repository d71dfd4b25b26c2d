#include "objective/feature_variance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "split/split_search.h"

template class coppice::SplitSearch<coppice::FeatureVariance>;

namespace coppice {
namespace {

class Table {
 public:
  Table(std::size_t columns, std::span<const std::uint32_t> weights) : weights_(weights) {
    table_.columns = columns;
    table_.values.assign(weights.size() * columns, 0);
  }

  // value(row), scaled to [0, factor] over the rows that have a weight.
  template <class ValueOf>
  void write(std::size_t column, double factor, ValueOf&& value) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      if (weights_[row] == 0 || !std::isfinite(value(row))) continue;
      least = std::min(least, value(row));
      most = std::max(most, value(row));
    }
    if (!(most > least)) return;
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      const double place = std::isfinite(value(row)) ? (value(row) - least) / (most - least) : 0.5;
      table_.values[row * table_.columns + column] = std::clamp(place, 0.0, 1.0) * factor;
    }
  }

  TargetsAndFeatures take() { return std::move(table_); }

 private:
  std::span<const std::uint32_t> weights_;
  TargetsAndFeatures table_;
};

}  // namespace

TargetsAndFeatures targets_and_features(const DatasetView& data,
                                        std::span<const std::uint32_t> weights, double kappa) {
  const std::size_t outputs = data.schema->targets.size();
  std::vector<std::span<const float>> numbers;
  for (std::size_t f = 0; f < data.columns.size(); ++f)
    if (data.schema->features[f].kind == FeatureKind::numeric) numbers.push_back(data.columns[f]);
  Table table(outputs + numbers.size(), weights);
  for (std::size_t k = 0; k < outputs; ++k)
    table.write(k, 1 / std::sqrt(static_cast<double>(outputs)),
                [&](std::size_t row) { return data.targets[row * outputs + k]; });
  const double factor = std::sqrt(kappa / static_cast<double>(numbers.size()));
  for (std::size_t f = 0; f < numbers.size(); ++f)
    table.write(outputs + f, factor, [&](std::size_t row) { return double{numbers[f][row]}; });
  return table.take();
}

}  // namespace coppice
