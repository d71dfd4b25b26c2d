// What was there before leaves could be chosen shows no text, so that its models stay the same.
#include "tasks/leaf_options.h"

#include <fmt/format.h>

#include "tasks/option_choices.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Text = std::string_view;

constexpr std::uint32_t kMostRegressors = 64, kMostDegree = 8, kMostPoints = 64;

Regression& regression_of(FitOptions& options, const OptionText& option) {
  if (auto* regression = std::get_if<Regression>(&options.task)) return *regression;
  refuse(option, fmt::format("is for regression, but this is {}; leave it out or add "
                             "--task regression",
                             show_task(options)));
}

const Regression* regression_of(const FitOptions& options) {
  return std::get_if<Regression>(&options.task);
}

template <class Leaf>
const Leaf* leaf_of(const FitOptions& options) {
  const Regression* const regression = regression_of(options);
  return regression == nullptr ? nullptr : std::get_if<Leaf>(&regression->leaf);
}

[[noreturn]] void refuse_other_leaf(const FitOptions& options, const OptionText& option,
                                    const char* leaf) {
  const std::string chosen = show_leaf(options);
  refuse(option, fmt::format("belongs to --leaf {}, but --leaf {} was chosen", leaf,
                             chosen.empty() ? "constant" : chosen));
}

double not_negative(const OptionText& option) {
  const double value = finite_number(option);
  if (value < 0) refuse(option, fmt::format("{} is negative; 0 or more is needed", option.text));
  return value;
}

std::uint32_t bounded(const OptionText& option, std::uint32_t most) {
  return static_cast<std::uint32_t>(whole_number(option, 1, most));
}

}  // namespace

void set_leaf(FitOptions& options, Text text) {
  const OptionText option{"leaf", text, "linear"};
  enum { histogram, constant, linear, polynomial, gaussian, gaussian_linear, quantiles };
  const std::size_t choice = choice_value(option, {{"histogram", histogram},
                                                   {"constant", constant},
                                                   {"linear", linear},
                                                   {"polynomial", polynomial},
                                                   {"probabilistic-constant", gaussian},
                                                   {"probabilistic-linear", gaussian_linear},
                                                   {"quantiles", quantiles}});
  if (choice == histogram) {
    if (std::holds_alternative<Classification>(options.task)) return;
    refuse(option, fmt::format("histogram is a leaf of classification, but this is {}; leave it "
                               "out",
                               show_task(options)));
  }
  Regression& task = regression_of(options, option);
  if (choice == constant) task.leaf = ConstantLeaf{};
  if (choice == linear) task.leaf = LinearLeaf{};
  if (choice == polynomial) task.leaf = LinearLeaf{.degree = 2};
  if (choice == gaussian) task.leaf = ProbabilisticConstantLeaf{};
  if (choice == gaussian_linear) task.leaf = ProbabilisticLinearLeaf{};
  if (choice == quantiles) task.leaf = QuantileLeaf{};
}

std::string show_leaf(const FitOptions& options) {
  if (const auto* leaf = leaf_of<LinearLeaf>(options))
    return leaf->degree == 1 ? "linear" : "polynomial";
  if (leaf_of<ProbabilisticConstantLeaf>(options)) return "probabilistic-constant";
  if (leaf_of<ProbabilisticLinearLeaf>(options)) return "probabilistic-linear";
  return leaf_of<QuantileLeaf>(options) ? "quantiles" : "";
}

void set_leaf_prior(FitOptions& options, Text text) {
  const OptionText option{"leaf-prior", text, "1"};
  auto* const task = std::get_if<Classification>(&options.task);
  if (task == nullptr)
    refuse(option, "is for classification, but this is regression; leave it out");
  task->leaf.prior = not_negative(option);
}

std::string show_leaf_prior(const FitOptions& options) {
  const auto* const task = std::get_if<Classification>(&options.task);
  return task == nullptr || task->leaf.prior <= 0 ? "" : fmt::format("{}", task->leaf.prior);
}

void set_leaf_regressors(FitOptions& options, Text text) {
  const OptionText option{"leaf-regressors", text, "4"};
  const std::uint32_t count = bounded(option, kMostRegressors);
  Regression& task = regression_of(options, option);
  if (auto* leaf = std::get_if<LinearLeaf>(&task.leaf)) {
    leaf->regressors = count;
  } else if (auto* probabilistic = std::get_if<ProbabilisticLinearLeaf>(&task.leaf)) {
    probabilistic->regressors = count;
  } else {
    refuse_other_leaf(options, option, "linear");
  }
}

std::string show_leaf_regressors(const FitOptions& options) {
  if (const auto* leaf = leaf_of<LinearLeaf>(options)) return fmt::format("{}", leaf->regressors);
  const auto* leaf = leaf_of<ProbabilisticLinearLeaf>(options);
  return leaf == nullptr ? "" : fmt::format("{}", leaf->regressors);
}

void set_leaf_degree(FitOptions& options, Text text) {
  const OptionText option{"leaf-degree", text, "2"};
  const std::uint32_t degree = bounded(option, kMostDegree);
  auto* const leaf = std::get_if<LinearLeaf>(&regression_of(options, option).leaf);
  if (leaf == nullptr) refuse_other_leaf(options, option, "polynomial");
  leaf->degree = degree;
}

std::string show_leaf_degree(const FitOptions& options) {
  const auto* const leaf = leaf_of<LinearLeaf>(options);
  return leaf == nullptr || leaf->degree == 1 ? "" : fmt::format("{}", leaf->degree);
}

void set_leaf_ridge(FitOptions& options, Text text) {
  const OptionText option{"leaf-ridge", text, "0.1"};
  const double ridge = not_negative(option);
  auto* const leaf = std::get_if<LinearLeaf>(&regression_of(options, option).leaf);
  if (leaf == nullptr) refuse_other_leaf(options, option, "linear");
  leaf->ridge = ridge;
}

std::string show_leaf_ridge(const FitOptions& options) {
  const auto* const leaf = leaf_of<LinearLeaf>(options);
  return leaf == nullptr ? "" : fmt::format("{}", leaf->ridge);
}

void set_leaf_points(FitOptions& options, Text text) {
  const OptionText option{"leaf-points", text, "32"};
  const std::uint32_t points = bounded(option, kMostPoints);
  auto* const leaf = std::get_if<QuantileLeaf>(&regression_of(options, option).leaf);
  if (leaf == nullptr) refuse_other_leaf(options, option, "quantiles");
  leaf->points = points;
}

std::string show_leaf_points(const FitOptions& options) {
  const auto* const leaf = leaf_of<QuantileLeaf>(options);
  return leaf == nullptr ? "" : fmt::format("{}", leaf->points);
}

Ensemble ensemble_value(Text text) {
  return static_cast<Ensemble>(choice_value({"ensemble", text, "mean"},
                                            {{"mean", std::size_t(Ensemble::mean)},
                                             {"product", std::size_t(Ensemble::product)},
                                             {"vote", std::size_t(Ensemble::vote)},
                                             {"confidence", std::size_t(Ensemble::confidence)}}));
}

void set_ensemble(FitOptions& options, Text text) {
  const Ensemble ensemble = ensemble_value(text);
  if (ensemble == Ensemble::vote && regression_of(options) != nullptr)
    refuse({"ensemble", text, "mean"}, "regression has no classes to vote for; try mean");
  options.forest.ensemble = ensemble;
}

std::string show_ensemble(const FitOptions& options) {
  switch (options.forest.ensemble) {
    case Ensemble::product:
      return "product";
    case Ensemble::vote:
      return "vote";
    case Ensemble::confidence:
      return "confidence";
    case Ensemble::mean:
    case Ensemble::sum:
      break;
  }
  return "";
}

}  // namespace coppice
