// A leaf model turns the samples of a leaf into a fixed number of floats: its payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "data/node_samples.h"

namespace coppice {

class CountingLeafModel;

class LeafModel {
 public:
  virtual ~LeafModel() = default;

  virtual std::size_t payload_size() const = 0;
  // The first so many floats of a payload are what a tree says of a row between stages.
  virtual std::size_t votes_size() const { return payload_size(); }

  // Itself, if payloads are shares of whole numbers; else null.
  virtual const CountingLeafModel* counting() const { return nullptr; }

  // Whether a leaf says something else of every row; add_vote() then takes the place of those
  // floats: sums[k] += scale times what the leaf says of the row about output k.
  virtual bool votes_by_row() const { return false; }
  virtual void add_vote(SampleId /*row*/, std::span<const float> /*payload*/, float /*scale*/,
                        std::span<float> /*sums*/) const {}

  // Estimates the payload of one leaf and returns its support, the weight of its samples.
  // `inherited` is the payload of the node that was a leaf here when the stage began; an additive
  // model adds to it, others ignore it. Called once per leaf, by several threads at once.
  virtual float fit(const NodeSamples& leaf, std::span<const float> inherited,
                    std::span<float> payload) const = 0;

  // Asks for what fit() will read of the samples of a small leaf, ahead of time.
  virtual void fetch(const NodeSamples& /*leaf*/) const {}

  // Payloads that many leaves have, whatever they inherit: how many there are, and which one this
  // leaf has, if any, with its support. fit() would say the same.
  struct Stocked {
    std::size_t payload;
    float support;
  };
  virtual std::size_t stock_size() const { return 0; }
  virtual std::optional<Stocked> stocked(const NodeSamples&) const { return std::nullopt; }

  // Turns a payload that has taken part in training into what the model keeps.
  virtual void finish(std::size_t /*tree*/, std::span<float> /*payload*/) const {}
};

// Payloads are shares of one whole, from 0 to 1: of what is counted, and a prior for each output.
class CountingLeafModel : public LeafModel {
 public:
  const CountingLeafModel* counting() const override { return this; }

  // Whole numbers, which those of two children add up to. Writes payload_size() of them, of which
  // the sum is below 2^31.
  virtual void count(const NodeSamples& leaf, std::span<std::uint32_t> counts) const = 0;
  // What is added to each count.
  virtual double prior_count() const = 0;
};

}  // namespace coppice
