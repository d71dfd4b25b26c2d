// Several weak learners in one forest: every candidate comes from one of them, by their shares.
#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "split/weak_learner.h"

namespace coppice {

class MixedLearner final : public WeakLearner {
 public:
  struct Part {
    std::unique_ptr<WeakLearner> learner;
    double share;
  };
  // REQUIRES: shares above 0.
  MixedLearner(std::vector<Part> parts, std::size_t candidates)
      : parts_(std::move(parts)), candidates_(candidates) {
    for (const Part& part : parts_) total_ += part.share;
  }

  std::size_t candidates() const override { return candidates_; }
  std::vector<std::uint32_t> features() const override {
    std::set<std::uint32_t> all;
    for (const Part& part : parts_)
      for (const std::uint32_t feature : part.learner->features()) all.insert(feature);
    return {all.begin(), all.end()};
  }
  bool projects() const override { return true; }

  void begin(std::span<const SampleId> rows, RandomStream random) override {
    random_ = random.child(0);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      parts_[p].learner->begin(rows, random.child(1 + p));
  }
  // Where one has nothing left to propose, the next one does.
  bool propose(Projection& projection) override {
    double place = random_.uniform() * total_;
    std::size_t chosen = 0;
    while (chosen + 1 < parts_.size() && place >= parts_[chosen].share)
      place -= parts_[chosen++].share;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      projection.clear();
      if (parts_[(chosen + i) % parts_.size()].learner->propose(projection)) return true;
    }
    return false;
  }

 private:
  std::vector<Part> parts_;
  std::size_t candidates_;
  double total_ = 0;
  RandomStream random_{0};
};

}  // namespace coppice
