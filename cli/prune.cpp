// coppice prune: a smaller forest, whose leaves are learnt anew after every round of merging.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <numeric>

#include "command.h"
#include "coppice/coppice.h"
#include "count_checks.h"
#include "data_arguments.h"
#include "model_files.h"
#include "refine_arguments.h"
#include "signal_stop.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::array kOrders{"least", "most", "random", "least-difference"};  // as MergeOrder

class PruneCommand final : public Command {
 public:
  const char* name() const override { return "prune"; }
  const char* summary() const override { return "a smaller forest at a small loss"; }
  const char* examples() const override {
    return "  coppice prune letter.coppice letter.train.csv -o small.coppice\n"
           "  coppice prune letter.coppice letter.train.csv -o small.coppice --max-model-bytes "
           "64K\n"
           "  coppice prune housing.coppice housing.csv -o small.coppice --tolerance 0.5%\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  PruneOptions options() const;
  std::vector<std::uint32_t> last_rows(std::size_t rows) const;
  PruneResult pruned(const Forest&, const ModelRows&, const SharedArguments&) const;

  std::string model_, output_, tolerance_, order_ = "least", share_ = "10%";
  std::optional<std::uint64_t> most_bytes_;
  std::size_t rounds_ = PruneOptions{}.most_rounds, last_ = 0;
  DataArguments data_;
  RefineArguments arguments_;
};

void PruneCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  declare_weights(app, data_);
  app.add_option("--output,--out,-o", output_, "where the pruned model goes; .json for text")
      ->type_name("NEW")
      ->required()
      ->group("Output");
  app.add_option("--max-model-bytes", most_bytes_,
                 "prune until the model file is no larger, such as 64K")
      ->type_name("SIZE")
      ->check(not_negative())
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(above_zero())
      ->group("Pruning");
  app.add_option("--tolerance", tolerance_,
                 "take the smallest forest whose validation error is at most this share above the "
                 "least (0%)")
      ->type_name("SHARE")
      ->group("Pruning");
  app.add_option("--strategy", order_,
                 "pairs of sibling leaves that are merged first: least or most significant, "
                 "random, least-difference (least)")
      ->type_name("NAME")
      ->group("Pruning");
  app.add_option("--merge", share_, "share of the pairs merged per round (10%)")
      ->type_name("SHARE")
      ->group("Pruning");
  app.add_option("--rounds", rounds_, "rounds at most (1000)")
      ->type_name("N")
      ->check(not_negative())
      ->group("Pruning");
  declare_refinement(app, "", arguments_);
  app.add_option("--validation-last", last_,
                 "validate on the last N rows instead, which the trees have not seen")
      ->type_name("N")
      ->check(not_negative())
      ->group("Refinement");
  app.add_option("--seed", arguments_.seed, "of validation rows, random merging and solvers (1)")
      ->type_name("N")
      ->check(not_negative())
      ->group("Refinement");
}

PruneOptions PruneCommand::options() const {
  PruneOptions options{.refine = refine_options(arguments_)};
  const auto found = std::find(kOrders.begin(), kOrders.end(), order_);
  if (found == kOrders.end())
    throw Error(ErrorKind::invalid_option,
                fmt::format("--strategy: '{}' is none of least, most, random, least-difference{}",
                            order_, suggestion(order_, {kOrders.begin(), kOrders.end()})));
  options.order = static_cast<MergeOrder>(found - kOrders.begin());
  options.merged_share = share_value("merge", share_);
  options.most_rounds = rounds_;
  options.max_model_bytes = most_bytes_;
  if (!tolerance_.empty()) options.tolerance = share_value("tolerance", tolerance_);
  if (options.max_model_bytes && options.tolerance)
    throw Error(ErrorKind::invalid_option, "give --max-model-bytes or --tolerance, not both");
  if (options.max_model_bytes) require_binary(output_);
  return options;
}

PruneResult PruneCommand::pruned(const Forest& forest, const ModelRows& rows,
                                 const SharedArguments& shared) const {
  RunContext context = shared.context();
  context.cancelled = [] { return stop_signal() != 0; };
  ProgressBar bar("rounds", shared.talkative());
  context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
  PruneOptions chosen = options();
  chosen.refine.validation_rows = last_rows(rows.data.rows);
  return prune(forest, rows.data.view(), chosen, context);
}

std::vector<std::uint32_t> PruneCommand::last_rows(std::size_t rows) const {
  if (last_ >= rows)
    throw Error(ErrorKind::invalid_option,
                fmt::format("--validation-last: {} of {} leave nothing to learn from", last_,
                            plural(rows, "row", "rows")));
  std::vector<std::uint32_t> numbers(last_);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(rows - last_));
  return numbers;
}

// At most some twenty steps, the first, the last and the one taken among them.
std::string path_text(const PruneResult& result, bool classes) {
  constexpr std::size_t kShown = 20;
  const std::size_t every = (result.steps.size() + kShown - 1) / kShown;
  TextTable table("rrrrl");
  table.add({"round", "leaves", "bytes", classes ? "error" : "RMSE", ""});
  for (std::size_t n = 0; n < result.steps.size(); ++n) {
    if (n % every != 0 && n != result.taken && n + 1 != result.steps.size()) continue;
    const PruneStep& step = result.steps[n];
    table.add({std::to_string(n), count_text(step.leaves), bytes_text(step.model_bytes),
               classes ? percent_text(step.error) : number_text(step.error),
               n == result.taken ? "<- taken" : ""});
  }
  return table.text();
}

Json path_json(const PruneResult& result) {
  Json steps = Json::array();
  for (const PruneStep& step : result.steps)
    steps.push_back(
        {{"leaves", step.leaves}, {"model_bytes", step.model_bytes}, {"error", step.error}});
  return steps;
}

int PruneCommand::run(const SharedArguments& shared) {
  require_writable(output_);
  require_other(output_, {data_.path});
  (void)options();  // refused before anything is read
  watch_signals();
  const Forest forest = load_model(model_);
  require_answers(forest, "prune");
  const bool classes = predicts_classes(forest.info().payload_kind);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::truth);
  if (!shared.quiet) warn_of_unseen(rows);
  const PruneResult result = pruned(forest, rows, shared);
  save_model(result.forest, output_);
  if (shared.json) {
    Json json{{"rows", rows.data.rows},
              {"model", output_},
              {"model_bytes", file_bytes(output_)},
              {"leaves", result.forest.arrays().leaves()},
              {"taken", result.taken},
              {"steps", path_json(result)}};
    json.update(refinement_json(result.report));
    print_json(json);
  } else if (!shared.quiet) {
    print_text(fmt::format(
        "{} pruned from {} to {} leaves on {} in {}\n{}{}{}, {}\n", model_,
        count_text(forest.arrays().leaves()), count_text(result.forest.arrays().leaves()),
        plural(rows.data.rows, "row", "rows"), seconds_text(result.report.seconds),
        path_text(result, classes), refinement_text(result.report, classes), output_,
        bytes_text(file_bytes(output_))));
    if (file_bytes(output_) > file_bytes(model_))
      print_text(fmt::format(
          "  that is larger than {}, whose numbers are rounded or packed; for the same again:\n"
          "  coppice convert {} SMALL --payload byte --compress\n",
          model_, output_));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> prune_command() { return std::make_unique<PruneCommand>(); }

}  // namespace coppice
