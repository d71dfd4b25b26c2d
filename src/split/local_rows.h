// A copy of all that is needed of a node's rows; in it, the rows go by the names 0, 1, 2 ...
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "split/local_codes.h"

namespace coppice {

template <Objective O>
struct LocalRows {
  std::vector<SampleId> rows;           // in the columns
  std::vector<SampleId> outer;          // as they were called before
  std::vector<typename O::Item> items;  // per row, and perhaps more
  std::vector<std::uint32_t> draws;     // likewise
  LocalCodes codes;

  void rename(std::span<SampleId> node) {
    outer.assign(node.begin(), node.end());
    std::iota(node.begin(), node.end(), 0u);
  }
  void name_back(std::span<SampleId> node) const {
    for (SampleId& row : node) row = outer[row];
  }
};

}  // namespace coppice
