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

// Fits payloads to any numbers.
class LinearFit {
 public:
  // Copies the numeric columns.
  LinearFit(const DatasetView& data, std::size_t outputs, const LinearLeafRule& rule);

  const PayloadLayout& layout() const { return layout_; }
  const NumericTable& table() const { return table_; }

  // value_of(i, k) + centres[k] is what output k of the leaf's row i is to be.
  template <class ValueOf>
  void fit(const LeafRows& leaf, std::span<const double> centres, ValueOf&& value_of,
           std::span<float> payload) const {
    Workspace& work = workspace();
    work.targets.clear();
    for (std::size_t k = 0; k < centres.size(); ++k)
      for (std::size_t i = 0; i < leaf.rows.size(); ++i) work.targets.push_back(value_of(i, k));
    fit(leaf, centres, work, payload);
  }

 private:
  // What a worker uses again from leaf to leaf.
  struct Workspace {
    LeafTerms terms;  // in the end those of the leaf
    TermMatrix matrix;
    ForwardLeastSquares squares;
    std::vector<double> targets;  // one column after the other
  };
  static Workspace& workspace();

  void fit(const LeafRows&, std::span<const double> centres, Workspace&,
           std::span<float> payload) const;
  void select(const LeafRows&, Workspace&) const;
  void take_all(const LeafRows&, Workspace&) const;
  void write(const LeafRows&, const Workspace&, std::span<float> payload) const;

  NumericTable table_;
  LinearLeafRule rule_;
  PayloadLayout layout_;
};

class LinearLeafModel final : public LeafModel {
 public:
  // Borrows targets and weights.
  LinearLeafModel(const DatasetView& data, const FixedPointTargets& targets,
                  const FixedPointWeights& weights, const LinearLeafRule& rule);

  std::size_t payload_size() const override { return fit_.layout().size(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;

 private:
  LinearFit fit_;
  const FixedPointTargets& targets_;
  const FixedPointWeights& weights_;
  std::vector<double> centres_;
};

}  // namespace coppice
