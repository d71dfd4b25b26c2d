#include "tasks/make_learner.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "split/axis_aligned.h"
#include "split/direction_learner.h"
#include "split/draw_boxes.h"
#include "split/mixed_learner.h"
#include "split/random_projections.h"

namespace coppice {
namespace {

// ceil(log2(n) + 1)
std::uint32_t features_of_directions(std::size_t features) {
  return 1 + static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(1, features) - 1));
}

// Columns or rows of a box.
std::uint32_t box_side(const SplitOptions& options, const FeatureGrid& grid) {
  return options.box_side.value_or((std::max(grid.width, grid.height) + 3) / 4);
}

// Features of two boxes.
std::uint32_t boxed_features(const SplitOptions& options, std::size_t features) {
  const auto grid = feature_grid(options, features);
  if (!grid) return 0;
  const std::uint32_t side = box_side(options, *grid);
  return 2 * std::min(side, grid->width) * std::min(side, grid->height);
}

// Features of a projection of this kind.
std::uint32_t projected_features(const SplitOptions& options, WeakLearnerKind kind,
                                 std::size_t features) {
  switch (kind) {
    case WeakLearnerKind::axis:
      return 1;
    case WeakLearnerKind::difference:
      return 2;
    case WeakLearnerKind::oblique:
      return options.projected_features.value_or(3);
    case WeakLearnerKind::conic:
      return options.projected_features.value_or(2);
    case WeakLearnerKind::principal:
    case WeakLearnerKind::canonical:
      return options.projected_features.value_or(features_of_directions(features));
    case WeakLearnerKind::boxes:
      return boxed_features(options, features);
  }
  return 0;
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
        return random(DrawOblique{features_of(kind), options_.coefficients});
      case WeakLearnerKind::conic:
        return random(DrawConic{features_of(kind), options_.coefficients});
      case WeakLearnerKind::principal:
        return directions(Directions::principal, features_of(kind));
      case WeakLearnerKind::canonical:
        return directions(Directions::canonical, features_of(kind));
      case WeakLearnerKind::boxes:
        return random(boxes(feature_grid(options_, sources_.columns.features()).value()));
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
  DrawBoxes boxes(const FeatureGrid& grid) const {
    return {grid, box_side(options_, grid), urn().features()};
  }
  std::uint32_t features_of(WeakLearnerKind kind) const {
    return projected_features(options_, kind, sources_.features.size());
  }
  std::unique_ptr<WeakLearner> directions(Directions which, std::size_t features) const {
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

bool uses(const SplitOptions& options, WeakLearnerKind kind) {
  return std::any_of(options.learners.begin(), options.learners.end(),
                     [kind](const LearnerShare& one) { return one.kind == kind; });
}

std::optional<FeatureGrid> feature_grid(const SplitOptions& options, std::size_t features) {
  const auto count = static_cast<std::uint32_t>(features);
  const std::uint32_t width = options.image_width.value_or(
      static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(features)))));
  if (width == 0 || count % width != 0) return std::nullopt;
  if (!options.image_width && count != width * width) return std::nullopt;
  return FeatureGrid{width, count / width};
}

std::size_t most_terms(const SplitOptions& options, std::size_t features) {
  if (!uses_projections(options)) return 0;
  std::size_t most = 1;
  for (const LearnerShare& one : options.learners) {
    const std::size_t f = projected_features(options, one.kind, features);
    most = std::max(most, one.kind == WeakLearnerKind::conic ? f + f * (f + 1) / 2 : f);
  }
  return most;
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
