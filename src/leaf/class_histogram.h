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
  // Pure leaves have the payload of their class, unless there is a prior.
  std::size_t stock_size() const override { return prior_ == 0 ? classes_ : 0; }
  std::optional<Stocked> stocked(const NodeSamples&) const override;
  void count(const NodeSamples& leaf, std::span<std::uint32_t> counts) const override;
  double prior_count() const override { return prior_ / weights_.unit; }

 private:
  std::uint64_t units(const NodeSamples& leaf, SampleId row) const {
    return std::uint64_t{weights_.units[row]} * leaf.draws[row];
  }
  float support_of(std::uint64_t total) const {
    return static_cast<float>(static_cast<double>(total) * weights_.unit);
  }
  // Returns the weight of all samples.
  std::uint64_t write_shares(const NodeSamples&, std::span<float> payload) const;

  std::span<const std::uint32_t> labels_;
  std::size_t classes_;
  const FixedPointWeights& weights_;
  double prior_;
};

}  // namespace coppice
