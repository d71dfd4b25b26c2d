// coppice query: which rows are worth a label, and what asking about them would have brought.
#include "coppice/query.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>

#include "command.h"
#include "coppice/coppice.h"
#include "csv_writer.h"
#include "data/row_selection.h"
#include "data_arguments.h"
#include "draw/learning_curve.h"
#include "model_files.h"
#include "signal_stop.h"
#include "suggestion.h"
#include "tasks/option_table.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::array kStrategies{"entropy", "margin", "disagreement"};  // as QueryStrategy
constexpr const char* kSimulation = "Simulation";

class QueryCommand final : public Command {
 public:
  const char* name() const override { return "query"; }
  const char* summary() const override { return "which rows are worth a label"; }
  const char* examples() const override {
    return "  coppice query letter.coppice unlabelled.csv --batch 50 -o ask.csv\n"
           "  coppice query letter.coppice unlabelled.csv --strategy disagreement --diversity 0.5\n"
           "  coppice query letter.coppice letter.train.csv --simulate --test letter.test.csv \\\n"
           "    --start 100 --batch 50 --batches 18 --plot curves.svg\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  QueryOptions options(const Forest&) const;
  int rank(const Forest&, const SharedArguments&) const;
  int simulate(const Forest&, const SharedArguments&) const;
  SimulationOptions simulation_options(const Forest&) const;

  std::string model_, output_, strategy_, test_, picture_;
  DataArguments data_;
  QueryOptions options_;
  SimulationOptions simulation_;
  bool simulated_ = false;
};

void QueryCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_, "a .csv or .npy file; default: standard output as CSV")
      ->type_name("FILE")
      ->group("Output");
  const auto choice = [&](const char* option, auto& value, const char* type, const char* help,
                          const char* group) {
    return app.add_option(option, value, help)->type_name(type)->group(group);
  };
  choice("--batch,-k", options_.batch, "N", "rows to ask about (10)", "Choice")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 32).description(""));
  choice("--strategy", strategy_, "NAME",
         "what makes a row uncertain: margin, entropy or disagreement of the trees (margin; of "
         "numbers: entropy)",
         "Choice");
  choice("--diversity", options_.diversity, "X",
         "from 0 to 1: how much less a row counts if it shares its leaves with a chosen one (1)",
         "Choice");
  app.add_flag("--simulate", simulated_,
               "DATA has labels: learning curves of this choice and of random choice, with forests "
               "trained as MODEL was")
      ->group(kSimulation);
  choice("--test", test_, "FILE", "rows to measure errors on; default: a third of DATA",
         kSimulation);
  choice("--start", simulation_.start, "N", "labels of the first forest, drawn at random (20)",
         kSimulation);
  choice("--batches", simulation_.batches, "N", "how often is asked (20)", kSimulation);
  choice("--runs", simulation_.runs, "N", "repetitions with other first labels (10)", kSimulation);
  choice("--seed", simulation_.seed, "N", "of first labels and trees (1)", kSimulation);
  choice("--plot", picture_, "FILE", "the curves as .svg or .png", kSimulation);
}

QueryOptions QueryCommand::options(const Forest& forest) const {
  QueryOptions options = options_;
  if (strategy_.empty()) {
    options.strategy = is_classifier(forest) ? QueryStrategy::margin : QueryStrategy::entropy;
    return options;
  }
  const auto found = std::find(kStrategies.begin(), kStrategies.end(), strategy_);
  if (found == kStrategies.end())
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("--strategy: '{}' is none of entropy, margin, disagreement{}", strategy_,
                    suggestion(strategy_, {kStrategies.begin(), kStrategies.end()})));
  options.strategy = static_cast<QueryStrategy>(found - kStrategies.begin());
  return options;
}

// --- Which rows ----------------------------------------------------------------------------------

bool has_label(const Dataset& data, std::size_t row) {
  if (!data.labels.empty()) return data.labels[row] != kNoLabel;
  const std::size_t targets = data.targets.size() / data.rows;
  return targets > 0 && !std::isnan(data.targets[row * targets]);
}

// Rows that nobody needs to ask about are left out.
std::vector<std::uint32_t> unlabelled_rows(const Dataset& data, const std::string& path) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < data.rows; ++row)
    if (!has_label(data, row)) rows.push_back(static_cast<std::uint32_t>(row));
  if (rows.empty() && data.rows > 0)
    throw Error(ErrorKind::invalid_data,
                fmt::format("{}: every row has a label already; leave the column out with "
                            "--ignore {}, or try --simulate",
                            path, data.schema.targets.front()));
  return rows;
}

int QueryCommand::rank(const Forest& forest, const SharedArguments& shared) const {
  if (!picture_.empty() || !test_.empty())
    throw Error(ErrorKind::invalid_option, "--test and --plot are for --simulate");
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::truth_if_present);
  if (!shared.quiet) warn_of_unseen(rows);
  const std::vector<std::uint32_t> asked = unlabelled_rows(rows.data, data_.path);
  const std::vector<QueriedRow> found =
      query(Predictor(forest), rows_of(rows.data.view(), asked).view(), options(forest),
            shared.context());
  Json table;
  const auto writer = table_writer(output_, found.size(), shared.json ? &table : nullptr);
  writer->header(std::vector<std::string>{"row", "score", "uncertainty"});
  for (const QueriedRow& queried : found) {
    const Cell cells[] = {std::uint64_t{asked[queried.row]} + 1, queried.score,
                          queried.uncertainty};
    writer->row(cells);
  }
  writer->finish();
  if (shared.json) {
    Json json{{"rows", rows.data.rows}, {"unlabelled", asked.size()}, {"asked", found.size()}};
    output_.empty() ? json["table"] = std::move(table) : json["output"] = output_;
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{}: {} of {} to ask about\n", output_,
                           plural(found.size(), "row", "rows"), count_text(asked.size())));
  }
  return kSuccess;
}

// --- What it would have brought ------------------------------------------------------------------

SimulationOptions QueryCommand::simulation_options(const Forest& forest) const {
  SimulationOptions simulation = simulation_;
  simulation.query = options(forest);
  for (const auto& [name, value] : forest.info().options)
    if (find_option(name) != nullptr) set_option(simulation.fit, name, value);
  return simulation;
}

struct SimulatedRows {
  Dataset pool, test;
};

SimulatedRows simulated_rows(const DataArguments& arguments, const std::string& test_path,
                             const Schema& schema, std::uint64_t seed) {
  const Dataset read = read_for_model(arguments, schema, TargetUse::truth).data;
  for (std::size_t row = 0; row < read.rows; ++row)
    if (!has_label(read, row))
      throw Error(ErrorKind::invalid_data,
                  fmt::format("{}: row {} has no label, but --simulate must know them all",
                              arguments.path, row + 1));
  if (!test_path.empty()) {
    DataArguments test = arguments;
    test.path = test_path;
    return {read, read_for_model(test, schema, TargetUse::truth).data};
  }
  const std::vector<std::uint32_t> order =
      shuffled_rows(read.rows, RandomStream(seed).child(UINT64_MAX));
  const std::span rows(order);
  return {rows_of(read.view(), rows.subspan(read.rows / 3)),
          rows_of(read.view(), rows.first(read.rows / 3))};
}

void write_curves(const LearningCurves& curves, TableWriter& writer) {
  writer.header(std::vector<std::string>{"labels", "active", "active_deviation", "random",
                                         "random_deviation"});
  for (std::size_t n = 0; n < curves.labels.size(); ++n) {
    const Cell cells[] = {std::uint64_t{curves.labels[n]}, curves.active[n],
                          curves.active_deviation[n], curves.passive[n],
                          curves.passive_deviation[n]};
    writer.row(cells);
  }
  writer.finish();
}

std::string curves_text(const LearningCurves& curves, bool classes) {
  const auto error_text = [&](double error) {
    return classes ? percent_text(error) : number_text(error);
  };
  TextTable table("rrr");
  table.add({"labels", "asked for", "random"});
  for (std::size_t n = 0; n < curves.labels.size(); ++n)
    table.add({count_text(curves.labels[n]), error_text(curves.active[n]),
               error_text(curves.passive[n])});
  const double level = curves.passive.back();
  const double needed = labels_to_reach(curves.labels, curves.active, level);
  const std::string verdict =
      std::isnan(needed)
          ? fmt::format("asking never reaches the {} of {} random labels\n", error_text(level),
                        count_text(curves.labels.back()))
          : fmt::format("the {} of {} random labels is reached with {} that are asked for\n",
                        error_text(level), count_text(curves.labels.back()),
                        count_text(static_cast<std::size_t>(std::ceil(needed))));
  return table.text() + verdict;
}

void save_curves(const LearningCurves& curves, bool classes, std::size_t runs,
                 const std::string& path) {
  const auto line = [&](const std::vector<double>& errors, const Colour& colour) {
    ColouredCurve curve{{}, colour};
    for (std::size_t n = 0; n < errors.size(); ++n)
      curve.spots.push_back({static_cast<double>(curves.labels[n]), errors[n]});
    return curve;
  };
  Drawing drawing{620, 430, "error by number of labels", {}};
  Axes axes(drawing, {4, 2, 612, 390},
            {"learning curves", "means of " + plural(runs, "run", "runs"), "labels",
             classes ? "misclassified share" : "RMSE"});
  draw_curves({line(curves.active, kBlue), line(curves.passive, kRed)}, axes);
  draw_legend(drawing, {60, 398, 550, 24},
              {{"asked for", kBlue, Key::Mark::line}, {"random", kRed, Key::Mark::line}});
  save(drawing, path);
}

int QueryCommand::simulate(const Forest& forest, const SharedArguments& shared) const {
  const SimulationOptions options = simulation_options(forest);
  const SimulatedRows rows = simulated_rows(data_, test_, forest.info().schema, simulation_.seed);
  RunContext context = shared.context();
  context.cancelled = [] { return stop_signal() != 0; };
  const LearningCurves curves = [&] {
    ProgressBar bar("forests", shared.talkative());
    context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
    return simulate_queries(rows.pool.view(), rows.test.view(), options, context);
  }();
  const bool classes = is_classifier(forest);
  if (!picture_.empty()) save_curves(curves, classes, options.runs, picture_);
  if (!output_.empty()) write_curves(curves, *table_writer(output_, curves.labels.size(), nullptr));
  if (shared.json) {
    Json json{{"rows", rows.pool.rows},   {"test_rows", rows.test.rows},
              {"runs", options.runs},     {"labels", curves.labels},
              {"active", curves.active},  {"active_deviation", curves.active_deviation},
              {"random", curves.passive}, {"random_deviation", curves.passive_deviation}};
    const double needed = labels_to_reach(curves.labels, curves.active, curves.passive.back());
    json["labels_to_reach_random"] = std::isnan(needed) ? Json() : Json(needed);
    print_json(json);
  } else {
    print_text(curves_text(curves, classes));
  }
  return kSuccess;
}

int QueryCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_);
  if (!picture_.empty()) require_picture_name(picture_), require_writable(picture_);
  watch_signals();
  const Forest forest = load_model(model_);
  return simulated_ ? simulate(forest, shared) : rank(forest, shared);
}

}  // namespace

std::unique_ptr<Command> query_command() { return std::make_unique<QueryCommand>(); }

}  // namespace coppice
