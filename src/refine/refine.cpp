#include "coppice/refine.h"

#include <utility>

#include "base/stopwatch.h"
#include "base/worker_team.h"
#include "refine/facts.h"
#include "refine/leaf_solver.h"
#include "refine/prepared.h"
#include "refine/refined_forest.h"

namespace coppice {

RefineResult refine(const Forest& forest, const DatasetView& data, const RefineOptions& options,
                    const RunContext& context) {
  const Stopwatch watch;
  const std::size_t workers = worker_count(context.threads);
  Prepared prepared = prepare(forest, data, options, context);
  CostChoice choice = choose_cost(prepared, options, context);
  const Solved solved = make_solver(prepared.loss, prepared.rows, options.seed)
                            ->solve(choice.cost, choice.w, workers);
  RefineReport report{.cost = choice.cost,
                      .objective = solved.objective,
                      .iterations = solved.iterations,
                      .converged = solved.converged,
                      .validation_rows = prepared.validation.size(),
                      .error_before = prepared.error_before,
                      .error_after = choice.error,
                      .trials = std::move(choice.trials)};
  Forest refined = refined_forest(forest, {}, prepared, options.method, choice.w, workers);
  ForestInfo info = with_refinement_facts(refined.info(), options, prepared.loss, report);
  report.seconds = watch.seconds();
  return {std::move(refined).with_info(std::move(info)), std::move(report)};
}

}  // namespace coppice
