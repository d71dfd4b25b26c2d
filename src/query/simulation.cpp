// Learning curves with labels that are asked for, and with labels of random rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random_stream.h"
#include "coppice/error.h"
#include "coppice/metrics.h"
#include "coppice/query.h"
#include "data/row_selection.h"

namespace coppice {
namespace {

// Mean and standard deviation of what the runs add, step by step.
class RunErrors {
 public:
  explicit RunErrors(std::size_t steps) : sums_(steps, 0), squares_(steps, 0) {}

  void add(std::size_t step, double error) {
    sums_[step] += error;
    squares_[step] += error * error;
  }
  std::vector<double> means(std::size_t runs) const {
    std::vector<double> found = sums_;
    for (double& mean : found) mean /= static_cast<double>(runs);
    return found;
  }
  std::vector<double> deviations(std::size_t runs) const {
    std::vector<double> found = means(runs);
    for (std::size_t step = 0; step < found.size(); ++step) {
      const double variance =
          squares_[step] / static_cast<double>(runs) - found[step] * found[step];
      found[step] = std::sqrt(std::max(0.0, variance));
    }
    return found;
  }

 private:
  std::vector<double> sums_, squares_;
};

class Simulation {
 public:
  Simulation(const DatasetView& pool, const DatasetView& test, const SimulationOptions& options,
             const RunContext& context)
      : pool_(pool), test_(test), options_(options), context_(context) {
    context_.progress = {};
    context_.log = {};
    options_.fit.report = {};
    options_.fit.report.out_of_bag = false;
  }

  LearningCurves run(const std::function<void(const Progress&)>& progress) {
    const std::size_t steps = options_.batches + 1;
    RunErrors active(steps), passive(steps);
    Progress done{0, options_.runs * steps};
    for (std::size_t number = 0; number < options_.runs; ++number) {
      begin_run(number);
      for (std::size_t step = 0; step < steps; ++step) {
        active.add(step, ask_after_error(step + 1 < steps));
        passive.add(step, step == 0 ? last_error_ : error_of(fitted(first_rows(step))));
        ++done.done;
        if (progress) progress(done);
      }
    }
    LearningCurves curves;
    for (std::size_t step = 0; step < steps; ++step)
      curves.labels.push_back(options_.start + step * options_.query.batch);
    curves.active = active.means(options_.runs), curves.passive = passive.means(options_.runs);
    curves.active_deviation = active.deviations(options_.runs);
    curves.passive_deviation = passive.deviations(options_.runs);
    return curves;
  }

 private:
  void begin_run(std::size_t number) {
    RandomStream stream = RandomStream(options_.seed).child(number);
    order_ = shuffled_rows(pool_.rows, stream.child(0));
    options_.fit.forest.seed = stream.next();
    asked_ = first_rows(0);
    waiting_.assign(order_.begin() + static_cast<std::ptrdiff_t>(asked_.size()), order_.end());
    std::sort(waiting_.begin(), waiting_.end());
  }

  // The rows of random choice after so many batches.
  std::vector<std::uint32_t> first_rows(std::size_t batches) const {
    const auto count = static_cast<std::ptrdiff_t>(options_.start + batches * options_.query.batch);
    return {order_.begin(), order_.begin() + count};
  }

  Forest fitted(std::vector<std::uint32_t> rows) const {
    std::sort(rows.begin(), rows.end());
    FitResult result = fit(rows_of(pool_, rows).view(), options_.fit, context_);
    if (result.report.cancelled)
      throw Error(ErrorKind::cancelled, "stopped before the simulation was finished");
    return std::move(result.forest);
  }

  double error_of(const Forest& forest) const {
    const Predictions says = Predictor(forest).predict(test_, context_);
    return test_.labels.empty() ? regression_metrics(says, test_.targets, test_.weights).rmse
                                : class_metrics(says, test_.labels, test_.weights).error;
  }

  // The error with the labels so far; then more are asked for.
  double ask_after_error(bool ask) {
    const Forest forest = fitted(asked_);
    if (ask) {
      const Dataset pool = rows_of(pool_, waiting_);
      for (const QueriedRow& found :
           query(Predictor(forest), pool.view(), options_.query, context_))
        asked_.push_back(waiting_[found.row]);
      std::erase_if(waiting_, [&, first = asked_.end() -
                                          std::ptrdiff_t(options_.query.batch)](std::uint32_t row) {
        return std::find(first, asked_.end(), row) != asked_.end();
      });
    }
    return last_error_ = error_of(forest);
  }

  const DatasetView& pool_;
  const DatasetView& test_;
  SimulationOptions options_;
  RunContext context_;
  std::vector<std::uint32_t> order_, asked_, waiting_;
  double last_error_ = 0;
};

void check(const DatasetView& pool, const DatasetView& test, const SimulationOptions& options) {
  const auto refuse = [](const std::string& sentence) {
    throw Error(ErrorKind::invalid_option, sentence);
  };
  if (options.start < 1) refuse("start is 0; the first forest needs a label");
  if (options.runs < 1) refuse("runs is 0; there must be one at least");
  if (test.rows < 1) refuse("there are no test rows");
  const std::size_t needed = options.start + options.batches * options.query.batch;
  if (needed > pool.rows)
    refuse("the simulation needs " + std::to_string(needed) + " labels, but the pool has " +
           std::to_string(pool.rows) + " rows; ask for fewer or smaller batches");
}

}  // namespace

LearningCurves simulate_queries(const DatasetView& pool, const DatasetView& test,
                                const SimulationOptions& options, const RunContext& context) {
  check(pool, test, options);
  return Simulation(pool, test, options, context).run(context.progress);
}

double labels_to_reach(const std::vector<std::size_t>& labels, const std::vector<double>& errors,
                       double level) {
  for (std::size_t n = 0; n < errors.size(); ++n) {
    if (errors[n] > level) continue;
    const auto here = static_cast<double>(labels[n]);
    if (n == 0) return here;
    const auto before = static_cast<double>(labels[n - 1]);
    return before + (here - before) * (errors[n - 1] - level) / (errors[n - 1] - errors[n]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace coppice
