// Refinement between levels (IRRF, Grabner 2016, 3.3): what the leaves of all growing trees hold is
// corrected together, as coppice/refine.h does with a finished forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/fixed_point.h"
#include "grow/forest_trainer.h"

namespace coppice {

// Numbers: adds W T to leaves [ value per output | variance per output ], where
//   min_W 1/2 |W|^2 + C sum_i v_i (r_i - sum over trees of W_leaf)^2                     (eq. 3.1)
// and r are the residuals of the mean of T trees. The variance becomes the mean square of what is
// then left of the leaf's residuals.
class ResidualRevision final : public LeafRevision {
 public:
  // Borrows the residuals, which change from stage to stage, and the weights.
  ResidualRevision(const FixedPointTargets& residuals, const FixedPointWeights& weights,
                   double cost)
      : residuals_(residuals), weights_(weights), cost_(cost) {}

  void revise(const StandingLeaves&, std::size_t workers) override;

 private:
  const FixedPointTargets& residuals_;
  const FixedPointWeights& weights_;
  double cost_;
};

// Classes: adds W to the scores of leaves under the logistic loss; trees add up.
class ScoreRevision final : public LeafRevision {
 public:
  // Borrows everything: `probabilities` (rows x classes) are what the forest says before.
  ScoreRevision(std::span<const std::uint32_t> labels, const std::vector<float>& probabilities,
                const FixedPointWeights& weights, double cost)
      : labels_(labels), probabilities_(probabilities), weights_(weights), cost_(cost) {}

  void revise(const StandingLeaves&, std::size_t workers) override;

 private:
  std::span<const std::uint32_t> labels_;
  const std::vector<float>& probabilities_;
  const FixedPointWeights& weights_;
  double cost_;
};

}  // namespace coppice
