// See refine_arguments.h.
#include "refine_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>

#include "coppice/error.h"
#include "count_checks.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& wanted) {
  throw Error(ErrorKind::invalid_option, fmt::format("--{}: '{}' is not {}", option, text, wanted));
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

RefinementLoss loss_named(const RefineArguments& arguments) {
  if (arguments.loss == "default") return DefaultLoss{};
  if (arguments.loss == "squared") return SquaredLoss{};
  if (arguments.loss == "absolute") return AbsoluteLoss{arguments.epsilon};
  if (arguments.loss == "logistic") return LogisticLoss{};
  if (arguments.loss == "hinge") return HingeLoss{};
  refuse(arguments.prefix + "loss", arguments.loss,
         "a loss" + suggestion(arguments.loss, {"squared", "absolute", "logistic", "hinge"}));
}

std::string error_text(double error, bool classes) {
  return classes ? percent_text(error) : number_text(error);
}

// Those of train that are not what they are by themselves.
std::string unusual_options(const RefineArguments& arguments) {
  const RefineArguments usual;
  std::string command;
  if (arguments.loss != usual.loss) command += " --refine-loss " + arguments.loss;
  if (arguments.epsilon != usual.epsilon)
    command += fmt::format(" --refine-epsilon {}", arguments.epsilon);
  if (arguments.cost != usual.cost) command += " --refine-cost " + arguments.cost;
  if (arguments.cost_folds != usual.cost_folds)
    command += fmt::format(" --refine-cost-folds {}", arguments.cost_folds);
  if (arguments.validation != usual.validation)
    command += " --refine-validation " + arguments.validation;
  return command;
}

}  // namespace

double share_value(const std::string& option, const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = number_of(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)));
  if (!number || *number < 0) refuse(option, text, "a share such as 20% or 0.2");
  return percent ? *number / 100 : *number;
}

void declare_refinement(CLI::App& app, const std::string& prefix, RefineArguments& arguments) {
  const std::string begin = "--" + prefix;
  arguments.prefix = prefix;
  app.add_option(begin + "loss", arguments.loss,
                 "of numbers: squared or absolute; of classes: logistic (gives probabilities) or "
                 "hinge (squared, logistic)")
      ->type_name("LOSS")
      ->group("Refinement");
  app.add_option(begin + "epsilon", arguments.epsilon,
                 "distances that the absolute loss forgives, in deviations of the target (0.1)")
      ->type_name("E")
      ->group("Refinement");
  app.add_option(begin + "cost", arguments.cost,
                 "what an error costs beside the size of the leaves' numbers; auto tries 4^-6 ... "
                 "4^3 on validation rows (auto)")
      ->type_name("C|auto")
      ->group("Refinement");
  app.add_option(begin + "cost-folds", arguments.cost_folds,
                 "compare costs by cross-validation in so many folds instead (0: no)")
      ->type_name("K")
      ->check(not_negative())
      ->group("Refinement");
  app.add_option(begin + "validation", arguments.validation,
                 "share of the rows on which costs are compared (20%)")
      ->type_name("SHARE")
      ->group("Refinement");
}

RefineOptions refine_options(const RefineArguments& arguments) {
  RefineOptions options;
  const bool training = !arguments.prefix.empty();
  const bool prunes = training && arguments.method == "gp";
  if (arguments.method != "gr" && arguments.method != "agr" && !prunes)
    refuse(training ? "refine" : "method", arguments.method,
           training ? "none, gr, agr or gp" : "gr or agr");
  if (arguments.method == "agr") options.method = Refinement::add;
  options.loss = loss_named(arguments);
  if (arguments.cost != "auto") {
    options.cost = number_of(arguments.cost);
    if (!options.cost || !(*options.cost > 0))
      refuse(arguments.prefix + "cost", arguments.cost, "a number above 0, or auto");
  }
  if (options.cost && arguments.cost_folds > 0)
    throw Error(ErrorKind::invalid_option,
                fmt::format("give --{0}cost or --{0}cost-folds, not both", arguments.prefix));
  if (arguments.cost_folds == 1)
    refuse(arguments.prefix + "cost-folds", "1", "0, or two folds at least");
  options.cost_folds = arguments.cost_folds;
  options.validation_share = share_value(arguments.prefix + "validation", arguments.validation);
  options.seed = arguments.seed;
  return options;
}

std::string refinement_command(const RefineArguments& arguments) {
  return arguments.method == "none" ? ""
                                    : " --refine " + arguments.method + unusual_options(arguments);
}

void require_unused(const RefineArguments& arguments) {
  if (const std::string given = unusual_options(arguments); !given.empty())
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} needs --refine gr, agr or gp", given.substr(1)));
}

std::string refinement_text(const RefineReport& report, bool classes) {
  TextTable table("ll");
  table.add({"cost", fmt::format("{}", report.cost)});
  if (!report.converged) table.add({"solver", "gave up before the optimum; try a lower cost"});
  if (report.validation_rows > 0) {
    const std::string what = classes ? "error" : "RMSE";
    table.add({"validation", plural(report.validation_rows, "row", "rows")});
    table.add({what + " before", error_text(report.error_before, classes)});
    table.add({what + " after", error_text(report.error_after, classes)});
  }
  return table.text();
}

Json refinement_json(const RefineReport& report) {
  Json trials = Json::array();
  for (const CostTrial& trial : report.trials)
    trials.push_back({{"cost", trial.cost}, {"error", trial.error}, {"loss", trial.loss}});
  Json json{{"cost", report.cost},
            {"objective", report.objective},
            {"iterations", report.iterations},
            {"converged", report.converged},
            {"validation_rows", report.validation_rows},
            {"trials", std::move(trials)},
            {"refine_seconds", report.seconds}};
  if (report.validation_rows > 0) {
    json["error_before"] = report.error_before;
    json["error_after"] = report.error_after;
  }
  return json;
}

}  // namespace coppice
