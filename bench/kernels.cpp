// The kernels that training and prediction spend their time in, one by one.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/radix_sort.h"
#include "base/random_stream.h"
#include "coppice/coppice.h"
#include "data/coded_columns.h"
#include "split/node_codes.h"
#include "split/sorted_codes.h"

namespace coppice {
namespace {

Dataset spirals(std::size_t rows) {
  return generate({.shape = ToyShape::spirals, .rows = rows, .classes = 4, .noise_features = 8});
}

// Sorting the codes of a node with range(0) rows.
void sort_codes(benchmark::State& state) {
  const Dataset data = spirals(static_cast<std::size_t>(state.range(0)));
  const CodedColumns columns(data.view(), 0, 1);
  std::vector<SampleId> rows(data.rows);
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<SampleId>(row);
  NodeCodes codes;
  codes.gather(columns.column(0).code_span(), rows);
  SortedCodes sorted;
  for (auto _ : state) {
    sorted.sort(codes);
    benchmark::DoNotOptimize(sorted.order().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(sort_codes)->RangeMultiplier(8)->Range(16, 65536);

void code_columns(benchmark::State& state) {
  const Dataset data = spirals(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(CodedColumns(data.view(), 0, 1).features());
  state.SetItemsProcessed(state.iterations() * state.range(0) *
                          static_cast<std::int64_t>(data.columns.size()));
}
BENCHMARK(code_columns)->Arg(10000);

void train_tree(benchmark::State& state) {
  const Dataset data = spirals(static_cast<std::size_t>(state.range(0)));
  FitOptions options;
  options.forest.trees = 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(fit(data.view(), options, {.threads = 1}).report.nodes);
}
BENCHMARK(train_tree)->Arg(10000)->Unit(benchmark::kMillisecond);

// Rows and trees per second, one thread.
void predict(benchmark::State& state) {
  const Dataset data = spirals(10000);
  const FitResult trained = fit(data.view(), FitOptions{});
  const Predictor predictor(trained.forest);
  for (auto _ : state)
    benchmark::DoNotOptimize(predictor.predict(data.view(), {.threads = 1}).labels.data());
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(data.rows * trained.forest.trees()));
}
BENCHMARK(predict)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace coppice
