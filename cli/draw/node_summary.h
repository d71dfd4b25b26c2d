// What a leaf would say if the tree ended at a split: the weighted mean of the leaves below it.
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// Per split of one tree, in its order.
struct NodeSummaries {
  std::size_t payload_size = 0;
  std::vector<std::uint32_t> first_leaf;  // the leftmost leaf below, within the tree
  std::vector<std::uint32_t> leaves;      // how many there are
  std::vector<double> support;            // weight of the training samples
  std::vector<double> payload;            // rows of payload_size, as in the leaves

  const double* of(std::size_t split) const { return payload.data() + split * payload_size; }
};

NodeSummaries summarize(const Forest&, std::size_t tree);

}  // namespace coppice
