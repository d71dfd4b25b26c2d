#include "tasks/complete_rows.h"

#include <algorithm>
#include <cmath>

#include "base/random_stream.h"
#include "base/worker_team.h"
#include "coppice/density.h"
#include "coppice/fit.h"
#include "data/row_selection.h"

namespace coppice {
namespace {

constexpr std::uint32_t kFirstTrees = 10;
constexpr std::size_t kRounds = 2;  // the first forest of a round learns from the draws before

bool is_missing(float value) { return std::isnan(value); }

Dataset rows_without_gaps(const DatasetView& data, const std::vector<std::uint8_t>& incomplete) {
  std::vector<std::uint32_t> whole;
  for (std::uint32_t row = 0; row < data.rows; ++row)
    if (!incomplete[row]) whole.push_back(row);
  return rows_of(data, whole);
}

// Known values of the same column, drawn at random.
void fill_from_columns(const DatasetView& data, CompletedRows& rows, RandomStream random) {
  for (std::size_t f = 0; f < data.columns.size(); ++f) {
    if (rows.columns[f].empty()) continue;
    std::vector<float> known;
    std::copy_if(data.columns[f].begin(), data.columns[f].end(), std::back_inserter(known),
                 [](float value) { return !is_missing(value); });
    for (float& value : rows.columns[f])
      if (is_missing(value)) value = known[random.below(static_cast<std::uint32_t>(known.size()))];
  }
}

FitOptions first_options(const FitOptions& options) {
  FitOptions first = options;
  first.forest.trees = kFirstTrees;
  std::get<Density>(first.task).choose_trees = false;
  first.report = {};
  return first;
}

RunContext quiet(const RunContext& context) {
  return {.threads = context.threads, .memory = context.memory, .cancelled = context.cancelled};
}

void draw_missing(const DatasetView& data, const DensityModel& model, const RandomStream& stream,
                  std::size_t workers, CompletedRows& rows) {
  constexpr std::size_t kBlock = 64;
  for_each_task((data.rows + kBlock - 1) / kBlock, workers, [&](std::size_t, std::size_t block) {
    std::vector<float> known(data.columns.size());
    for (std::size_t row = block * kBlock; row < std::min(data.rows, (block + 1) * kBlock); ++row) {
      if (!rows.incomplete[row]) continue;
      for (std::size_t f = 0; f < known.size(); ++f) known[f] = data.columns[f][row];
      const Conditional given = model.condition(known);
      if (!std::isfinite(given.log_known())) continue;
      const std::vector<float> drawn = given.sample(1, stream.child(row).next());
      for (std::size_t f = 0; f < known.size(); ++f)
        if (is_missing(known[f])) rows.columns[f][row] = drawn[f];
    }
  });
}

}  // namespace

bool any_missing(const DatasetView& data) {
  return std::any_of(data.columns.begin(), data.columns.end(), [](std::span<const float> column) {
    return std::any_of(column.begin(), column.end(), is_missing);
  });
}

DatasetView with_columns(DatasetView data, const CompletedRows& rows) {
  for (std::size_t f = 0; f < data.columns.size(); ++f)
    if (!rows.columns[f].empty()) data.columns[f] = rows.columns[f];
  return data;
}

CompletedRows complete_rows(const DatasetView& data, const FitOptions& options,
                            const RunContext& context) {
  constexpr std::size_t kEnoughPerFeature = 20;
  CompletedRows rows{std::vector<std::vector<float>>(data.columns.size()),
                     std::vector<std::uint8_t>(data.rows, 0)};
  for (std::size_t f = 0; f < data.columns.size(); ++f) {
    for (std::size_t row = 0; row < data.rows; ++row)
      if (is_missing(data.columns[f][row])) rows.incomplete[row] = 1;
    if (std::any_of(data.columns[f].begin(), data.columns[f].end(), is_missing))
      rows.columns[f].assign(data.columns[f].begin(), data.columns[f].end());
  }
  const RandomStream stream = RandomStream(options.forest.seed).child(data.rows);
  const Dataset whole = rows_without_gaps(data, rows.incomplete);
  const bool enough = whole.rows >= kEnoughPerFeature * (data.columns.size() + 1);
  fill_from_columns(data, rows, stream.child(0));
  const FitOptions first = first_options(options);
  for (std::size_t round = 0; round < kRounds; ++round) {
    const bool only_whole = enough && round == 0 && problems(first, whole.view()).empty();
    const DatasetView learned = only_whole ? whole.view() : with_columns(data, rows);
    const FitResult made = fit(learned, first, quiet(context));
    draw_missing(data, DensityModel(made.forest), stream.child(1 + round),
                 worker_count(context.threads), rows);
  }
  return rows;
}

}  // namespace coppice
