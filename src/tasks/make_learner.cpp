#include "tasks/make_learner.h"

#include <algorithm>
#include <bit>

#include "split/axis_aligned.h"
#include "split/direction_learner.h"
#include "split/mixed_learner.h"
#include "split/random_projections.h"

namespace coppice {
namespace {

// ceil(log2(n) + 1)
std::size_t features_of_directions(std::size_t features) {
  return 1 + static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(1, features) - 1));
}

class LearnerMaker {
 public:
  LearnerMaker(const SplitOptions& options, const LearnerSources& sources, std::size_t candidates)
      : options_(options), sources_(sources), candidates_(candidates) {}

  std::unique_ptr<WeakLearner> make(WeakLearnerKind kind) const {
    switch (kind) {
      case WeakLearnerKind::axis:
        if (options_.two_sided) return random(DrawSingle{});
        return std::make_unique<AxisAligned>(urn(), candidates_);
      case WeakLearnerKind::difference:
        return random(DrawDifference{});
      case WeakLearnerKind::oblique:
        return random(DrawOblique{options_.projected_features.value_or(3), options_.coefficients});
      case WeakLearnerKind::conic:
        return random(DrawConic{options_.projected_features.value_or(2), options_.coefficients});
      case WeakLearnerKind::principal:
        return directions(Directions::principal);
      case WeakLearnerKind::canonical:
        return directions(Directions::canonical);
    }
    return nullptr;
  }

 private:
  FeatureUrn urn() const { return FeatureUrn(sources_.features, sources_.feature_weights); }
  TermSource source() const { return {sources_.columns, sources_.scales, urn()}; }

  template <class Draw>
  std::unique_ptr<WeakLearner> random(Draw draw) const {
    return std::make_unique<RandomProjections<Draw>>(source(), candidates_, draw);
  }
  std::unique_ptr<WeakLearner> directions(Directions which) const {
    const std::size_t features =
        options_.projected_features.value_or(features_of_directions(sources_.features.size()));
    return std::make_unique<DirectionLearner>(source(), sources_.columns, sources_.scales,
                                              sources_.data, which, features, candidates_);
  }

  const SplitOptions& options_;
  const LearnerSources& sources_;
  std::size_t candidates_;
};

}  // namespace

bool uses_projections(const SplitOptions& options) {
  return options.two_sided ||
         std::any_of(options.learners.begin(), options.learners.end(),
                     [](const LearnerShare& one) { return one.kind != WeakLearnerKind::axis; });
}

std::unique_ptr<WeakLearner> make_learner(const SplitOptions& options,
                                          const LearnerSources& sources, std::size_t candidates) {
  const LearnerMaker maker(options, sources, candidates);
  if (options.learners.empty()) return maker.make(WeakLearnerKind::axis);
  if (options.learners.size() == 1) return maker.make(options.learners.front().kind);
  std::vector<MixedLearner::Part> parts;
  for (const LearnerShare& one : options.learners)
    parts.push_back({maker.make(one.kind), one.share});
  return std::make_unique<MixedLearner>(std::move(parts), candidates);
}

}  // namespace coppice
