// Least squares within a leaf: y = mean + sum of coefficient x term. Terms are powers of numeric
// features; categories are no regressors, and a missing value counts as the leaf's mean.
#pragma once

#include <span>

#include "base/payload_layout.h"
#include "coppice/dataset.h"
#include "data/fixed_point.h"
#include "leaf/leaf_model.h"
#include "leaf/leaf_rows.h"
#include "leaf/leaf_terms.h"

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
  // Borrows targets and weights; copies the numeric columns.
  LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                  const FixedPointWeights& weights, const LinearLeafRule& rule);

  std::size_t payload_size() const override { return layout_.size(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  struct Workspace;

  void centre_targets(const LeafRows&, Workspace&, std::span<float> payload) const;
  void select(const LeafRows&, Workspace&) const;
  void take_all(const LeafRows&, Workspace&) const;
  void write(const LeafRows&, const Workspace&, std::span<float> payload) const;

  NumericTable table_;
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
  LinearLeafRule rule_;
  PayloadLayout layout_;
};

}  // namespace coppice
