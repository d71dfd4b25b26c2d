// From what the user chose to the weak learner that deals the candidates of a node.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"
#include "data/coded_columns.h"
#include "data/feature_scales.h"
#include "split/draw_boxes.h"
#include "split/weak_learner.h"

namespace coppice {

// Whether any of the learners makes sums of features.
bool uses_projections(const SplitOptions&);
bool uses(const SplitOptions&, WeakLearnerKind);
// How so many features lie; none if they fill neither rows of the width given nor a square.
std::optional<FeatureGrid> feature_grid(const SplitOptions&, std::size_t features);
// Of the projection of a split at most; 0 where splits have none.
std::size_t most_terms(const SplitOptions&, std::size_t features);

// What learners are made from; borrowed.
struct LearnerSources {
  const CodedColumns& columns;
  const FeatureScales& scales;  // needed by projections only
  const DatasetView& data;
  std::vector<std::uint32_t> features;         // that may be proposed
  std::vector<std::uint32_t> feature_weights;  // see FeatureUrn
};

std::unique_ptr<WeakLearner> make_learner(const SplitOptions&, const LearnerSources&,
                                          std::size_t candidates);

}  // namespace coppice
