// How much the forest owes to each feature, by three measures.
#pragma once

#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

// The share of each feature in all gains; they add up to 1 (or are all 0). Favours features with
// many distinct values.
std::vector<float> impurity_importance(std::span<const double> gains);

// The mean over trees of how much the error on out-of-bag rows rises when the feature's values are
// permuted among them (Breiman 2001): misclassified share, or mean squared error.
std::vector<float> permutation_importance(const Forest&, const LeafIds&, const DatasetView&,
                                          std::uint64_t seed, const RunContext&);

// The gains that out-of-bag targets confirm (MDI-oob; Li, Wang, Basu, Kumbier, Yu 2019):
//   sum over splits on the feature, over out-of-bag rows i below: (m_child(i) - m_node) . y_i /
//   rows
// with m the in-bag means and y the target or the one-hot label, less its in-bag mean. About 0 for
// pure noise, whatever the number of distinct values.
std::vector<float> unbiased_importance(const Forest&, const LeafIds&, const DatasetView&);

}  // namespace coppice
