// Least squares within a leaf: y = mean + sum of coefficient x term. Terms are powers of numeric
// features; categories are no regressors, and a missing value counts as the leaf's mean.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "coppice/dataset.h"
#include "data/fixed_point.h"
#include "leaf/leaf_model.h"
#include "leaf/leaf_rows.h"
#include "leaf/regressor_selection.h"

namespace coppice {

struct LinearLeafRule {
  std::size_t regressors = 1;  // terms of the payload
  std::size_t degree = 1;      // highest power
  double ridge = 0;            // added to the diagonal of T' T, terms being standardised
  // Bayesian linear regression: regressors are chosen by entropy, and the payload holds what the
  // predictive variance s^2 (1 + leverage) needs (Einfalt 2014, eq. 3.30).
  bool probabilistic = false;
};

class LinearLeafModel final : public LeafModel {
 public:
  // Borrows columns, targets and weights.
  LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                  const FixedPointWeights& weights, const LinearLeafRule& rule);

  std::size_t payload_size() const override { return layout_.size(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  using Term = std::array<float, LinearTerm::kFloats>;
  struct Solution;

  void append_powers(const LeafRows&, std::size_t feature, std::vector<Term>& terms) const;
  std::vector<Term> selected_terms(const LeafRows&, const CentredColumns& targets) const;
  std::vector<double> values_of(const Term&, std::span<const SampleId> rows) const;
  Solution solve(const LeafRows&) const;
  bool solve_for(const LeafRows&, const CentredColumns& targets, Solution&) const;
  void write(const Solution&, const LeafRows&, std::span<float> payload) const;

  std::vector<std::span<const float>> columns_;
  std::vector<std::size_t> numeric_;  // features that may be regressors
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
  LinearLeafRule rule_;
  PayloadLayout layout_;
};

}  // namespace coppice
