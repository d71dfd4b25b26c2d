// Regression in stages: the next stage learns the negative gradient of a loss at what the forest
// says so far (Grabner 2016, equations 2.11 to 2.14).
#pragma once

#include <span>
#include <vector>

#include "coppice/method.h"
#include "data/fixed_point.h"
#include "grow/forest_trainer.h"
#include "leaf/additive_linear.h"
#include "leaf/standard_scale.h"

namespace coppice {

// The loss of a row's residuals y - F, and what the next stage learns of the row. With one output
// these are textbook gradients: sign(r), and r cut off at delta. With several the residuals that
// absolute and Huber loss cut off have the length of them all: sign(r_k) |r| (Schulter et al.,
// ICCV 2013).
double residual_loss(ResidualLoss, double delta, std::span<const double> residuals);
void pseudo_targets(ResidualLoss, double delta, std::span<const double> residuals,
                    std::span<double> pseudo);

class ResidualTargets final : public Loss {
 public:
  struct Rule {
    ResidualLoss loss = ResidualLoss::squared;
    double delta = 0.4;  // of scaled targets
    double first_rate = 1, rate = 1;
    bool trees_add_up = false;
  };
  // Borrows the weights; targets are row-major, rows x outputs.
  ResidualTargets(std::span<const double> targets, std::size_t outputs, Rule,
                  const FixedPointWeights&);

  double retarget(const Votes&, std::size_t workers) override;

  // What splits and leaves learn in the current stage; their places stay the same.
  const FixedPointTargets& pseudo() const { return pseudo_; }
  std::unique_ptr<LeafModel> leaf_model() const;
  std::unique_ptr<LeafModel> leaf_model(const DatasetView&, const LinearLeafRule&) const;

 private:
  // The residuals differ from what the splits learn.
  bool keeps_residuals() const { return rule_.loss != ResidualLoss::squared; }
  const FixedPointTargets& residuals() const { return keeps_residuals() ? residuals_ : pseudo_; }
  AdditiveRule additive_rule() const;

  StandardScale scale_;
  std::vector<double> targets_;  // scaled
  Rule rule_;
  const FixedPointWeights& weights_;
  FixedPointTargets pseudo_, residuals_;
};

}  // namespace coppice
