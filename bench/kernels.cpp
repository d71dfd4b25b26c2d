// The kernels that training and prediction spend their time in, one by one; items are rows of one
// feature. read_memory and gather_memory are what the machine can do at best.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "coppice/coppice.h"
#include "data/coded_columns.h"
#include "objective/class_impurity.h"
#include "split/column_search.h"
#include "split/cut_lanes.h"
#include "split/local_codes.h"
#include "split/partition.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 1 << 17;
constexpr std::size_t kClasses = 10;

Dataset numbers(std::size_t features) {
  Dataset data;
  data.rows = kRows;
  RandomStream random(1);
  for (std::size_t f = 0; f < features; ++f) {
    data.schema.features.push_back({"x" + std::to_string(f), FeatureKind::numeric});
    std::vector<float>& column = data.columns.emplace_back(kRows);
    for (float& value : column) value = static_cast<float>(random.uniform());
  }
  return data;
}

std::vector<SampleId> some_rows(std::size_t count) {
  RandomStream random(2);
  std::vector<SampleId> rows;
  for (std::size_t row = 0; row < kRows && rows.size() < count; ++row)
    if (random.below(static_cast<std::uint32_t>(kRows - row)) < count - rows.size())
      rows.push_back(static_cast<SampleId>(row));
  return rows;
}

// A node of range(0) rows out of kRows, loaded for Gini.
struct Node {
  Dataset data = numbers(1);
  CodedColumns columns{data.view(), 256, 1};
  std::vector<SampleId> rows;
  std::vector<std::uint32_t> labels = std::vector<std::uint32_t>(kRows);
  GiniImpurity gini{labels, kClasses};
  LoadedNode<GiniImpurity> loaded;
  SearchLimits limits;
  ColumnSearch<GiniImpurity> search{gini, loaded, limits};

  explicit Node(std::size_t count) : rows(some_rows(count)) {
    RandomStream random(3);
    for (std::uint32_t& label : labels) label = random.below(kClasses);
    search.unit_weights = true;
    loaded.load(gini, rows.size(), [&](std::size_t i, auto& item, std::uint32_t& draws) {
      item = gini.item(rows[i], 1);
      draws = 1;
    });
    search.begin_node();
  }
};

void count_rows(benchmark::State& state, std::size_t bytes_per_row) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * state.range(0) *
                          static_cast<std::int64_t>(bytes_per_row));
}

void read_memory(benchmark::State& state) {
  const std::vector<std::uint64_t> words(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(std::accumulate(words.begin(), words.end(), std::uint64_t{0}));
  count_rows(state, sizeof(std::uint64_t));
}
BENCHMARK(read_memory)->Arg(1 << 12)->Arg(1 << 24);

// Codes of a node's rows, from a column of one byte and from one of four.
void gather_codes(benchmark::State& state) {
  const Node node(static_cast<std::size_t>(state.range(0)));
  const CodedColumn& column = node.columns.column(0);
  NodeCodes codes;
  const CodeSpan span = state.range(1) == 1 ? column.bin_span() : column.code_span();
  for (auto _ : state) {
    codes.gather(span, node.rows);
    benchmark::DoNotOptimize(codes.codes.data());
  }
  count_rows(state, static_cast<std::size_t>(state.range(1)) + sizeof(SampleId));
}
BENCHMARK(gather_codes)->ArgsProduct({{256, 8192, 65536}, {1, 4}});

// Large nodes: bins into a histogram of 256 x 10 counters, and its scan.
void search_bins(benchmark::State& state) {
  Node node(static_cast<std::size_t>(state.range(0)));
  const CodeSpan bins = node.columns.column(0).bin_span();
  for (auto _ : state) {
    node.search.begin_node();
    node.search.fill_from(bins, node.rows);
    benchmark::DoNotOptimize(node.search.scan_bins(bins.known, ColumnSearch<GiniImpurity>::no_gap));
  }
  count_rows(state, 1 + sizeof(SampleId) + sizeof(GiniImpurity::Item));
}
BENCHMARK(search_bins)->Arg(8192)->Arg(65536);

// Small nodes: ranks among the rows of a copy, then one boundary after the other.
void search_sorted(benchmark::State& state) {
  Node node(static_cast<std::size_t>(state.range(0)));
  LocalCodes copied;
  copied.begin(1, node.rows.size());
  const CodedColumn& column = node.columns.column(0);
  copied.copy(0, {column, column.code_span()}, node.rows);
  std::vector<SampleId> rows(node.rows.size());
  std::iota(rows.begin(), rows.end(), 0u);
  for (auto _ : state) {
    node.search.begin_node();
    node.search.gather_codes(copied.searched(0, column).span, rows);
    benchmark::DoNotOptimize(node.search.scan_sorted(ColumnSearch<GiniImpurity>::no_gap));
  }
  count_rows(state, 2 + sizeof(SampleId) + sizeof(GiniImpurity::Item));
}
BENCHMARK(search_sorted)->Arg(8)->Arg(64)->Arg(256)->Arg(2048)->Arg(8192);

// One random threshold for each of eight candidates; per row and candidate.
void search_random_cuts(benchmark::State& state) {
  Node node(static_cast<std::size_t>(state.range(0)));
  CutLanes<GiniImpurity> lanes;
  const RandomStream random(1);
  const LaneRows rows{{node.columns, node.rows.size()}, node.rows, random};
  for (auto _ : state) {
    node.search.begin_node();
    lanes.begin_node();
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes.add(0, lane);
    benchmark::DoNotOptimize(lanes.search(node.search, rows));
  }
  count_rows(state, kLanes * sizeof(float) + sizeof(SampleId) + sizeof(GiniImpurity::Item));
  state.SetItemsProcessed(state.items_processed() * static_cast<std::int64_t>(kLanes));
}
BENCHMARK(search_random_cuts)->Arg(8)->Arg(256)->Arg(8192)->Arg(65536);

// The codes of a node, copied and ranked among themselves.
void copy_codes(benchmark::State& state) {
  const Node node(static_cast<std::size_t>(state.range(0)));
  const CodedColumn& column = node.columns.column(0);
  LocalCodes copied;
  for (auto _ : state) {
    copied.begin(1, node.rows.size());
    copied.copy(0, {column, column.code_span()}, node.rows);
    benchmark::DoNotOptimize(copied.searched(0, column).span.known);
  }
  count_rows(state, sizeof(std::uint32_t) + sizeof(SampleId) + sizeof(std::uint16_t));
}
BENCHMARK(copy_codes)->Arg(256)->Arg(8192);

void partition_rows_by_value(benchmark::State& state) {
  const Node node(static_cast<std::size_t>(state.range(0)));
  ChosenSplit split;
  split.threshold = 0.5f;
  std::vector<SampleId> rows, right;
  for (auto _ : state) {
    rows = node.rows;
    benchmark::DoNotOptimize(partition_by_value(node.columns.column(0), split, rows, right));
  }
  count_rows(state, sizeof(float) + 2 * sizeof(SampleId));
}
BENCHMARK(partition_rows_by_value)->Arg(256)->Arg(8192)->Arg(65536);

void code_columns(benchmark::State& state) {
  const Dataset data = numbers(4);
  for (auto _ : state) benchmark::DoNotOptimize(CodedColumns(data.view(), 256, 1).features());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * kRows));
}
BENCHMARK(code_columns)->Unit(benchmark::kMillisecond);

// Bytes per second of numbers with six places, one thread.
void read_csv(benchmark::State& state) {
  const std::string path = "/tmp/coppice_bench_" + std::to_string(::getpid()) + ".csv";
  const Dataset data = numbers(8);
  std::string text = "a,b,c,d,e,f,g,h\n";
  for (std::size_t row = 0; row < data.rows; ++row)
    for (std::size_t f = 0; f < 8; ++f)
      text += fmt::format("{:.6f}{}", data.columns[f][row], f < 7 ? ',' : '\n');
  std::ofstream(path) << text;
  for (auto _ : state) benchmark::DoNotOptimize(read_dataset(path).rows);
  std::remove(path.c_str());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_csv)->Unit(benchmark::kMillisecond);

// Rows and trees per second, one thread.
void predict(benchmark::State& state) {
  const Dataset data =
      generate({.shape = ToyShape::spirals, .rows = 10000, .classes = 4, .noise_features = 8});
  FitOptions options;
  options.growth.max_depth = static_cast<std::uint32_t>(state.range(0));
  const FitResult trained = fit(data.view(), options);
  const Predictor predictor(trained.forest);
  for (auto _ : state)
    benchmark::DoNotOptimize(predictor.predict(data.view(), {.threads = 1}).labels.data());
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(data.rows * trained.forest.trees()));
}
BENCHMARK(predict)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace coppice
