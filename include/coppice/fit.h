// Training: data and options in, forest and report out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

// What trees say of rows that they were not trained on.
struct OutOfBag {
  std::vector<double> mean;          // rows x outputs: probabilities or means; 0 where never out
  std::vector<double> variance;      // rows x outputs: as Predictions has it; regression only
  std::vector<std::uint32_t> votes;  // per row: trees that had it out of bag
  std::size_t rows_covered = 0;      // rows of positive weight with at least one vote
  double error = 0;                  // misclassified share, or mean squared error, of these rows
};

// How a density forest came to its depth and its number of trees: by the mean log-likelihood of
// rows, per row, under the trees that were not trained on them.
struct DensityReport {
  std::vector<double> log_likelihood_by_depth = {};  // from 0; with all trees
  std::size_t depth = 0;                             // splits above a leaf at most
  std::size_t trees_grown = 0;
  std::optional<double> log_likelihood = {};  // of what was kept
  double mass_error = 0;  // estimated standard error of a leaf's mass at most, relative to it
};

struct FitReport {
  double seconds = 0;
  std::size_t trees = 0, nodes = 0, leaves = 0, max_depth = 0;
  std::optional<OutOfBag> out_of_bag = {};  // if asked for and any row was ever out of bag
  // If calibrated: share of out-of-bag targets within intervals of 90 % that the other half of the
  // rows calibrates.
  std::optional<double> interval_coverage = {};
  // Of methods with a loss: its mean over the rows before each stage, a level or a tree.
  std::vector<double> stage_losses = {};
  std::optional<DensityReport> density = {};
  std::vector<std::string> notes = {};  // sentences: what of the data the model cannot hold
  LeafIds leaf_ids = {};                // if asked for
  bool cancelled = false;               // the forest holds the trees finished by then
};

struct FitResult {
  Forest forest;
  FitReport report;
};

// Throws Error(invalid_option) naming all problems, Error(invalid_data), or Error(cancelled) if no
// tree was finished. The result depends on data, options and seed only.
FitResult fit(const DatasetView&, const FitOptions&, const RunContext& = {});

// Bytes that training will need at its peak beyond the data set itself, and that the model file
// will have at most; with the trees that grow at once so that the context's memory suffices.
struct MemoryEstimate {
  std::size_t training_bytes = 0;
  std::size_t model_bytes = 0;
  std::size_t trees_at_once = 0;
};
// Throws Error(invalid_option) if the context's memory cannot suffice.
MemoryEstimate estimate_memory(const DatasetView&, const FitOptions&, const RunContext& = {});

}  // namespace coppice
