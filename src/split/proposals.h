// The proposals of a node, one after the other; single features are asked for several at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/lanes.h"
#include "split/weak_learner.h"

namespace coppice {

class Proposals {
 public:
  void clear() { next_ = dealt_ = 0; }

  // As WeakLearner::propose(); at least one and at most so many more will be asked for.
  bool next(WeakLearner& learner, std::size_t most, Projection& proposal) {
    if (next_ == dealt_) {
      next_ = 0;
      dealt_ = learner.propose_features(std::span(features_).first(std::min(most, kLanes)));
      if (dealt_ == 0) return learner.propose(proposal);
    }
    proposal.feature = features_[next_++];
    return true;
  }

 private:
  std::array<std::uint32_t, kLanes> features_;
  std::size_t next_ = 0, dealt_ = 0;
};

}  // namespace coppice
