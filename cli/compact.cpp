// coppice compact: the best forest that fits into so many bytes.
#include "coppice/compact.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "command.h"
#include "coppice/coppice.h"
#include "count_checks.h"
#include "data_arguments.h"
#include "draw/learning_curve.h"
#include "known_rows.h"
#include "model/info_json.h"
#include "model_files.h"
#include "refine_arguments.h"
#include "rounding_loss.h"
#include "signal_stop.h"
#include "terminal.h"

namespace coppice {
namespace {

class CompactCommand final : public Command {
 public:
  const char* name() const override { return "compact"; }
  const char* summary() const override { return "the best forest that fits into so many bytes"; }
  const char* examples() const override {
    return "  coppice compact letter.coppice letter.train.csv -o small.coppice\n"
           "  coppice compact letter.coppice letter.train.csv -o small.coppice --max-model-bytes "
           "64K\n"
           "  coppice compact housing.coppice housing.csv -o small.coppice --max-model-bytes 8K "
           "--plot sizes.svg\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  CompactOptions options() const;
  CompactResult compacted(const Forest&, const ModelRows&, const SharedArguments&) const;

  std::string model_, output_, plot_;
  std::uint64_t most_bytes_ = CompactOptions{}.max_model_bytes;
  bool mapped_ = false;
  DataArguments data_;
  RefineArguments arguments_;
};

void CompactCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  declare_weights(app, data_);
  app.add_option("--output,--out,-o", output_, "where the small model goes")
      ->type_name("NEW")
      ->required()
      ->group("Output");
  app.add_option("--max-model-bytes", most_bytes_, "of the model file (64K)")
      ->type_name("SIZE")
      ->check(not_negative())
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(above_zero())
      ->group("Size");
  app.add_flag("--mapped", mapped_,
               "a file that is used as it is, without being unpacked first: larger")
      ->group("Size");
  app.add_option("--plot", plot_, "a picture of the least error of every size: .svg or .png")
      ->type_name("FILE")
      ->group("Output");
  declare_refinement(app, "", arguments_);
  app.get_option("--loss")->description(
      "of numbers: squared or absolute; of classes: logistic (gives probabilities) or hinge "
      "(squared, hinge)");
  app.add_option("--seed", arguments_.seed, "of validation rows and solvers (1)")
      ->type_name("N")
      ->check(not_negative())
      ->group("Refinement");
}

CompactOptions CompactCommand::options() const {
  return {.max_model_bytes = most_bytes_,
          .form = mapped_ ? FileForm::mapped : FileForm::compressed,
          .refine = refine_options(arguments_)};
}

CompactResult CompactCommand::compacted(const Forest& forest, const ModelRows& rows,
                                        const SharedArguments& shared) const {
  RunContext context = shared.context();
  context.cancelled = [] { return stop_signal() != 0; };
  ProgressBar bar("shapes", shared.talkative());
  context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
  return compact(forest, rows.data.view(), options(), context);
}

std::string table_text(const std::vector<CompactTrial>& trials, bool classes,
                       std::optional<std::size_t> taken) {
  TextTable table("rrlrrrl");
  table.add({"trees", "depth", "numbers", "leaves", "bytes", classes ? "error" : "RMSE", ""});
  for (std::size_t n = 0; n < trials.size(); ++n) {
    const CompactTrial& trial = trials[n];
    table.add({count_text(trial.trees), count_text(trial.depth),
               std::string(precision_name(trial.precision)), count_text(trial.leaves),
               bytes_text(trial.bytes),
               classes ? percent_text(trial.error) : number_text(trial.error),
               taken == n ? "<- taken" : ""});
  }
  return table.text();
}

// Some ten of them, the ends among them.
std::vector<CompactTrial> thinned(const std::vector<CompactTrial>& all) {
  constexpr std::size_t kShown = 10;
  std::vector<CompactTrial> some;
  for (std::size_t n = 0; n < std::min(kShown, all.size()); ++n)
    some.push_back(
        all[n * (all.size() - 1) / std::max<std::size_t>(1, std::min(kShown, all.size()) - 1)]);
  return some;
}

Json trials_json(const std::vector<CompactTrial>& trials) {
  Json list = Json::array();
  for (const CompactTrial& trial : trials)
    list.push_back({{"trees", trial.trees},
                    {"depth", trial.depth},
                    {"precision", precision_name(trial.precision)},
                    {"leaves", trial.leaves},
                    {"bytes", trial.bytes},
                    {"error", trial.error}});
  return list;
}

Drawing frontier_drawing(const CompactResult& result, bool classes) {
  constexpr double kWidth = 520, kHeight = 380;
  Drawing drawing{kWidth, kHeight, "the least error of every size", {}};
  Axes axes(drawing, {4, 2, kWidth - 8, kHeight - 4},
            {"the least error of every size", "on validation rows; red: what was taken",
             "size of the model", classes ? "misclassified share" : "root of mean squared error"});
  std::vector<SizedError> frontier;
  for (const CompactTrial& trial : result.frontier)
    frontier.push_back({static_cast<double>(trial.bytes), trial.error});
  const CompactTrial& taken = result.tried[result.taken];
  draw_frontier(frontier, {static_cast<double>(taken.bytes), taken.error}, axes);
  return drawing;
}

int CompactCommand::run(const SharedArguments& shared) {
  require_writable(output_);
  require_other(output_, {data_.path});
  require_binary(output_);
  if (!plot_.empty()) require_picture_name(plot_), require_writable(plot_);
  (void)options();  // refused before anything is read
  watch_signals();
  const Forest forest = load_model(model_);
  require_answers(forest, "compact");
  const bool classes = is_classifier(forest);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::truth);
  if (!shared.quiet) warn_of_unseen(rows);
  const CompactResult result = compacted(forest, rows, shared);
  result.forest.save(output_, result.form);
  if (!plot_.empty()) save(frontier_drawing(result, classes), plot_);
  const RoundingLoss loss =
      rounding_loss(result.before_rounding, result.forest, rows_with_truth(rows.data, data_.path));
  if (shared.json) {
    print_json({{"rows", rows.data.rows},
                {"model", output_},
                {"model_bytes", file_bytes(output_)},
                {"leaves", result.forest.arrays().leaves()},
                {"seconds", result.seconds},
                {"error_before", result.error_before},
                {"rounding", rounding_json(loss)},
                {"taken", result.taken},
                {"tried", trials_json(result.tried)},
                {"frontier", trials_json(result.frontier)}});
  } else if (!shared.quiet) {
    print_text(fmt::format(
        "{}, {}: {} leaves in {} trees, found on {} in {}\n\nWhat fits\n{}\nThe least error of "
        "every size\n{}\n{}, {}\nRounding: {}",
        model_, bytes_text(file_bytes(model_)), count_text(forest.arrays().leaves()),
        count_text(forest.trees()), plural(rows.data.rows, "row", "rows"),
        seconds_text(result.seconds), table_text(result.tried, classes, result.taken),
        table_text(thinned(result.frontier), classes, std::nullopt), output_,
        bytes_text(file_bytes(output_)), rounding_text(loss, classes)));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> compact_command() { return std::make_unique<CompactCommand>(); }

}  // namespace coppice
