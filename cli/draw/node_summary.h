// What a leaf would say if the tree ended at a split: the weighted mean of the leaves below it.
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// Per split of one tree, in its order.
struct NodeSummaries {
  std::size_t size = 0;                   // entries per split
  std::vector<std::uint32_t> first_leaf;  // the leftmost leaf below, within the tree
  std::vector<std::uint32_t> leaves;      // how many there are
  std::vector<double> support;            // weight of the training samples
  // Per split the probabilities of the classes; or a mean per target, then a variance per target.
  std::vector<double> entries;

  const double* of(std::size_t split) const { return entries.data() + split * size; }
};

// Classes or targets.
inline std::size_t output_count(const Schema& schema) {
  return schema.classes.empty() ? schema.targets.size() : schema.classes.size();
}

NodeSummaries summarize(const Forest&, std::size_t tree);

}  // namespace coppice
