// What the reference trains on: raw values, and weights and targets as whole numbers. Sums are
// exact, so its costs can be compared with those of the library without a tolerance.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"
#include "data/fixed_point.h"

namespace coppice::reference {

// A row that a tree has drawn, and how often.
struct Drawn {
  std::uint32_t row = 0;
  std::uint32_t times = 0;
};
using Samples = std::vector<Drawn>;

class TrainingSet {
 public:
  TrainingSet(const DatasetView&, const FitOptions&);

  const DatasetView& data() const { return data_; }
  const FitOptions& options() const { return options_; }
  const std::vector<std::uint32_t>& weights() const { return weights_.units; }
  std::size_t candidates() const;  // features tried per node

  std::uint64_t weight(const Samples&) const;  // in units
  bool alike(const Samples&) const;            // no two differ in their targets
  double cost(const Samples&) const;
  std::vector<double> mean(const Samples&) const;  // shares of the classes, or targets in units

  std::vector<float> payload(const Samples&) const;
  float support(const Samples&) const;

 private:
  bool classes() const { return !data_.labels.empty(); }
  std::vector<std::int64_t> class_counts(const Samples&) const;
  std::int64_t target_sum(const Samples&, std::size_t output) const;

  DatasetView data_;
  FitOptions options_;
  FixedPointWeights weights_;
  FixedPointTargets targets_;
};

std::uint32_t count(const Samples&);  // a row drawn twice counts twice

}  // namespace coppice::reference
