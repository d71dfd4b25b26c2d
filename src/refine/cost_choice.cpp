// The grid of costs, from the strictest up: every solution starts from the last one.
#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "refine/leaf_solver.h"
#include "refine/prepared.h"

namespace coppice {
namespace {

constexpr double kLeastCost = 1.0 / 4096, kFactor = 4;
constexpr std::size_t kCosts = 10, kPatience = 2;

// A cost is that of a row of weight 1: the grid makes up for the unit of the weights.
std::vector<double> costs_to_try(const std::optional<double>& given, double mean_weight) {
  if (given) return {*given};
  std::vector<double> costs{kLeastCost / mean_weight};
  while (costs.size() < kCosts) costs.push_back(costs.back() * kFactor);
  return costs;
}

// A loss that is hardly less does not count.
bool clearly_less(double loss, double other) { return loss < 0.99 * other; }

bool better(const CostTrial& a, const CostTrial& b) {
  return a.error != b.error ? a.error < b.error : clearly_less(a.loss, b.loss);
}

// Rows that learn, and others that look.
struct Division {
  std::span<const std::uint32_t> learning, validation;
};

CostChoice try_costs(const Prepared& prepared, const Division& rows, std::span<const double> costs,
                     const RefineOptions& options, const RunContext& context) {
  const std::size_t workers = worker_count(context.threads);
  const RefinableRows& all = prepared.rows;
  OutputBlock w(all.matrix->unknowns(), all.outputs());
  const RefinementScale scale = scale_of(prepared, rows.learning);
  RefinableRows learning = part_of(prepared, rows.learning, scale);
  const RefinableRows validation = part_of(prepared, rows.validation, scale);
  const auto solver = make_solver(prepared.loss, learning, options.seed);
  CostChoice best;
  double least_loss = std::numeric_limits<double>::infinity();
  std::size_t worse = 0;
  const std::size_t patience = options.all_costs ? costs.size() : kPatience;
  for (std::size_t n = 0; n < costs.size() && worse < patience; ++n) {
    if (context.cancelled && context.cancelled())
      throw Error(ErrorKind::cancelled, "stopped before the leaves were refined");
    solver->solve(costs[n], w, workers);
    const RowErrors found =
        reported(validation.errors(w, scale, prepared.loss, workers), !all.labels.empty());
    const CostTrial trial{costs[n], found.error, found.loss};
    if (n == 0 || better(trial, best_trial(best.trials))) {
      best.cost = trial.cost;
      best.error = trial.error;
      best.w = w;
      worse = 0;
    } else {
      worse = clearly_less(trial.loss, least_loss) ? 0 : worse + 1;
    }
    least_loss = std::min(least_loss, trial.loss);
    best.trials.push_back(trial);
    if (context.progress) context.progress({n + 1, costs.size()});
  }
  return best;
}

// Descent along the dual of the hinge loss visits row after row: it keeps one thread busy.
bool solved_by_one_thread(const RefinementLoss& loss) {
  return std::holds_alternative<HingeLoss>(loss);
}

// Every fold looks once at what the others have learnt; where a fold needs one thread, they are
// shared out.
std::vector<CostTrial> cross_validate(const Prepared& prepared, const RefineOptions& options,
                                      const RunContext& context) {
  const auto folds = deal_folds(prepared.learning.size(), options.cost_folds, options.seed);
  const bool shared_out = solved_by_one_thread(prepared.loss);
  RefineOptions of_all = options;
  of_all.all_costs = true;  // only errors of all folds together say which cost is the best
  RunContext of_fold = context;
  of_fold.progress = {};
  if (shared_out) of_fold.threads = 1;
  const std::vector<double> costs = costs_to_try({}, prepared.mean_weight);
  std::vector<std::vector<CostTrial>> trials(folds.size());
  std::mutex progress_mutex;
  std::size_t done = 0;
  const std::size_t workers = shared_out ? worker_count(context.threads) : 1;
  for_each_task(folds.size(), workers, [&](std::size_t, std::size_t number) {
    const std::vector<std::uint32_t>& fold = folds[number];
    std::vector<std::uint32_t> learning, validation;
    for (std::size_t n = 0; n < prepared.learning.size(); ++n) {
      const bool held = validation.size() < fold.size() && fold[validation.size()] == n;
      (held ? validation : learning).push_back(prepared.learning[n]);
    }
    trials[number] = try_costs(prepared, {learning, validation}, costs, of_all, of_fold).trials;
    const std::scoped_lock lock(progress_mutex);
    ++done;
    if (context.progress) context.progress({done, options.cost_folds});
  });
  return mean_trials(trials, !prepared.rows.labels.empty());
}

}  // namespace

CostChoice choose_cost(const Prepared& prepared, const RefineOptions& options,
                       const RunContext& context) {
  std::optional<double> cost = options.cost;
  std::vector<CostTrial> trials;
  if (!cost && options.cost_folds > 1) {
    trials = cross_validate(prepared, options, context);
    cost = best_trial(trials).cost;
  }
  CostChoice choice{.cost = cost.value_or(0),
                    .w = OutputBlock(prepared.rows.matrix->unknowns(), prepared.rows.outputs()),
                    .error = std::numeric_limits<double>::quiet_NaN(),
                    .trials = {}};
  if (!prepared.validation.empty())
    choice = try_costs(prepared, {prepared.learning, prepared.validation},
                       costs_to_try(cost, prepared.mean_weight), options, context);
  if (!trials.empty()) choice.trials = std::move(trials);
  return choice;
}

std::vector<CostTrial> mean_trials(std::span<const std::vector<CostTrial>> of_folds, bool classes) {
  std::vector<CostTrial> means;
  const auto tried_by_all = [&](std::size_t n) {
    return std::all_of(of_folds.begin(), of_folds.end(),
                       [&](const auto& trials) { return n < trials.size(); });
  };
  for (std::size_t n = 0; tried_by_all(n); ++n) {
    RowErrors mean;
    const auto share = [&](double of_fold) {
      return (classes ? of_fold : of_fold * of_fold) / static_cast<double>(of_folds.size());
    };
    for (const auto& trials : of_folds)
      mean.error += share(trials[n].error), mean.loss += share(trials[n].loss);
    mean = reported(mean, classes);
    means.push_back({of_folds.front()[n].cost, mean.error, mean.loss});
  }
  return means;
}

CostTrial best_trial(std::span<const CostTrial> trials) {
  CostTrial best = trials.front();
  for (const CostTrial& trial : trials)
    if (better(trial, best)) best = trial;
  return best;
}

}  // namespace coppice
