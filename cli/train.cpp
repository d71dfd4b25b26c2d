// coppice train: a file in, a model out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "canonical_command.h"
#include "checkpoint_arguments.h"
#include "command.h"
#include "coppice/coppice.h"
#include "coppice/embedding.h"
#include "count_checks.h"
#include "data_arguments.h"
#include "model_files.h"
#include "refine_arguments.h"
#include "signal_stop.h"
#include "tasks/option_table.h"
#include "terminal.h"
#include "train_report.h"

namespace coppice {
namespace {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

class TrainCommand final : public Command {
 public:
  const char* name() const override { return "train"; }
  const char* summary() const override { return "learn a forest from a file"; }
  const char* examples() const override {
    return "  coppice train letter.csv -o letter.coppice\n"
           "  coppice train housing.csv --target price --n-estimators 500 -o housing.coppice\n"
           "  coppice train letter.csv --method adf --loss tangent -o letter.coppice\n"
           "  coppice train adult.csv.gz --class-weight balanced --dry-run\n"
           "  coppice train galaxies.csv --task density -o galaxies.coppice\n"
           "  coppice train roll.csv --task manifold -o roll.coppice\n"
           "  coppice train letter.csv -o letter.coppice --resume\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  bool given(const char* option) const;
  std::string task() const;
  bool without_target() const;
  void check_arguments() const;
  Dataset read();
  FitOptions fit_options(const Dataset&) const;
  int estimate(const Dataset&, const FitOptions&, const SharedArguments&) const;
  RefinedFit train(const Dataset&, const FitOptions&, const Checkpoint&,
                   const SharedArguments&) const;
  RunContext context(const SharedArguments&) const;
  std::string next_command(const std::string& path) const;
  RefinedFit train_or_stop(const Dataset&, const FitOptions&, const Checkpoint&,
                           const SharedArguments&) const;
  bool works_on_grown_trees(const FitOptions&) const;
  int finish(const Dataset&, const RefinedFit&, const Checkpoint&, const SharedArguments&) const;

  DataArguments data_;
  NamedValues settings_;
  std::string model_;
  bool extra_trees_ = false;
  bool dry_run_ = false;
  bool verbose_ = false;
  std::uint64_t memory_ = 0;  // 0: no limit
  RefineArguments refinement_{.method = "none"};
  CheckpointArguments checkpoints_;
  double read_seconds_ = 0;
};

void TrainCommand::declare(CLI::App& app) {
  declare_training_data(app, data_);
  app.add_option("--output,-o", model_, "where the model goes; .json for text")
      ->type_name("MODEL")
      ->group("Output");
  app.add_flag("--dry-run", dry_run_, "say what would be learnt and how much memory it takes")
      ->group("Output");
  app.add_option(
         "--memory", memory_,
         "bytes that training may use beside the data, such as 500M or 8G; with less, fewer "
         "trees grow at once (no limit)")
      ->type_name("SIZE")
      ->check(not_negative())
      ->transform(CLI::AsSizeValue(false).description(""));
  app.add_flag("--verbose", verbose_, "say how long each phase takes, on standard error")
      ->group("Output");
  for (const OptionRow& row : option_table()) {
    std::string names = std::string("--") + row.name;
    for (const char* const alias : row.aliases) names += std::string(",--") + alias;
    app.add_option_function<std::string>(
           names, [this, &row](const std::string& text) { settings_.emplace_back(row.name, text); },
           row.help)
        ->type_name(row.value)
        ->group("Forest");
  }
  app.add_flag("--extra-trees", extra_trees_,
               "short for --threshold random --bagging none (extremely randomised trees)")
      ->group("Forest");
  app.add_option(
         "--refine", refinement_.method,
         "learn the leaves anew, all together: gr replaces what they hold, agr adds to it, gp also "
         "merges those that hardly matter "
         "(none)")
      ->type_name("none|gr|agr|gp")
      ->group("Refinement");
  declare_refinement(app, "refine-", refinement_);
  declare_checkpoints(app, checkpoints_);
}

// As it was given, or empty.
std::string TrainCommand::task() const {
  std::string given;
  for (const auto& [name, value] : settings_)
    if (name == "task") given = value;
  return given;
}

bool TrainCommand::without_target() const { return task() == "density" || task() == "manifold"; }

bool TrainCommand::given(const char* option) const {
  for (const auto& setting : settings_) {
    if (setting.first == option) return true;
  }
  return false;
}

// Wrong values are refused before the data are read. Without --task, criterion and class weights
// need fit one of the tasks only.
void TrainCommand::check_arguments() const {
  if (model_.empty() && !dry_run_) {
    throw Error(ErrorKind::invalid_option, "say where the model goes, as in: -o model.coppice");
  }
  if (!dry_run_) require_writable(model_), require_other(model_, {data_.path});
  if (refinement_.method == "none") {
    require_unused(refinement_);
  } else {
    refine_options(refinement_);
  }
  FitOptions scratch;
  try {
    set_options(scratch, settings_);
  } catch (const Error&) {
    if (given("task")) throw;
    FitOptions other;
    other.task = Regression{};
    try {
      set_options(other, settings_);
      return;
    } catch (const Error&) {
    }
    throw;
  }
}

Dataset TrainCommand::read() {
  const Stopwatch watch;
  if (without_target()) {
    data_.ignored.insert(data_.ignored.end(), data_.targets.begin(), data_.targets.end());
    data_.targets.clear();
  }
  ReadOptions options = read_options(data_);
  if (options.targets.empty() && !without_target()) {
    options.targets = data_.targets = default_targets(data_, options);
  }
  if (task() == "regression") options.target_kind = TargetKind::numbers;
  if (task() == "classification") options.target_kind = TargetKind::classes;
  Dataset data = read_dataset(data_.path, options);
  data_.targets = data.schema.targets;
  if (task() == "manifold") data = manifold_dataset(data.view());
  read_seconds_ = watch.seconds();
  return data;
}

FitOptions TrainCommand::fit_options(const Dataset& data) const {
  FitOptions options;
  if (data.schema.classes.empty() && !without_target()) options.task = Regression{};
  NamedValues settings;
  if (extra_trees_) settings = {{"threshold", "random"}, {"bagging", "none"}};
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  set_options(options, settings);
  if (task() == "manifold") {
    const FitOptions usual = manifold_options(data.rows, data.schema.features.size());
    if (!given("candidates")) options.split.candidates = usual.split.candidates;
    if (!given("max-depth")) options.growth.max_depth = usual.growth.max_depth;
  }
  options.report.facts["command"] =
      canonical_command(data_, options, task()) + refinement_command(refinement_);
  return options;
}

int TrainCommand::estimate(const Dataset& data, const FitOptions& options,
                           const SharedArguments& shared) const {
  const MemoryEstimate needed = estimate_memory(data.view(), options, context(shared));
  if (shared.json) {
    Json json{{"dry_run", true},
              {"rows", data.rows},
              {"features", data.schema.features.size()},
              {"read_seconds", read_seconds_},
              {"data_bytes", data_bytes(data)},
              {"training_bytes", needed.training_bytes},
              {"model_bytes_at_most", needed.model_bytes},
              {"trees_at_once", needed.trees_at_once},
              {"data", data_json(data)}};
    print_json(json);
  } else {
    TextTable table("ll");
    table.add({"data", bytes_text(data_bytes(data))});
    table.add({"training", bytes_text(needed.training_bytes) + " beside the data"});
    table.add({"model", bytes_text(needed.model_bytes) + " at most"});
    table.add({"trees at once", std::to_string(needed.trees_at_once)});
    print_text("memory\n" + table.text() + "nothing was trained (--dry-run)\n");
  }
  return kSuccess;
}

RunContext TrainCommand::context(const SharedArguments& shared) const {
  RunContext context = shared.context();
  context.memory = memory_;
  return context;
}

RefinedFit TrainCommand::train(const Dataset& data, const FitOptions& options,
                               const Checkpoint& checkpoint, const SharedArguments& shared) const {
  ProgressBar bar("trees", shared.talkative());
  RunContext context = TrainCommand::context(shared);
  context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
  context.cancelled = [] { return stop_signal() != 0; };
  if (verbose_) context.log = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  if (refinement_.method == "none") return {fit(data.view(), options, context, &checkpoint), {}};
  RefineOptions refinement = refine_options(refinement_);
  refinement.seed = options.forest.seed;
  if (refinement_.method == "gp")
    return fit_and_prune(data.view(), options, {.refine = refinement}, context, &checkpoint);
  return fit_and_refine(data.view(), options, refinement, context, &checkpoint);
}

std::string TrainCommand::next_command(const std::string& path) const {
  if (task() == "manifold")
    return fmt::format("coppice embed {} {} -o points.csv", path, data_.path);
  if (task() == "semi-supervised")
    return fmt::format("coppice label {} {} -o labels.csv", path, data_.path);
  return fmt::format("coppice evaluate {} TEST_DATA", path);
}

// A stop says how to go on.
RefinedFit TrainCommand::train_or_stop(const Dataset& data, const FitOptions& options,
                                       const Checkpoint& checkpoint,
                                       const SharedArguments& shared) const {
  try {
    return train(data, options, checkpoint, shared);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled) throw;
    throw Error(error.kind(), stopped_sentence(error.what(), checkpoint, shared.given));
  }
}

bool TrainCommand::works_on_grown_trees(const FitOptions& options) const {
  return refinement_.method != "none" || options.report.permutation_importance ||
         std::holds_alternative<Density>(options.task) ||
         std::holds_alternative<SemiSupervised>(options.task);
}

int TrainCommand::finish(const Dataset& data, const RefinedFit& trained,
                         const Checkpoint& checkpoint, const SharedArguments& shared) const {
  const FitResult& result = trained.fit;
  const bool refined = trained.refinement.cost > 0;
  const std::string& path = model_;
  hold_stop(true);
  save_model(result.forest, path);
  remove_checkpoint(checkpoint);
  for (const std::string& note : result.report.notes)
    if (!shared.quiet) fmt::print(stderr, "note: {}\n", note);
  if (shared.json) {
    Json json{{"rows", data.rows},
              {"features", data.schema.features.size()},
              {"read_seconds", read_seconds_}};
    json.update(summary_json(result, path));
    if (refined) json["refinement"] = refinement_json(trained.refinement);
    print_json(json);
  } else if (!shared.quiet) {
    print_text(summary_text(result, path));
    if (refined)
      print_text(
          "\nrefined; what is said above of errors is about the forest before\n" +
          refinement_text(trained.refinement, predicts_classes(result.forest.info().payload_kind)));
    print_text("\nnext: " + next_command(path) + '\n');
  }
  return kSuccess;
}

int TrainCommand::run(const SharedArguments& shared) {
  check_arguments();
  watch_signals();
  Checkpoint checkpoint = checkpoint_beside(model_, checkpoints_);
  if (!dry_run_) {
    require_no_other_training(checkpoint);
    stop_soon(checkpoint, shared.given);
  }
  const Dataset data = read();
  const FitOptions options = fit_options(data);
  checkpoint.when_grown = works_on_grown_trees(options);
  if (shared.talkative()) {
    print_text(data_text(data_.path, data, find_option("task")->show(options), read_seconds_));
    print_text((given("task") ? "" : number_classes_hint(data.schema)) + '\n');
  }
  if (dry_run_) return estimate(data, options, shared);
  if (!shared.quiet) note_missing(checkpoint);
  return finish(data, train_or_stop(data, options, checkpoint, shared), checkpoint, shared);
}

}  // namespace

std::unique_ptr<Command> train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace coppice
