// Options whose text is more than a number: choices, lists and what they have to do with each
// other.
#include "tasks/option_choices.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "coppice/density.h"
#include "coppice/embedding.h"
#include "coppice/semi_supervised.h"
#include "tasks/option_values.h"
#include "tasks/task.h"

namespace coppice {
namespace {

using Text = std::string_view;

// Keeps the parameters of the alternative if it is chosen already.
template <class Alternative, class Variant>
void choose(Variant& variant) {
  if (!std::holds_alternative<Alternative>(variant)) variant = Alternative{};
}

// The same for the alternative of this number.
template <class Variant, std::size_t... Numbers>
void choose_by_index(Variant& variant, std::size_t index, std::index_sequence<Numbers...>) {
  ((index == Numbers ? choose<std::variant_alternative_t<Numbers, Variant>>(variant) : void()),
   ...);
}
template <class Variant>
void choose_by_index(Variant& variant, std::size_t index) {
  choose_by_index(variant, index, std::make_index_sequence<std::variant_size_v<Variant>>());
}

}  // namespace

// --- task, criterion, class-weight ---------------------------------------------------------------

void set_task(FitOptions& options, Text text) {
  const OptionText option{"task", text, "classification"};
  constexpr std::size_t manifold = 100;  // a regression on directions of the features
  const std::size_t task = choice_value(option, {{"classification", 0},
                                                 {"regression", 1},
                                                 {"density", 2},
                                                 {"semi-supervised", 3},
                                                 {"semisupervised", 3},
                                                 {"manifold", manifold}});
  if (task == manifold) options = manifold_options();
  if (task == 2 && !std::holds_alternative<Density>(options.task)) options = density_options();
  if (task == 3 && !std::holds_alternative<SemiSupervised>(options.task))
    options = semi_supervised_options();
  if (task != manifold) choose_by_index(options.task, task);
}

std::string show_task(const FitOptions& options) {
  constexpr std::array<const char*, 4> kNames{"classification", "regression", "density",
                                              "semi-supervised"};
  return kNames[options.task.index()];
}

void set_criterion(FitOptions& options, Text text) {
  const OptionText option{"criterion", text, "gini"};
  // In the order of the variants; those of regression come after those of classification.
  enum { gini, entropy, tsallis, renyi, twoing, variance, absolute, features, log_det, lines };
  const std::size_t choice = choice_value(option, {{"gini", gini},
                                                   {"entropy", entropy},
                                                   {"tsallis", tsallis},
                                                   {"renyi", renyi},
                                                   {"twoing", twoing},
                                                   {"variance", variance},
                                                   {"absolute", absolute},
                                                   {"variance-features", features},
                                                   {"log-det", log_det},
                                                   {"probabilistic-linear", lines},
                                                   {"log_loss", entropy},
                                                   {"squared_error", variance},
                                                   {"mse", variance},
                                                   {"absolute_error", absolute},
                                                   {"mae", absolute}});
  const bool for_numbers = choice >= variance;
  if (std::holds_alternative<Density>(options.task))
    refuse(option, "a density has one criterion only, log-det of its features; leave it out");
  if (std::holds_alternative<SemiSupervised>(options.task))
    refuse(option,
           "semi-supervised learning has one criterion only, entropy of the labels and log-det of "
           "the features; leave it out, or weigh them with --alpha");
  if (std::holds_alternative<Regression>(options.task) != for_numbers) {
    const char* const task = for_numbers ? "regression" : "classification";
    refuse(option, fmt::format("{} is a criterion of {}, but this is {}; leave it out or add "
                               "--task {}",
                               text, task, show_task(options), task));
  }
  if (for_numbers) {
    choose_by_index(std::get<Regression>(options.task).objective, choice - variance);
  } else {
    choose_by_index(std::get<Classification>(options.task).objective, choice);
  }
}

std::string show_criterion(const FitOptions& options) {
  constexpr std::array<const char*, 5> kOfClasses{"gini", "entropy", "tsallis", "renyi", "twoing"};
  constexpr std::array<const char*, 5> kOfNumbers{"variance", "absolute", "variance-features",
                                                  "log-det", "probabilistic-linear"};
  if (std::holds_alternative<Density>(options.task) ||
      std::holds_alternative<SemiSupervised>(options.task))
    return "";
  if (const auto* task = std::get_if<Regression>(&options.task))
    return kOfNumbers[task->objective.index()];
  return kOfClasses[std::get<Classification>(options.task).objective.index()];
}

void set_kappa(FitOptions& options, Text text) {
  const OptionText option{"kappa", text, "0.5"};
  const double kappa = finite_number(option);
  if (kappa < 0) refuse(option, fmt::format("{} is negative; 0 or more is needed", text));
  auto* const task = std::get_if<Regression>(&options.task);
  auto* const rule =
      task == nullptr ? nullptr : std::get_if<FeatureVarianceObjective>(&task->objective);
  if (rule == nullptr) refuse(option, "belongs to --criterion variance-features");
  rule->kappa = kappa;
}

std::string show_kappa(const FitOptions& options) {
  const auto* const task = std::get_if<Regression>(&options.task);
  const auto* const rule =
      task == nullptr ? nullptr : std::get_if<FeatureVarianceObjective>(&task->objective);
  return rule == nullptr ? "" : fmt::format("{}", rule->kappa);
}

void set_criterion_order(FitOptions& options, Text text) {
  const OptionText option{"criterion-order", text, "2"};
  const double order = finite_number(option);
  if (!(order > 0) || order == 1) refuse(option, "must be above 0 and not 1, which is entropy");
  Classification* const classification = std::get_if<Classification>(&options.task);
  if (classification != nullptr) {
    if (auto* chosen = std::get_if<TsallisObjective>(&classification->objective)) {
      chosen->q = order;
      return;
    }
    if (auto* chosen = std::get_if<RenyiObjective>(&classification->objective)) {
      chosen->alpha = order;
      return;
    }
  }
  refuse(option, "belongs to --criterion tsallis or renyi");
}

std::string show_criterion_order(const FitOptions& options) {
  const Classification* const classification = std::get_if<Classification>(&options.task);
  if (classification == nullptr) return "";
  if (auto* chosen = std::get_if<TsallisObjective>(&classification->objective))
    return fmt::format("{}", chosen->q);
  if (auto* chosen = std::get_if<RenyiObjective>(&classification->objective))
    return fmt::format("{}", chosen->alpha);
  return "";
}

namespace {

GivenClassWeights given_class_weights(const OptionText& option) {
  GivenClassWeights given{named_weights(option, "neither balanced, resample, none nor")};
  if (given.weights.empty()) refuse(option, "is empty; try --class-weight balanced");
  return given;
}

}  // namespace

void set_class_weight(FitOptions& options, Text text) {
  const OptionText option{"class-weight", text, "balanced"};
  Classification* const classification = std::get_if<Classification>(&options.task);
  if (classification == nullptr) {
    refuse(option, fmt::format("{} has no classes; leave it out or add --task classification",
                               show_task(options)));
  }
  if (text == "none") {
    classification->class_weights = UniformClassWeights{};
  } else if (text == "balanced") {
    classification->class_weights = BalancedClassWeights{};
  } else if (text == "resample") {
    classification->class_weights = ResampledClasses{};
  } else {
    classification->class_weights = given_class_weights(option);
  }
}

std::string show_class_weight(const FitOptions& options) {
  const Classification* const classification = std::get_if<Classification>(&options.task);
  if (classification == nullptr) return "";
  const auto& weights = classification->class_weights;
  if (std::holds_alternative<UniformClassWeights>(weights)) return "none";
  if (std::holds_alternative<BalancedClassWeights>(weights)) return "balanced";
  if (std::holds_alternative<ResampledClasses>(weights)) return "resample";
  return show_named_weights(std::get<GivenClassWeights>(weights).weights);
}

// --- threshold, bins, random-thresholds ----------------------------------------------------------

void set_threshold(FitOptions& options, Text text) {
  const OptionText option{"threshold", text, "bins"};
  enum { bins, exact, random };
  switch (choice_value(option, {{"bins", bins},
                                {"exact", exact},
                                {"random", random},
                                {"quantile", bins},
                                {"exhaustive", exact},
                                {"best", exact}})) {
    case bins:
      return choose<BinnedThresholds>(options.split.thresholds);
    case exact:
      return choose<ExactThresholds>(options.split.thresholds);
    default:
      return choose<RandomThresholds>(options.split.thresholds);
  }
}

std::string show_threshold(const FitOptions& options) {
  static constexpr std::array<const char*, 3> names{"bins", "exact", "random"};
  return names[options.split.thresholds.index()];
}

namespace {

// A parameter of one threshold rule chooses that rule, unless another was chosen.
template <class Rule>
Rule& threshold_rule(FitOptions& options, const OptionText& option, const char* rule) {
  auto& chosen = options.split.thresholds;
  const bool by_default = std::holds_alternative<BinnedThresholds>(chosen);
  if (by_default && !std::holds_alternative<Rule>(chosen)) chosen = Rule{};
  if (!std::holds_alternative<Rule>(chosen)) {
    refuse(option, fmt::format("belongs to --threshold {}, but --threshold {} was chosen", rule,
                               show_threshold(options)));
  }
  return std::get<Rule>(chosen);
}

}  // namespace

void set_bins(FitOptions& options, Text text) {
  const OptionText option{"bins", text, "256"};
  const std::uint32_t bins = count_value(option, 2);
  threshold_rule<BinnedThresholds>(options, option, "bins").bins = bins;
}

void set_exact_rows(FitOptions& options, Text text) {
  const OptionText option{"exact-rows", text, "2048"};
  const std::uint32_t rows = count_value(option, 0);
  threshold_rule<BinnedThresholds>(options, option, "bins").exact_rows = rows;
}

void set_random_thresholds(FitOptions& options, Text text) {
  const OptionText option{"random-thresholds", text, "1"};
  const std::uint32_t count = count_value(option, 1);
  threshold_rule<RandomThresholds>(options, option, "random").per_feature = count;
}

std::string show_bins(const FitOptions& options) {
  const auto* const rule = std::get_if<BinnedThresholds>(&options.split.thresholds);
  return rule == nullptr ? "" : fmt::format("{}", bins_per_feature(*rule, options.task));
}

std::string show_exact_rows(const FitOptions& options) {
  const auto* const rule = std::get_if<BinnedThresholds>(&options.split.thresholds);
  return rule == nullptr ? "" : fmt::format("{}", rows_searched_exactly(*rule, options.task));
}

std::string show_random_thresholds(const FitOptions& options) {
  const auto* const rule = std::get_if<RandomThresholds>(&options.split.thresholds);
  return rule == nullptr ? "" : fmt::format("{}", rule->per_feature);
}

// --- max-features, bagging, importance -----------------------------------------------------------

void set_max_features(FitOptions& options, Text text) {
  const OptionText option{"max-features", text, "sqrt"};
  FeatureChoice& choice = options.split.max_features;
  const bool number = !text.empty() && text.find_first_not_of("0123456789.eE+-") == Text::npos;
  if (text == "default") {
    choice = DefaultFeatures{};
  } else if (text == "all") {
    choice = AllFeatures{};
  } else if (text == "sqrt") {
    choice = SqrtFeatures{};
  } else if (text == "log2") {
    choice = Log2Features{};
  } else if (!number) {
    refuse(option, fmt::format("'{}' is neither a count, a fraction like 0.33, nor one of sqrt, "
                               "log2, all, default",
                               text));
  } else if (text.find_first_not_of("0123456789") == Text::npos) {
    choice = FeatureCount{count_value(option, 1)};
  } else {
    const double fraction = finite_number(option);
    if (!(fraction > 0 && fraction <= 1)) {
      refuse(option, fmt::format("{} is not a fraction above 0 and up to 1; write a whole number "
                                 "for a count of features",
                                 text));
    }
    choice = FeatureFraction{fraction};
  }
}

namespace {

// 1.0 stays a fraction: "1" would be one feature.
std::string show_fraction(double fraction) {
  const std::string shown = fmt::format("{}", fraction);
  return shown == "1" ? "1.0" : shown;
}

}  // namespace

std::string show_max_features(const FitOptions& options) {
  return std::visit(
      [](const auto& choice) -> std::string {
        using Kind = std::decay_t<decltype(choice)>;
        if constexpr (std::is_same_v<Kind, DefaultFeatures>) return "default";
        if constexpr (std::is_same_v<Kind, AllFeatures>) return "all";
        if constexpr (std::is_same_v<Kind, SqrtFeatures>) return "sqrt";
        if constexpr (std::is_same_v<Kind, Log2Features>) return "log2";
        if constexpr (std::is_same_v<Kind, FeatureFraction>) return show_fraction(choice.fraction);
        if constexpr (std::is_same_v<Kind, FeatureCount>) return fmt::format("{}", choice.count);
      },
      options.split.max_features);
}

void set_bagging(FitOptions& options, Text text) {
  const OptionText option{"bagging", text, "with-replacement"};
  options.sampling.bagging = static_cast<Bagging>(
      choice_value(option, {{"with-replacement", std::size_t(Bagging::with_replacement)},
                            {"without-replacement", std::size_t(Bagging::without_replacement)},
                            {"none", std::size_t(Bagging::none)},
                            {"true", std::size_t(Bagging::with_replacement)},
                            {"false", std::size_t(Bagging::none)}}));
}

std::string show_bagging(const FitOptions& options) {
  static constexpr std::array<const char*, 3> names{"with-replacement", "without-replacement",
                                                    "none"};
  return names[std::size_t(options.sampling.bagging)];
}

void set_max_samples(FitOptions& options, Text text) {
  const OptionText option{"max-samples", text, "0.632"};
  const double share = finite_number(option);
  if (!(share > 0 && share <= 1000)) {
    refuse(option, fmt::format("{} is not a share of the rows above 0 and up to 1000", text));
  }
  options.sampling.max_samples = share;
}

void set_min_impurity_decrease(FitOptions& options, Text text) {
  const OptionText option{"min-impurity-decrease", text, "0.001"};
  const double least = finite_number(option);
  if (least < 0) refuse(option, fmt::format("{} is negative; 0 or more is needed", text));
  options.growth.min_impurity_decrease = least;
}

void set_growth_order(FitOptions& options, Text text) {
  const OptionText option{"growth-order", text, "depth-first"};
  options.growth.order = static_cast<GrowthOrder>(
      choice_value(option, {{"depth-first", std::size_t(GrowthOrder::depth_first)},
                            {"breadth-first", std::size_t(GrowthOrder::breadth_first)}}));
}

std::string show_growth_order(const FitOptions& options) {
  return options.growth.order == GrowthOrder::depth_first ? "depth-first" : "breadth-first";
}

void set_importance(FitOptions& options, Text text) {
  options.report.permutation_importance = options.report.unbiased_importance = false;
  for (const Text part : split_list(text, ',')) {
    const OptionText option{"importance", part, "impurity,permutation"};
    switch (choice_value(option, {{"impurity", 0}, {"permutation", 1}, {"unbiased", 2}})) {
      case 1:
        options.report.permutation_importance = true;
        break;
      case 2:
        options.report.unbiased_importance = true;
        break;
      default:
        break;
    }
  }
}

std::string show_importance(const FitOptions& options) {
  return fmt::format("impurity{}{}", options.report.permutation_importance ? ",permutation" : "",
                     options.report.unbiased_importance ? ",unbiased" : "");
}

}  // namespace coppice
