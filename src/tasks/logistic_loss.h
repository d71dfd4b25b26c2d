// Newton boosting of classes: -log p(true class), p the softmax of scores that add up over trees.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/fixed_point.h"
#include "grow/forest_trainer.h"
#include "leaf/leaf_model.h"
#include "leaf/newton.h"
#include "tasks/working_weights.h"

namespace coppice {

class LogisticTargets final : public Loss {
 public:
  struct Rule {
    double rate = 0.1, ridge = 1;
  };
  // Borrows labels and weights; `shares` of the classes are where the scores begin.
  LogisticTargets(std::span<const std::uint32_t> labels, std::span<const double> shares, Rule,
                  const FixedPointWeights& weights, WorkingWeights&);

  // The next tree learns (y_k - p_k) / h with the weight h = 1 - sum p_k^2, the trace of the second
  // derivative: a split is worth sum over classes of (sum gradient)^2 / sum h.
  double retarget(const Votes&, std::size_t workers) override;

  // What splits learn: one output if there are two classes. The place stays the same.
  const FixedPointTargets& pseudo() const { return pseudo_; }
  std::unique_ptr<LeafModel> leaf_model() const;
  // rows x classes, of the forest as it stands; the shares of the classes before the first stage.
  const std::vector<float>& probabilities() const { return probabilities_; }

 private:
  std::size_t outputs() const { return first_.size() == 2 ? 1 : first_.size(); }
  std::vector<double> row_curvatures() const;

  std::span<const std::uint32_t> labels_;
  std::vector<float> first_;  // scores before the first tree
  Rule rule_;
  const FixedPointWeights& weights_;
  WorkingWeights& working_;
  std::vector<float> probabilities_;  // rows x classes
  FixedPointTargets pseudo_;
};

}  // namespace coppice
