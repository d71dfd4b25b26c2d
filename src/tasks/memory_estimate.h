// How training keeps within the memory that it is allowed. Never changes the result.
#pragma once

#include <cstddef>

#include "coppice/fit.h"

namespace coppice {

struct MemoryPlan {
  std::size_t workers = 1;  // each grows a tree
  bool row_tables = false;  // see RowTable
  MemoryEstimate estimate = {};
};
// Throws Error(invalid_option) if the context's memory cannot suffice.
MemoryPlan plan_memory(const DatasetView&, const FitOptions&, const RunContext&);

bool needs_leaf_ids(const FitOptions&);

// The bytes of the table that small nodes are searched in, 0 if none would pay: the values where
// thresholds are random; else codes, if nodes draw so few of the features that no copy of their
// rows would be used (see CopyingRule).
std::size_t row_table_bytes(const FitOptions&, std::size_t rows, std::size_t features);

}  // namespace coppice
