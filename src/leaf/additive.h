// A correction on top of what the leaf's ancestor said: [ value_1 .. value_q | var_1 .. var_q ].
// The sum along the path is folded into the leaf, so that a model is as small and as fast as any.
#pragma once

#include <span>
#include <vector>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"
#include "leaf/target_scale.h"

namespace coppice {

enum class Correction {
  mean,    // of what the splits learn
  median,  // of the residuals
  huber,   // median + mean of what is left, cut off at delta (Friedman 2001, algorithm 4)
};

struct AdditiveRule {
  Correction correction = Correction::mean;
  double delta = 0;           // huber, as the residuals are scaled
  double first_rate = 1;      // share of the correction of a node that inherits nothing
  double rate = 1;            // of all others
  bool trees_add_up = false;  // the first tree alone holds the centre of the targets
};

// What leaves are fitted to; changes from stage to stage.
struct AdditiveTargets {
  const FixedPointTargets& pseudo;     // what the splits learn
  const FixedPointTargets& residuals;  // may be the same
};

class AdditiveLeaf final : public LeafModel {
 public:
  // Borrows everything. The variance is that of the residuals about the whole correction.
  AdditiveLeaf(AdditiveTargets targets, const FixedPointWeights& weights, AdditiveRule rule,
               const TargetScale& scale)
      : targets_(targets), weights_(weights), rule_(rule), scale_(scale) {}

  std::size_t payload_size() const override { return 2 * votes_size(); }
  std::size_t votes_size() const override { return targets_.residuals.outputs(); }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;
  // From scaled targets to those of the data.
  void finish(std::size_t tree, std::span<float> payload) const override;

 private:
  double mean(const NodeSamples&, std::size_t output, double total) const;
  double median(const NodeSamples&, std::size_t output) const;
  double clipped_mean(const NodeSamples&, std::size_t output, double middle, double total) const;
  double correction(const NodeSamples&, std::size_t output, double total) const;
  double weight_of(const NodeSamples& leaf, SampleId row) const {
    return static_cast<double>(std::uint64_t{weights_.units[row]} * leaf.draws[row]);
  }
  double residual(SampleId row, std::size_t output) const {
    const FixedPointTargets& residuals = targets_.residuals;
    return residuals.centre(output) +
           static_cast<double>(residuals.value(row, output)) * residuals.unit(output);
  }

  AdditiveTargets targets_;
  const FixedPointWeights& weights_;
  AdditiveRule rule_;
  const TargetScale& scale_;
};

}  // namespace coppice
