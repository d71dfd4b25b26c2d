// Which candidates can wait in lanes (CutLanes) to be searched side by side: numbers without
// missing values that get one random threshold each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data/coded_columns.h"
#include "split/search_limits.h"
#include "split/weak_learner.h"

namespace coppice {

class LaneRule {
 public:
  // `possible` if the objective knows candidates by their samples alone.
  LaneRule(const CodedColumns& columns, const WeakLearner& learner, const SearchLimits& limits,
           bool possible) {
    for (std::size_t feature = 0; feature < columns.features(); ++feature) {
      const CodedColumn& column = columns.column(feature);
      suits_.push_back(possible && limits.random_thresholds == 1 &&
                       column.kind == FeatureKind::numeric && !column.has_missing &&
                       !column.binned());
    }
    const std::vector<std::uint32_t> proposed = learner.features();
    suits_all_ = !learner.projects() && std::all_of(proposed.begin(), proposed.end(),
                                                    [&](std::uint32_t f) { return suits(f); });
  }

  bool suits(std::uint32_t feature) const { return suits_[feature] != 0; }
  bool suits_all() const { return suits_all_; }  // that the learner may propose

 private:
  std::vector<std::uint8_t> suits_;  // by feature
  bool suits_all_ = false;
};

}  // namespace coppice
