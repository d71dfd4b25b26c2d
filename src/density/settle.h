// From grown trees to a density: the Gaussians of leaves, their masses in their cells and their
// weights, with as many levels and trees as out-of-bag rows are in favour of.
#pragma once

#include <cstdint>
#include <span>

#include "coppice/dataset.h"
#include "coppice/fit.h"
#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

struct SettlingRule {
  Density density;
  bool choose_depth = true;  // else trees stay as deep as they are
  std::uint64_t seed = 1;
  // Per row 1 if it was completed, so that out-of-bag estimates leave it out; empty: none was.
  std::span<const std::uint8_t> incomplete = {};
};

struct SettledDensity {
  Forest forest;
  LeafIds leaf_ids;  // in the new forest; empty if there were none
  DensityReport report;
};

// REQUIRES: a forest with leaves as CovarianceLeaf writes them. Without leaf ids nothing is chosen.
SettledDensity settle_density(const Forest& grown, LeafIds, const DatasetView&, const SettlingRule&,
                              const RunContext&);

}  // namespace coppice
