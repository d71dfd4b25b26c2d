// The samples of a node, as growing hands them to objectives and leaf models.
#pragma once

#include <cstdint>
#include <span>

#include "data/coded_columns.h"

namespace coppice {

struct NodeSamples {
  std::span<const SampleId> rows;        // ascending
  const std::uint16_t* draws = nullptr;  // by row of the data: how often the tree drew it
};

}  // namespace coppice
