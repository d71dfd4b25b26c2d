// A weak learner is a distribution over projections: it deals the candidates of a node.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random_stream.h"
#include "split/node_splitter.h"

namespace coppice {

// Maps a sample to the response that a split compares with its threshold: the value of a feature.
struct Projection {
  std::uint32_t feature = 0;
};

// One per worker; it may keep state between begin() and the proposals of a node.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  // How many proposals a node tries; a large one goes on while all of them are constant.
  virtual std::size_t candidates() const = 0;
  // The features that proposals are made of.
  virtual std::vector<std::uint32_t> features() const = 0;
  // Called once per node; `random` is the node's own.
  virtual void begin(RandomStream random) = 0;
  // The next proposal, or nothing if there are no more. Called once per candidate.
  virtual std::optional<Projection> propose() = 0;
};

}  // namespace coppice
