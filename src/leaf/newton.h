// A score per class: Newton's step for the multinomial logistic loss over the leaf's samples, one
// class at a time (Friedman 2001, algorithm 6, with a ridge).
#pragma once

#include <span>
#include <vector>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

struct NewtonRule {
  double rate = 0.1;
  double ridge = 1;               // added to the second derivative
  std::vector<float> first = {};  // scores that the first tree alone holds
};

class NewtonLeaf final : public LeafModel {
 public:
  // Borrows everything: labels, the present probabilities (rows x classes) and the weights.
  NewtonLeaf(std::span<const std::uint32_t> labels, const std::vector<float>& probabilities,
             const FixedPointWeights& weights, NewtonRule rule)
      : labels_(labels), probabilities_(probabilities), weights_(weights), rule_(std::move(rule)) {}

  std::size_t payload_size() const override { return probabilities_.size() / labels_.size(); }
  // score_k = what was inherited + rate (K - 1) / K  sum w (y_k - p_k) / (sum w p_k (1 - p_k) +
  // ridge)
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;
  void finish(std::size_t tree, std::span<float> payload) const override;

 private:
  std::span<const std::uint32_t> labels_;
  const std::vector<float>& probabilities_;
  const FixedPointWeights& weights_;
  NewtonRule rule_;
};

}  // namespace coppice
