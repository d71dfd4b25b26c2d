// A weak learner is a distribution over projections: it deals the candidates of a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "split/node_splitter.h"
#include "split/projection.h"

namespace coppice {

// One per worker; it may keep state between begin() and the proposals of a node.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  // How many proposals a node tries; a large one goes on while all of them are constant.
  virtual std::size_t candidates() const = 0;
  // The features that proposals are made of.
  virtual std::vector<std::uint32_t> features() const = 0;
  // Whether it proposes sums of terms. It is then told the rows of a node by their numbers in the
  // data.
  virtual bool projects() const { return false; }
  // Called once per node; `random` is the node's own.
  virtual void begin(std::span<const SampleId> rows, RandomStream random) = 0;
  // Writes the next proposal over the last one, or returns false if there are no more. Called once
  // per candidate.
  virtual bool propose(Projection&) = 0;
  // Several proposals at once, by learners that propose single features: writes one to each place
  // and returns how many there were. Others write none.
  virtual std::size_t propose_features(std::span<std::uint32_t>) { return 0; }
};

}  // namespace coppice
