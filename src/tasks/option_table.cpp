// The table itself: a new option is a row here, a field of FitOptions and a line in doc/options.md.
#include "tasks/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "coppice/error.h"
#include "data/spelling.h"
#include "tasks/density_options.h"
#include "tasks/leaf_options.h"
#include "tasks/learner_options.h"
#include "tasks/method_options.h"
#include "tasks/option_choices.h"
#include "tasks/option_values.h"
#include "tasks/recipes.h"
#include "tasks/semi_supervised_options.h"

namespace coppice {
namespace {

using Text = std::string_view;
using Options = FitOptions;

std::optional<std::uint32_t> optional_count(const OptionText& option, std::uint32_t least) {
  if (option.text == "none") return std::nullopt;
  return count_value(option, least);
}

std::string show_optional(const std::optional<std::uint32_t>& count) {
  return count ? fmt::format("{}", *count) : "none";
}

template <class Number>
std::string show_number(Number number) {
  return fmt::format("{}", number);
}

std::vector<OptionRow> task_rows() {
  return {
      {"task",
       {},
       "classification|regression|density|manifold|semi-supervised",
       "what is learnt; the default follows from the target",
       set_task,
       show_task,
       true},
      {"recipe",
       {},
       "NAME",
       "breiman, extra-trees, criminisi, einfalt-cr, einfalt-or, einfalt-so, rotation, ccf, "
       "quantile, grabner",
       set_recipe,
       show_recipe,
       true},
      {"criterion",
       {"objective"},
       "gini|entropy|tsallis|renyi|twoing|variance|absolute|variance-features|log-det|"
       "probabilistic-linear",
       "what makes a split good; the first five for classes, the others for numbers "
       "(gini, variance)",
       set_criterion,
       show_criterion,
       true},
      {"criterion-order",
       {},
       "NUMBER",
       "q of --criterion tsallis, alpha of renyi (2)",
       set_criterion_order,
       show_criterion_order,
       true},
      {"kappa",
       {},
       "NUMBER",
       "weight of the features in --criterion variance-features (1)",
       set_kappa,
       show_kappa,
       true},
      {"class-weight",
       {},
       "balanced|resample|none|LIST",
       "balanced weights, bags that draw all classes equally often, or a list a=2,b=0.5 (none)",
       set_class_weight,
       show_class_weight,
       true},
  };
}

std::vector<OptionRow> leaf_rows() {
  return {
      {"leaf",
       {},
       "histogram|constant|linear|polynomial|probabilistic-constant|probabilistic-linear|quantiles",
       "what a leaf remembers (histogram; for regression constant)",
       set_leaf,
       show_leaf,
       true},
      {"leaf-prior",
       {},
       "N",
       "classification: samples added to every class of a leaf (0)",
       set_leaf_prior,
       show_leaf_prior,
       true},
      {"leaf-regressors",
       {},
       "N",
       "terms of a linear leaf at most (8, probabilistic 4)",
       set_leaf_regressors,
       show_leaf_regressors,
       true},
      {"leaf-degree",
       {},
       "N",
       "highest power in the leaves of --leaf polynomial (2)",
       set_leaf_degree,
       show_leaf_degree,
       true},
      {"leaf-ridge",
       {},
       "N",
       "Tikhonov regularisation of linear leaves, in samples (1)",
       set_leaf_ridge,
       show_leaf_ridge,
       true},
      {"leaf-points",
       {},
       "N",
       "quantiles kept by the leaves of --leaf quantiles (16)",
       set_leaf_points,
       show_leaf_points,
       true},
      {"ensemble",
       {},
       "mean|product|vote|confidence",
       "how the answers of the trees become one (mean)",
       set_ensemble,
       show_ensemble,
       true},
  };
}

std::vector<OptionRow> forest_rows() {
  return {
      {"n-estimators",
       {"num-trees", "trees"},
       "N",
       "trees of the forest (100)",
       [](Options& o, Text t) {
         o.forest.trees = count_value({"n-estimators", t, "500"}, 1);
         if (auto* task = std::get_if<Density>(&o.task)) task->choose_trees = false;
       },
       [](const Options& o) { return show_number(o.forest.trees); },
       true},
      {"seed",
       {"random-state"},
       "N",
       "the same seed gives the same forest (1)",
       [](Options& o, Text t) {
         o.forest.seed = whole_number({"seed", t, "7"});
       },
       [](const Options& o) { return show_number(o.forest.seed); },
       true},
      {"bagging",
       {"bootstrap"},
       "with-replacement|without-replacement|none",
       "how the rows of a tree are drawn; true and false do as well",
       set_bagging,
       show_bagging,
       true},
      {"max-samples",
       {"sample-fraction"},
       "SHARE",
       "rows drawn per tree, as a share of all (1)",
       set_max_samples,
       [](const Options& o) { return show_number(o.sampling.max_samples); },
       true},
  };
}

std::vector<OptionRow> split_rows() {
  return {
      {"threshold",
       {"splitter"},
       "bins|exact|random",
       "which thresholds are tried; bins: large nodes by bins, the others exactly (bins)",
       set_threshold,
       show_threshold,
       true},
      {"bins",
       {},
       "N",
       "bins per feature of --threshold bins (256, for regression 2048)",
       set_bins,
       show_bins,
       true},
      {"exact-rows",
       {},
       "N",
       "rows up to which --threshold bins searches a node exactly (2048, for regression 8192)",
       set_exact_rows,
       show_exact_rows,
       true},
      {"random-thresholds",
       {},
       "N",
       "thresholds per feature of --threshold random (1)",
       set_random_thresholds,
       show_random_thresholds,
       true},
      {"max-features",
       {"mtry"},
       "COUNT|FRACTION|sqrt|log2|all|default",
       "features tried per node (sqrt, for regression a third, for density all)",
       set_max_features,
       show_max_features,
       true},
      {"max-node-samples",
       {},
       "N|none",
       "larger nodes are searched on a random subset (none)",
       [](Options& o, Text t) {
         o.split.max_node_samples = optional_count({"max-node-samples", t, "10000"}, 2);
       },
       [](const Options& o) { return show_optional(o.split.max_node_samples); },
       true},
  };
}

std::vector<OptionRow> growth_rows() {
  return {
      {"max-depth",
       {},
       "N|none",
       "splits between root and leaf at most (none)",
       [](Options& o, Text t) {
         o.growth.max_depth = optional_count({"max-depth", t, "12"}, 0);
       },
       [](const Options& o) { return show_optional(o.growth.max_depth); },
       true},
      {"min-samples-split",
       {},
       "N",
       "smaller nodes become leaves (2)",
       [](Options& o, Text t) {
         o.growth.min_samples_split = count_value({"min-samples-split", t, "10"}, 2);
       },
       [](const Options& o) { return show_number(o.growth.min_samples_split); },
       true},
      {"min-samples-leaf",
       {"min-node-size"},
       "N",
       "samples that each leaf keeps at least (1)",
       [](Options& o, Text t) {
         o.growth.min_samples_leaf = count_value({"min-samples-leaf", t, "5"}, 1);
       },
       [](const Options& o) { return show_number(o.growth.min_samples_leaf); },
       true},
      {"min-impurity-decrease",
       {},
       "GAIN",
       "gain per sample that a split must reach (0)",
       set_min_impurity_decrease,
       [](const Options& o) { return show_number(o.growth.min_impurity_decrease); },
       true},
      {"growth-order",
       {},
       "depth-first|breadth-first",
       "never changes the result",
       set_growth_order,
       show_growth_order,
       false},
  };
}

std::vector<OptionRow> report_rows() {
  return {
      {"oob",
       {"oob-score"},
       "true|false",
       "estimate the error on out-of-bag rows (true)",
       [](Options& o, Text t) {
         o.report.out_of_bag = truth_value({"oob", t, "true"});
       },
       [](const Options& o) -> std::string { return o.report.out_of_bag ? "true" : "false"; },
       true},
      {"calibration",
       {},
       "true|false",
       "regression: calibrate intervals on out-of-bag rows (false)",
       [](Options& o, Text t) {
         o.report.calibration = truth_value({"calibration", t, "true"});
       },
       [](const Options& o) -> std::string { return o.report.calibration ? "true" : ""; },
       true},
      {"importance",
       {},
       "LIST",
       "of impurity, permutation, unbiased (impurity)",
       set_importance,
       show_importance,
       true},
  };
}

std::vector<OptionRow> all_rows() {
  std::vector<OptionRow> rows;
  for (auto part : {task_rows, method_rows, density_rows, semi_supervised_rows, leaf_rows,
                    forest_rows, learner_rows, box_rows, split_rows, growth_rows, report_rows}) {
    for (OptionRow& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const OptionRow& row : option_table()) {
    names.emplace_back(row.name);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  return names;
}

const OptionRow& known_option(Text name) {
  if (const OptionRow* const row = find_option(name)) return *row;
  const auto nearest = nearest_spelling(name, known_names());
  throw Error(ErrorKind::invalid_option,
              fmt::format("--{}: there is no such option{}", name,
                          nearest ? fmt::format("; did you mean --{}?", *nearest)
                                  : "; doc/options.md lists them all"));
}

}  // namespace

std::span<const OptionRow> option_table() {
  static const std::vector<OptionRow> table = all_rows();
  return table;
}

const OptionRow* find_option(std::string_view name) {
  std::string hyphened(name);
  std::replace(hyphened.begin(), hyphened.end(), '_', '-');
  for (const OptionRow& row : option_table()) {
    if (hyphened == row.name) return &row;
    for (const char* const alias : row.aliases) {
      if (hyphened == alias) return &row;
    }
  }
  return nullptr;
}

void set_option(FitOptions& options, std::string_view name, std::string_view value) {
  known_option(name).set(options, value);
}

void set_options(FitOptions& options,
                 std::span<const std::pair<std::string, std::string>> named_values) {
  for (const auto& named : named_values) known_option(named.first);
  for (const OptionRow& row : option_table()) {
    const std::string* last = nullptr;
    for (const auto& [name, value] : named_values) {
      if (find_option(name) == &row) last = &value;
    }
    if (last != nullptr) row.set(options, *last);
  }
}

std::vector<std::pair<std::string, std::string>> shown_options(const FitOptions& options) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const OptionRow& row : option_table()) {
    if (!row.changes_model) continue;
    if (std::string value = row.show(options); !value.empty()) {
      shown.emplace_back(row.name, std::move(value));
    }
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace coppice
