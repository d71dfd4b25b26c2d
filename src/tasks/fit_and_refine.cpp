// Training with refinement: the cost is chosen on rows that neither trees nor leaves have seen.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random_stream.h"
#include "coppice/error.h"
#include "coppice/refine.h"

namespace coppice {
namespace {

// The columns of some rows.
class RowSelection {
 public:
  RowSelection(const DatasetView& data, std::span<const std::uint32_t> rows) {
    rows_.schema = *data.schema;
    rows_.rows = rows.size();
    for (const auto column : data.columns) rows_.columns.push_back(picked(column, rows, 1));
    rows_.labels = picked(data.labels, rows, 1);
    rows_.weights = picked(data.weights, rows, 1);
    rows_.targets = picked(data.targets, rows, data.targets.size() / data.rows);
  }
  DatasetView view() const { return rows_.view(); }

 private:
  template <class T>
  static std::vector<T> picked(std::span<const T> values, std::span<const std::uint32_t> rows,
                               std::size_t width) {
    std::vector<T> some;
    for (std::size_t n = 0; !values.empty() && n < rows.size(); ++n) {
      const auto row = values.subspan(rows[n] * width, width);
      some.insert(some.end(), row.begin(), row.end());
    }
    return some;
  }

  Dataset rows_;
};

// All rows in random order, those for validation last; both parts ascending.
struct Parts {
  std::vector<std::uint32_t> growing, validation;
};

Parts parted(std::size_t rows, const RefineOptions& options) {
  if (rows < 2) throw Error(ErrorKind::invalid_data, "refinement needs two rows at least");
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0u);
  RandomStream random = RandomStream(options.seed).child(2);
  for (std::size_t i = rows; i > 1; --i)
    std::swap(all[i - 1], all[random.below(static_cast<std::uint32_t>(i))]);
  const auto held = static_cast<std::size_t>(options.validation_share * double(rows));
  const auto middle =
      all.end() - static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(held, 1, rows - 1));
  Parts parts{{all.begin(), middle}, {middle, all.end()}};
  std::sort(parts.growing.begin(), parts.growing.end());
  std::sort(parts.validation.begin(), parts.validation.end());
  return parts;
}

}  // namespace

RefinedFit fit_and_refine(const DatasetView& data, const FitOptions& fit_options,
                          const RefineOptions& refine_options, const RunContext& context) {
  RefineOptions options = refine_options;
  RefineReport choice;
  if (!options.cost) {
    RunContext silent = context;
    silent.progress = {};
    const Parts parts = parted(data.rows, options);
    FitOptions quick = fit_options;
    quick.report = {};
    quick.report.out_of_bag = false;
    const FitResult grown = fit(RowSelection(data, parts.growing).view(), quick, silent);
    options.validation_rows = parts.validation;
    choice = refine(grown.forest, data, options, silent).report;
    options.cost = choice.cost;
  }
  options.validation_rows = {};
  options.validation_share = 0;
  FitResult plain = fit(data, fit_options, context);
  if (plain.report.cancelled) return {std::move(plain), choice};
  RefineResult refined = refine(plain.forest, data, options, context);
  if (choice.validation_rows > 0) {
    choice.objective = refined.report.objective;
    choice.iterations = refined.report.iterations;
    choice.seconds += refined.report.seconds;
  } else {
    choice = std::move(refined.report);
  }
  return {{std::move(refined.forest), std::move(plain.report)}, std::move(choice)};
}

RefinedFit fit_and_prune(const DatasetView& data, const FitOptions& fit_options,
                         const PruneOptions& prune_options, const RunContext& context) {
  const Parts parts = parted(data.rows, prune_options.refine);
  FitResult grown = fit(RowSelection(data, parts.growing).view(), fit_options, context);
  if (grown.report.cancelled) return {std::move(grown), {}};
  PruneOptions options = prune_options;
  options.refine.validation_rows = parts.validation;
  RunContext silent = context;
  silent.progress = {};
  PruneResult pruned = prune(grown.forest, data, options, silent);
  return {{std::move(pruned.forest), std::move(grown.report)}, std::move(pruned.report)};
}

}  // namespace coppice
