// A plain forest shows no text, so that its models stay the same as before there were methods.
#include "tasks/method_options.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <type_traits>

#include "coppice/method.h"
#include "tasks/methods.h"
#include "tasks/option_choices.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Text = std::string_view;

constexpr std::array kMarginLosses{"logit", "hinge", "exponential", "savage", "tangent"};
constexpr std::array kResidualLosses{"squared", "absolute", "huber"};

bool classifies(const FitOptions& options) {
  return std::holds_alternative<Classification>(options.task);
}

void require_task(const FitOptions& options, const OptionText& option, bool classification) {
  if (classifies(options) == classification) return;
  refuse(option, fmt::format("{} is a method of {}, but this is {}; see doc/methods.md for others",
                             option.text, classification ? "classification" : "regression",
                             show_task(options)));
}

void set_method(FitOptions& options, Text text) {
  const OptionText option{"method", text, "adf"};
  enum { forest, adf, arf, alternating, boosted, newton, dynamic, irrf };
  const std::size_t choice = choice_value(option, {{"forest", forest},
                                                   {"adf", adf},
                                                   {"arf", arf},
                                                   {"boosted", boosted},
                                                   {"newton", newton},
                                                   {"dynamic", dynamic},
                                                   {"irrf", irrf},
                                                   {"alternating", alternating}});
  if (choice == adf || choice == newton || choice == dynamic) require_task(options, option, true);
  if (choice == arf) require_task(options, option, false);
  if (choice == forest) choose_method(options, PlainForest{});
  if (choice == adf || choice == arf || choice == alternating)
    choose_method(options, AlternatingForest{});
  if (choice == boosted) choose_method(options, BoostedTrees{});
  if (choice == newton) choose_method(options, NewtonTrees{});
  if (choice == dynamic) choose_method(options, DynamicForest{});
  if (choice == irrf) choose_method(options, IntermediateRefinement{});
}

std::string show_method(const FitOptions& options) {
  if (std::holds_alternative<AlternatingForest>(options.method))
    return classifies(options) ? "adf" : "arf";
  static constexpr std::array<const char*, 6> names{"", "", "boosted", "newton", "dynamic", "irrf"};
  return names[options.method.index()];
}

// Of a method that has one, else nothing.
template <class Options>
auto* loss_of(Options& options) {
  using Loss = std::conditional_t<std::is_const_v<Options>, const StageLoss, StageLoss>;
  Loss* loss = nullptr;
  if (auto* method = std::get_if<AlternatingForest>(&options.method)) loss = &method->loss;
  if (auto* method = std::get_if<BoostedTrees>(&options.method)) loss = &method->loss;
  return loss;
}

StageLoss& chosen_loss(FitOptions& options, const OptionText& option) {
  if (StageLoss* const loss = loss_of(options)) return *loss;
  refuse(option, "belongs to --method adf, arf or boosted");
}

void set_loss(FitOptions& options, Text text) {
  const bool classes = classifies(options);
  const OptionText option{"loss", text, classes ? "tangent" : "squared"};
  StageLoss& loss = chosen_loss(options, option);
  if (classes) {
    loss.margin = static_cast<MarginLoss>(choice_value(option, {{kMarginLosses[0], 0},
                                                                {kMarginLosses[1], 1},
                                                                {kMarginLosses[2], 2},
                                                                {kMarginLosses[3], 3},
                                                                {kMarginLosses[4], 4}}));
  } else {
    loss.residual = static_cast<ResidualLoss>(choice_value(
        option, {{kResidualLosses[0], 0}, {kResidualLosses[1], 1}, {kResidualLosses[2], 2}}));
  }
}

std::string show_loss(const FitOptions& options) {
  const StageLoss* const loss = loss_of(options);
  if (loss == nullptr) return "";
  return classifies(options) ? kMarginLosses[static_cast<std::size_t>(loss->margin)]
                             : kResidualLosses[static_cast<std::size_t>(loss->residual)];
}

double positive(const OptionText& option) {
  const double value = finite_number(option);
  if (!(value > 0)) refuse(option, "must be above 0");
  return value;
}

void set_margin_scale(FitOptions& options, Text text) {
  const OptionText option{"margin-scale", text, "3"};
  const double scale = positive(option);
  if (!classifies(options)) refuse(option, "regression has no margins; leave it out");
  chosen_loss(options, option).margin_scale = scale;
}

std::string show_margin_scale(const FitOptions& options) {
  const StageLoss* const loss = loss_of(options);
  return loss != nullptr && classifies(options) ? fmt::format("{}", loss->margin_scale) : "";
}

void set_huber_delta(FitOptions& options, Text text) {
  const OptionText option{"huber-delta", text, "0.4"};
  const double delta = positive(option);
  StageLoss& loss = chosen_loss(options, option);
  if (classifies(options) || loss.residual != ResidualLoss::huber)
    refuse(option, "belongs to --loss huber");
  loss.huber_delta = delta;
}

std::string show_huber_delta(const FitOptions& options) {
  const StageLoss* const loss = loss_of(options);
  return loss != nullptr && !classifies(options) && loss->residual == ResidualLoss::huber
             ? fmt::format("{}", loss->huber_delta)
             : "";
}

void set_shrinkage(FitOptions& options, Text text) {
  const OptionText option{"shrinkage", text, "0.1"};
  const double share = positive(option);
  if (share > 1) refuse(option, "must be at most 1");
  if (auto* method = std::get_if<AlternatingForest>(&options.method)) {
    method->shrinkage = share;
  } else if (auto* boosted = std::get_if<BoostedTrees>(&options.method)) {
    boosted->shrinkage = share;
  } else if (auto* newton = std::get_if<NewtonTrees>(&options.method)) {
    newton->shrinkage = share;
  } else if (auto* refined = std::get_if<IntermediateRefinement>(&options.method)) {
    refined->shrinkage = share;
  } else {
    refuse(option, "belongs to --method adf, arf, irrf, boosted or newton");
  }
}

std::string show_shrinkage(const FitOptions& options) {
  if (const auto* method = std::get_if<AlternatingForest>(&options.method))
    return fmt::format("{}", method->shrinkage);
  if (const auto* method = std::get_if<BoostedTrees>(&options.method))
    return fmt::format("{}", boosting_rate(*method, options.task));
  if (const auto* method = std::get_if<IntermediateRefinement>(&options.method))
    return fmt::format("{}", method->shrinkage);
  const auto* method = std::get_if<NewtonTrees>(&options.method);
  return method == nullptr ? "" : fmt::format("{}", method->shrinkage);
}

void set_stage_cost(FitOptions& options, Text text) {
  const OptionText option{"stage-cost", text, "0.01"};
  const double cost = positive(option);
  auto* const method = std::get_if<IntermediateRefinement>(&options.method);
  if (method == nullptr) refuse(option, "belongs to --method irrf");
  method->cost = cost;
}

std::string show_stage_cost(const FitOptions& options) {
  const auto* const method = std::get_if<IntermediateRefinement>(&options.method);
  return method == nullptr ? "" : fmt::format("{}", method->cost);
}

void set_newton_ridge(FitOptions& options, Text text) {
  const OptionText option{"newton-ridge", text, "1"};
  const double ridge = finite_number(option);
  if (ridge < 0) refuse(option, "must be 0 or more");
  auto* const method = std::get_if<NewtonTrees>(&options.method);
  if (method == nullptr) refuse(option, "belongs to --method newton");
  method->ridge = ridge;
}

std::string show_newton_ridge(const FitOptions& options) {
  const auto* const method = std::get_if<NewtonTrees>(&options.method);
  return method == nullptr ? "" : fmt::format("{}", method->ridge);
}

}  // namespace

std::vector<OptionRow> method_rows() {
  return {
      {"method",
       {},
       "forest|adf|arf|irrf|boosted|newton|dynamic",
       "how trees learn from each other, see doc/methods.md (forest: not at all)",
       set_method,
       show_method,
       true},
      {"loss",
       {},
       "logit|hinge|exponential|savage|tangent|squared|absolute|huber",
       "of --method adf and boosted (tangent), or of arf and boosted regression (squared)",
       set_loss,
       show_loss,
       true},
      {"margin-scale",
       {},
       "N",
       "classification: margins are multiplied by this before the loss is taken (3)",
       set_margin_scale,
       show_margin_scale,
       true},
      {"shrinkage",
       {"learning-rate"},
       "SHARE",
       "what a stage may change (adf, arf, irrf and boosted 1; boosted regression and newton 0.1)",
       set_shrinkage,
       show_shrinkage,
       true},
      {"huber-delta",
       {},
       "N",
       "residual from which --loss huber is linear, in standard deviations (0.4)",
       set_huber_delta,
       show_huber_delta,
       true},
      {"stage-cost",
       {},
       "N",
       "of --method irrf: what an error costs beside the size of the leaves' numbers (0.01)",
       set_stage_cost,
       show_stage_cost,
       true},
      {"newton-ridge",
       {},
       "N",
       "added to the second derivative of a leaf of --method newton (1)",
       set_newton_ridge,
       show_newton_ridge,
       true},
  };
}

}  // namespace coppice
