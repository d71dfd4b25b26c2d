// A linear correction on top of the linear function of the leaf's ancestor, both in one payload of
// PayloadKind::linear: the leaf is fitted to what its ancestor says of its rows plus what is left
// of them. Where the ancestor's terms are among the leaf's, the fit of that sum is the sum of the
// fits (least squares project), and a path of any length needs no more terms than one leaf.
#pragma once

#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "data/fixed_point.h"
#include "leaf/additive.h"
#include "leaf/linear.h"

namespace coppice {

class AdditiveLinearLeaf final : public LeafModel {
 public:
  // Borrows residuals, weights and scale. The corrections median and huber are a step of least
  // squares with rows weighted by 1 / |r| and min(1, delta / |r|), |r| over all outputs, which
  // minimises absolute and Huber loss when it is repeated. REQUIRES: trees do not add up.
  AdditiveLinearLeaf(const DatasetView& data, const FixedPointTargets& residuals,
                     const FixedPointWeights& weights, const AdditiveRule& rule,
                     const LinearLeafRule& linear, const StandardScale& scale);

  std::size_t payload_size() const override { return fit_.layout().size(); }
  std::size_t votes_size() const override { return residuals_.outputs(); }
  bool votes_by_row() const override { return true; }
  void add_vote(SampleId row, std::span<const float> payload, float scale,
                std::span<float> sums) const override;
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;
  // From scaled targets to those of the data.
  void finish(std::size_t tree, std::span<float> payload) const override;

 private:
  double residual(SampleId row, std::size_t output) const {
    return residuals_.centre(output) +
           static_cast<double>(residuals_.value(row, output)) * residuals_.unit(output);
  }
  void answer(SampleId row, std::span<const float> payload, std::span<double> answers) const;
  std::vector<double> answers(std::span<const SampleId> rows, std::span<const float> payload) const;
  void weigh_by_residual(LeafRows&) const;
  void write_variances(const LeafRows&, std::span<const double> before, double rate,
                       std::span<float> payload) const;

  LinearFit fit_;
  std::vector<std::size_t> column_of_;  // of the fit's table, by feature
  const FixedPointTargets& residuals_;
  const FixedPointWeights& weights_;
  AdditiveRule rule_;
  const StandardScale& scale_;
};

}  // namespace coppice
