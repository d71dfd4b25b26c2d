// coppice refine: what the leaves of a model hold, learnt anew all together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/coppice.h"
#include "count_checks.h"
#include "data_arguments.h"
#include "model_files.h"
#include "refine_arguments.h"
#include "signal_stop.h"
#include "terminal.h"

namespace coppice {
namespace {

class RefineCommand final : public Command {
 public:
  const char* name() const override { return "refine"; }
  const char* summary() const override { return "learn the leaves of a forest anew, together"; }
  const char* examples() const override {
    return "  coppice refine letter.coppice letter.train.csv -o refined.coppice\n"
           "  coppice refine housing.coppice housing.csv -o refined.coppice --method agr --cost "
           "0.1\n"
           "  coppice train letter.csv -o letter.coppice --max-depth 10 --refine gr\n";
  }
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
    declare_model_data(app, data_);
    declare_weights(app, data_);
    app.add_option("--output,--out,-o", output_, "where the refined model goes; .json for text")
        ->type_name("NEW")
        ->required()
        ->group("Output");
    app.add_option("--method", arguments_.method,
                   "gr replaces what the leaves hold, agr adds to it (gr)")
        ->type_name("gr|agr")
        ->group("Refinement");
    declare_refinement(app, "", arguments_);
    app.add_option("--seed", arguments_.seed, "of the validation rows and the solvers (1)")
        ->type_name("N")
        ->check(not_negative())
        ->group("Refinement");
  }
  int run(const SharedArguments&) override;

 private:
  std::string model_, output_;
  DataArguments data_;
  RefineArguments arguments_;
};

int RefineCommand::run(const SharedArguments& shared) {
  require_writable(output_);
  require_other(output_, {data_.path});
  const RefineOptions options = refine_options(arguments_);
  watch_signals();
  const Forest forest = load_model(model_);
  require_answers(forest, "refine");
  const bool classes = predicts_classes(forest.info().payload_kind);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::truth);
  if (!shared.quiet) warn_of_unseen(rows);
  RunContext context = shared.context();
  context.cancelled = [] { return stop_signal() != 0; };
  RefineResult result = [&] {
    ProgressBar bar("costs", shared.talkative());
    context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
    return refine(forest, rows.data.view(), options, context);
  }();
  save_model(result.forest, output_);
  if (shared.json) {
    Json json{{"rows", rows.data.rows}, {"model", output_}, {"model_bytes", file_bytes(output_)}};
    json.update(refinement_json(result.report));
    print_json(json);
  } else if (!shared.quiet) {
    print_text(fmt::format(
        "{} leaves of {} refined on {} in {}\n{}", count_text(result.forest.arrays().leaves()),
        model_, plural(rows.data.rows, "row", "rows"), seconds_text(result.report.seconds),
        refinement_text(result.report, classes)));
    if (result.report.validation_rows > 0)
      print_text(
          "  if the trees were grown on these rows, both errors are too low: see\n"
          "  train --refine\n");
    print_text(fmt::format("{}, {}\n", output_, bytes_text(file_bytes(output_))));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> refine_command() { return std::make_unique<RefineCommand>(); }

}  // namespace coppice
