// Global refinement: what all leaves of a forest hold is learnt anew together, under one loss; and
// global pruning, which merges leaves that then hardly matter. Trees keep their splits.
//   min_W 1/2 |W|^2 + C sum_i v_i loss(y_i, f_i + sum over trees of W_leaf)    (Grabner 2016, 2.18)
// v are the weights of the rows; f is 0, or what the forest says already (eq. 3.1). This is C / N
// of the paper. doc/refinement.md says when it pays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "coppice/fit.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

// Of targets, which are taken in deviations from their mean: costs mean the same for all data.
struct SquaredLoss {};   // (y - f)^2
struct AbsoluteLoss {    // max(0, |y - f| - epsilon); constant leaves only
  double epsilon = 0.1;  // in deviations
};
// Of classes; leaves then hold scores (PayloadKind::class_scores).
struct LogisticLoss {};  // -log of the probability of the true class
struct HingeLoss {};  // max over classes of (score + 1) less that of the true one (Crammer, Singer)
struct DefaultLoss {};  // squared, or logistic
using RefinementLoss =
    std::variant<DefaultLoss, SquaredLoss, AbsoluteLoss, LogisticLoss, HingeLoss>;

enum class Refinement {
  replace,  // GR (eq. 2.18): what the leaves hold is forgotten
  add,      // AGR (eq. 3.1): W is added to it; leaves of numbers or scores
};

struct RefineOptions {
  Refinement method = Refinement::replace;
  RefinementLoss loss = {};
  std::optional<double> cost = {};  // C; none: the best of 4^-6 ... 4^3 on the validation rows
  // Rows on which costs are compared, while the leaves are learnt from the others; in the end they
  // are learnt from all rows. The estimate is honest only if the trees were not grown on these rows
  // either.
  std::vector<std::uint32_t> validation_rows = {};  // numbers of rows; none: a share at random
  double validation_share = 0.2;                    // 0: none, and the cost must be given, or folds
  // Above 1: costs are compared by cross-validation in so many folds of the other rows, and the
  // validation rows, if any, only estimate the error.
  std::size_t cost_folds = 0;
  bool all_costs = false;  // without a cost: try also those after which errors have grown
  std::uint64_t seed = 1;  // of that share, and of solvers
};

// On validation rows. The loss (for numbers the error) decides between costs of the same error.
struct CostTrial {
  double cost = 0;
  double error = 0;
  double loss = 0;
};

struct RefineReport {
  double seconds = 0;
  double cost = 0;
  double objective = 0;  // of the final solution, summed over targets
  std::size_t iterations = 0;
  bool converged = true;  // false: the loss is so steep that a solver has given up
  std::size_t validation_rows = 0;
  // On validation rows: misclassified share, or root of the mean squared error. NaN without them.
  double error_before = 0, error_after = 0;
  std::vector<CostTrial> trials = {};
};

struct RefineResult {
  Forest forest;
  RefineReport report;
};

// The data has the columns of the forest's schema (see conform()). Throws Error(invalid_option) for
// what makes no sense with this forest, Error(invalid_data), or Error(cancelled). Facts of the
// forest that are no longer true (out-of-bag error, calibration) are removed. The result depends on
// forest, data and options only.
RefineResult refine(const Forest&, const DatasetView&, const RefineOptions& = {},
                    const RunContext& = {});

// fit(), then refine() on the same rows. Without a cost it is chosen honestly: with a forest of the
// same options that is grown without the validation rows.
struct RefinedFit {
  FitResult fit;  // the refined forest; the report is about the forest before
  RefineReport refinement;
};
RefinedFit fit_and_refine(const DatasetView&, const FitOptions&, const RefineOptions&,
                          const RunContext& = {});

// --- Pruning -------------------------------------------------------------------------------------

// Which pairs of sibling leaves are merged first.
enum class MergeOrder {
  least,             // the least sum of squared norms of both (Ren et al., CVPR 2015)
  most,              // the largest
  random,            // any
  least_difference,  // the least squared norm of the difference
};

struct PruneOptions {
  RefineOptions refine = {};
  MergeOrder order = MergeOrder::least;
  double merged_share = 0.1;  // of the pairs of sibling leaves, per round
  std::size_t most_rounds = 1000;
  // Without either: prunes on while the validation error is near its best, and takes the best; of
  // several the smallest whose loss is not above that of the largest.
  std::optional<std::size_t> max_model_bytes = {};  // the first forest that is no larger
  // How the model will be stored, which decides its bytes. The forest keeps its full precision.
  PayloadPrecision precision = PayloadPrecision::full;
  FileForm form = FileForm::mapped;
  std::optional<double> tolerance = {};  // the smallest forest whose error is at most this share
                                         // above the best
};

struct PruneStep {
  std::size_t leaves = 0;
  std::size_t model_bytes = 0;  // measured now and then, in between by the number of leaves
  double error = 0;             // on validation rows, as in RefineReport
  double loss = 0;              // there, as in CostTrial
};

struct PruneResult {
  Forest forest;
  RefineReport report;           // of the forest that was taken
  std::vector<PruneStep> steps;  // the first is the refined forest before pruning
  std::size_t taken = 0;         // of the steps
};

// Merges, refines, repeats (Grabner 2016, 2.5.2). Constant leaves only; errors as refine().
PruneResult prune(const Forest&, const DatasetView&, const PruneOptions& = {},
                  const RunContext& = {});

// fit() without the validation rows, then prune() with them: the estimate is honest, and the trees
// have seen the other rows only. The report of the fit is about the forest before.
RefinedFit fit_and_prune(const DatasetView&, const FitOptions&, const PruneOptions&,
                         const RunContext& = {});

}  // namespace coppice
