// A forest that fits into so many bytes: trees, depth, pruning, refined leaves and the precision of
// what they hold are chosen by their error on validation rows.
#pragma once

#include <cstddef>
#include <vector>

#include "coppice/refine.h"

namespace coppice {

struct CompactOptions {
  std::size_t max_model_bytes = 65536;
  FileForm form = FileForm::compressed;  // of the file that must not be larger
  RefineOptions refine = {};             // by default classes learn with the hinge loss
  MergeOrder order = MergeOrder::least_difference;
  double merged_share = 0.15;  // of the pairs of sibling leaves, per round of pruning
};

// A forest on the way: so many first trees, cut at this depth, then pruned.
struct CompactTrial {
  std::size_t trees = 0, depth = 0;
  PayloadPrecision precision = PayloadPrecision::full;
  std::size_t leaves = 0, bytes = 0;
  // On validation rows, before numbers are rounded: misclassified share, or root of the mean
  // squared error.
  double error = 0;
};

struct CompactResult {
  Forest forest;
  Forest before_rounding;  // the same with numbers of 4 bytes: what rounding costs can be measured
  FileForm form = FileForm::compressed;
  double seconds = 0;
  double error_before = 0;             // of the forest that was given, on validation rows
  std::vector<CompactTrial> tried;     // what each choice of trees and depth ends in
  std::size_t taken = 0;               // of these
  std::vector<CompactTrial> frontier;  // no other is both smaller and better; by size
};

// Throws as prune() does, and Error(invalid_option) if no forest is small enough.
CompactResult compact(const Forest&, const DatasetView&, const CompactOptions&,
                      const RunContext& = {});

}  // namespace coppice
