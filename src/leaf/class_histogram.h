// The share of each class among the weights of the leaf's samples, to each of which a prior may add
// the same weight: (n_c + a) / (n + K a).
#pragma once

#include <cstdint>
#include <span>

#include "data/fixed_point.h"
#include "leaf/leaf_model.h"

namespace coppice {

class ClassHistogramLeaf final : public CountingLeafModel {
 public:
  ClassHistogramLeaf(std::span<const std::uint32_t> labels, std::size_t classes,
                     const FixedPointWeights& weights, double prior = 0)
      : labels_(labels), classes_(classes), weights_(weights), prior_(prior) {}

  std::size_t payload_size() const override { return classes_; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override;
  void count(const NodeSamples& leaf, std::span<std::uint32_t> counts) const override;
  double prior_count() const override { return prior_ / weights_.unit; }

 private:
  std::uint64_t units(const NodeSamples& leaf, SampleId row) const {
    return std::uint64_t{weights_.units[row]} * leaf.draws[row];
  }
  bool pure(const NodeSamples&) const;
  // Returns the weight of all samples.
  std::uint64_t write_shares(const NodeSamples&, std::span<float> payload) const;

  std::span<const std::uint32_t> labels_;
  std::size_t classes_;
  const FixedPointWeights& weights_;
  double prior_;
};

}  // namespace coppice
