// The grid of costs, from the strictest up: every solution starts from the last one.
#include <limits>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "refine/leaf_solver.h"
#include "refine/prepared.h"

namespace coppice {
namespace {

constexpr double kLeastCost = 1.0 / 4096, kFactor = 4;
constexpr std::size_t kCosts = 10, kPatience = 2;

std::vector<double> costs_to_try(const RefineOptions& options) {
  if (options.cost) return {*options.cost};
  std::vector<double> costs{kLeastCost};
  while (costs.size() < kCosts) costs.push_back(costs.back() * kFactor);
  return costs;
}

}  // namespace

CostChoice choose_cost(const Prepared& prepared, const RefineOptions& options,
                       const RunContext& context) {
  const std::size_t workers = worker_count(context.threads);
  const RefinableRows& all = prepared.rows;
  OutputBlock w(all.matrix->unknowns(), all.outputs());
  if (prepared.validation.empty())
    return {*options.cost, std::move(w), std::numeric_limits<double>::quiet_NaN(), {}};
  RefinableRows learning = all.subset(prepared.learning);
  const RefinableRows validation = all.subset(prepared.validation);
  const auto solver = make_solver(prepared.loss, learning, options.seed);
  const std::vector<double> costs = costs_to_try(options);
  CostChoice best;
  std::size_t worse = 0;
  for (std::size_t n = 0; n < costs.size() && worse < kPatience; ++n) {
    if (context.cancelled && context.cancelled())
      throw Error(ErrorKind::cancelled, "stopped before the leaves were refined");
    solver->solve(costs[n], w, workers);
    const double error =
        reported_error(validation.error(w, prepared.scale, workers), !all.labels.empty());
    best.trials.push_back({costs[n], error});
    if (n == 0 || error < best.error) {
      best.cost = costs[n];
      best.error = error;
      best.w = w;
      worse = 0;
    } else {
      ++worse;
    }
    if (context.progress) context.progress({n + 1, costs.size()});
  }
  return best;
}

}  // namespace coppice
