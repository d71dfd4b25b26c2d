// coppice bench: how fast a model answers, with every engine that can run it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "base/worker_team.h"
#include "command.h"
#include "coppice/coppice.h"
#include "data_arguments.h"
#include "infer/prediction_engine.h"
#include "json_output.h"
#include "model/depth.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::size_t kMostSingleRows = 2000;

class BenchCommand final : public Command {
 public:
  const char* name() const override { return "bench"; }
  const char* summary() const override { return "how fast a model answers on this machine"; }
  const char* examples() const override {
    return "  coppice bench letter.coppice letter.test.csv\n"
           "  coppice bench letter.coppice letter.test.csv --threads 1 --repeats 20\n"
           "  coppice bench housing.coppice new.csv --json\n"
           "\nA batch is all rows of the file at once, on --threads threads; a single row is\n"
           "answered on one thread. The first answers, which fill the caches, do not count.\n"
           "Every engine gives the same answers; predict takes the one marked with '*'.\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::string model_;
  DataArguments data_;
  std::size_t repeats_ = 5;
};

void BenchCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  app.add_option("--repeats", repeats_, "how often the batch is answered")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""))
      ->capture_default_str()
      ->group("Measuring");
}

struct EngineSpeed {
  Engine engine = Engine::wide;
  std::size_t bytes = 0;
  double compile_seconds = 0;
  double best_rows_per_second = 0, median_rows_per_second = 0;
  double p50 = 0, p90 = 0, p99 = 0;  // of a single row, in microseconds
};

// The smallest value that `share` of them do not exceed. REQUIRES: sorted, not empty.
double percentile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

// Seconds of every call, in order of size; body(number of the call).
template <class Body>
std::vector<double> sorted_seconds(std::size_t calls, Body&& body) {
  std::vector<double> seconds;
  for (std::size_t call = 0; call < calls; ++call) {
    const Stopwatch watch;
    body(call);
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

void measure_batch(const PredictionEngine& engine, const DatasetView& data, std::size_t repeats,
                   const RunContext& context, EngineSpeed& speed) {
  const RowSource rows(data);
  const auto answer = [&](std::size_t) { engine.predict(rows, data.rows, context); };
  answer(0);
  const std::vector<double> seconds = sorted_seconds(repeats, answer);
  const auto row_count = static_cast<double>(data.rows);
  speed.best_rows_per_second = row_count / seconds.front();
  speed.median_rows_per_second = row_count / percentile(seconds, 0.5);
}

void measure_single_rows(const PredictionEngine& engine, const DatasetView& data,
                         EngineSpeed& speed) {
  const std::size_t rows = std::min(data.rows, kMostSingleRows), features = engine.features();
  std::vector<float> buffer;
  const float* values = RowSource(data).rows(0, rows, buffer);
  RunContext alone;
  alone.threads = 1;
  const auto answer = [&](std::size_t row) {
    engine.predict(RowSource({values + row * features, features}, features), 1, alone);
  };
  for (std::size_t row = 0; row < rows; ++row) answer(row);
  const std::vector<double> seconds = sorted_seconds(rows, answer);
  speed.p50 = 1e6 * percentile(seconds, 0.5);
  speed.p90 = 1e6 * percentile(seconds, 0.9);
  speed.p99 = 1e6 * percentile(seconds, 0.99);
}

EngineSpeed measure(const Forest& forest, Engine engine, const DatasetView& data,
                    std::size_t repeats, const RunContext& context) {
  EngineSpeed speed;
  const Stopwatch watch;
  const PredictionEngine prediction(forest, engine);
  speed.compile_seconds = watch.seconds();
  speed.engine = engine;
  speed.bytes = prediction.compiled().bytes();
  measure_batch(prediction, data, repeats, context, speed);
  measure_single_rows(prediction, data, speed);
  return speed;
}

// --- Report --------------------------------------------------------------------------------------

std::string rate_text(double rows_per_second) {
  return count_text(static_cast<std::size_t>(rows_per_second));
}

std::string speeds_text(const std::vector<EngineSpeed>& speeds, Engine chosen) {
  TextTable table("llrrrrrrr");
  table.add({"", "engine", "rows/s best", "median", "row p50", "p90", "p99 us", "memory", "setup"});
  for (const EngineSpeed& speed : speeds) {
    table.add({speed.engine == chosen ? "*" : "", std::string(engine_name(speed.engine)),
               rate_text(speed.best_rows_per_second), rate_text(speed.median_rows_per_second),
               fmt::format("{:.1f}", speed.p50), fmt::format("{:.1f}", speed.p90),
               fmt::format("{:.1f}", speed.p99), bytes_text(speed.bytes),
               seconds_text(speed.compile_seconds)});
  }
  return table.text();
}

Json speed_json(const EngineSpeed& speed) {
  return {{"engine", engine_name(speed.engine)},
          {"batch_rows_per_second", speed.best_rows_per_second},
          {"batch_rows_per_second_median", speed.median_rows_per_second},
          {"single_row_microseconds", {{"p50", speed.p50}, {"p90", speed.p90}, {"p99", speed.p99}}},
          {"bytes", speed.bytes},
          {"compile_seconds", speed.compile_seconds}};
}

void refuse_no_rows(const ModelRows& rows, const std::string& path) {
  if (rows.data.rows == 0)
    throw Error(ErrorKind::invalid_data,
                fmt::format("{}: there are no rows to answer; give a file with rows", path));
}

int BenchCommand::run(const SharedArguments& shared) {
  const Forest forest = load_model(model_);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  refuse_no_rows(rows, data_.path);
  if (!shared.quiet) warn_of_unseen(rows);
  std::vector<EngineSpeed> speeds;
  for (const Engine engine : engines_for(forest))
    speeds.push_back(measure(forest, engine, rows.data.view(), repeats_, shared.context()));
  const EngineChoice choice = choose_engine(forest);
  const std::size_t threads = worker_count(shared.threads), depth = max_depth(forest.arrays());
  if (shared.json) {
    Json engines = Json::array();
    for (const EngineSpeed& speed : speeds) engines.push_back(speed_json(speed));
    print_json({{"rows", rows.data.rows},
                {"threads", threads},
                {"repeats", repeats_},
                {"trees", forest.trees()},
                {"leaves", forest.arrays().leaves()},
                {"max_depth", depth},
                {"batch_engine", engine_name(choice.engine)},
                {"single_row_engine", engine_name(choice.engine)},
                {"reason", choice.reason},
                {"engines", std::move(engines)}});
    return kSuccess;
  }
  if (!shared.quiet)
    print_text(fmt::format("{} on {}: {}, {} of depth {}, {}\n", model_, data_.path,
                           plural(rows.data.rows, "row", "rows"),
                           plural(forest.trees(), "tree", "trees"), depth,
                           plural(threads, "thread", "threads")));
  print_text(speeds_text(speeds, choice.engine));
  if (!shared.quiet)
    print_text(fmt::format("  batches and single rows use {}: {}\n", engine_name(choice.engine),
                           choice.reason));
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace coppice
