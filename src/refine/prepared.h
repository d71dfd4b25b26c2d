// What refinement and pruning begin with: checked options, rows with their leaves, validation rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/refine.h"
#include "refine/refinable_rows.h"

namespace coppice {

struct Prepared {
  RefinementLoss loss;  // never DefaultLoss
  RefinableRows rows = {};
  RefinementScale scale;
  std::vector<double> values = {};  // of numbers: what the trees have to add up to, row by row
  std::vector<std::uint32_t> learning, validation;  // rows, ascending
  double mean_weight = 1;                           // of a row that is learnt from
  double error_before = 0;  // of the forest on validation rows, as RefineReport has it
};

// The loss that is meant for a forest of this kind, never DefaultLoss. Throws Error(invalid_option)
// or Error(invalid_data) for what makes no sense, and so does the other one.
RefinementLoss checked_refinement(const ForestInfo&, const DatasetView&, const RefineOptions&);
void check_pruning(const ForestInfo&, const PruneOptions&);

// Throws Error(invalid_option) or Error(invalid_data).
Prepared prepare(const Forest&, const DatasetView&, const RefineOptions&, const RunContext&);

// Of the values of some rows; empty for classes.
RefinementScale scale_of(const Prepared&, std::span<const std::uint32_t> rows);
// Some rows, with targets of this scale: that of the rows learnt from, so that nothing is known of
// the others.
RefinableRows part_of(const Prepared&, std::span<const std::uint32_t> rows, const RefinementScale&);

// From a mean error of RefinableRows to one that is reported: the root of a mean square.
double reported_error(double error, bool classes);
RowErrors reported(const RowErrors&, bool classes);

// The cost given or the best on validation rows, with what the leaves then hold if they learn from
// the learning rows.
struct CostChoice {
  double cost = 0;
  OutputBlock w;
  double error = 0;  // reported; NaN without validation rows
  std::vector<CostTrial> trials;
};
CostChoice choose_cost(const Prepared&, const RefineOptions&, const RunContext&);

// Rows 0 ... rows - 1 dealt out to folds at random; each ascending.
std::vector<std::vector<std::uint32_t>> deal_folds(std::size_t rows, std::size_t folds,
                                                   std::uint64_t seed);
// Of the costs that all folds have tried, with the mean error, or the root of the mean square.
std::vector<CostTrial> mean_trials(std::span<const std::vector<CostTrial>> of_folds, bool classes);
// The least error; of equal ones the first that no later one clearly undercuts in loss. REQUIRES:
// one at least.
CostTrial best_trial(std::span<const CostTrial>);

}  // namespace coppice
