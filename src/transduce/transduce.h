// From trees that a few labels and the density of all rows have grown to an ordinary forest: every
// row takes over the label at the end of the shortest path (Criminisi et al. 2012, section 7.3),
// and leaves whose rows none leads to those of the nearest leaf; counting them is the induction of
// section 7.4.
#pragma once

#include <cstddef>

#include "coppice/dataset.h"
#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"
#include "data/fixed_point.h"

namespace coppice {

struct TransductionRule {
  const FixedPointTargets& space;  // coordinates of the rows
  std::size_t neighbours;          // see leaf_graph()
};

// The same trees with shares of classes (payload kind class_histogram), or means and variances of
// targets (mean_variance), in their leaves. Rows without a label have kNoLabel, or NaN in a target.
// REQUIRES: a labelled row of positive weight; leaf ids of all rows.
Forest transduced(const Forest& grown, const LeafIds&, const DatasetView&, const TransductionRule&,
                  std::size_t workers);

// Whether classes, or all targets, of a row are known.
bool is_labelled(const DatasetView&, std::size_t row);

}  // namespace coppice
