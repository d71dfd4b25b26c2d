#include "tasks/recipes.h"

#include <utility>
#include <vector>

#include "tasks/option_table.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Settings = std::vector<std::pair<const char*, const char*>>;

// Breiman 2001: bootstrap samples, the best of all thresholds of few features.
Settings breiman() { return {{"threshold", "exact"}, {"bagging", "with-replacement"}}; }

// Geurts, Ernst, Wehenkel 2006: all rows, one random threshold per feature.
Settings extra_trees() { return {{"random-thresholds", "1"}, {"bagging", "none"}}; }

// Criminisi, Shotton, Konukoglu 2012: all rows in every tree, random candidates, information gain;
// for numbers, leaves that are lines with their uncertainty.
Settings criminisi(bool classes) {
  Settings settings{{"random-thresholds", "10"}, {"bagging", "none"}};
  if (classes) {
    settings.emplace_back("criterion", "entropy");
  } else {
    settings.emplace_back("leaf", "probabilistic-linear");
    settings.emplace_back("min-samples-leaf", "5");
  }
  return settings;
}

// Einfalt 2014, section 6.1: 100 trees of depth 12, leaves of four samples, four features and seven
// thresholds per node; CR with constant leaves, SO with lines of one regressor, OR also with splits
// by the entropy of such lines.
Settings einfalt(bool lines, bool splits_by_lines = false) {
  Settings settings{{"n-estimators", "100"}, {"max-depth", "12"},        {"min-samples-leaf", "4"},
                    {"max-features", "4"},   {"random-thresholds", "7"}, {"bagging", "none"}};
  settings.emplace_back("leaf", lines ? "linear" : "constant");
  if (lines) settings.emplace_back("leaf-regressors", "1");
  if (splits_by_lines) settings.emplace_back("criterion", "probabilistic-linear");
  return settings;
}

// After Rodriguez, Kuncheva, Alonso 2006: principal components, here those of each node.
Settings rotation() { return {{"split", "pca"}, {"bagging", "with-replacement"}}; }

// Rainforth and Wood 2015: canonical correlations of few features with the targets, all rows.
Settings ccf(bool classes) {
  Settings settings{{"split", "lda"}, {"threshold", "exact"}, {"bagging", "none"}};
  if (classes) settings.emplace_back("criterion", "entropy");
  return settings;
}

// Grabner 2016, tables 4.3 and 4.7: 50 trees of depth 20 on all rows, features and differences of
// two, nodes searched on 25 samples. Goes with every method.
Settings grabner(bool classes) {
  Settings settings{{"n-estimators", "50"},     {"max-depth", "20"},
                    {"bagging", "none"},        {"split", "axis,difference"},
                    {"max-node-samples", "25"}, {"max-features", "0.5"}};
  if (classes) settings.emplace_back("criterion", "entropy");
  return settings;
}

// After Meinshausen 2006: leaves that keep quantiles, with calibrated intervals.
Settings quantile() {
  return {{"leaf", "quantiles"}, {"min-samples-leaf", "5"}, {"calibration", "true"}};
}

}  // namespace

void set_recipe(FitOptions& options, std::string_view name) {
  enum {
    a_breiman,
    an_extra,
    a_criminisi,
    an_einfalt_so,
    an_einfalt_cr,
    an_einfalt_or,
    a_rotation,
    a_ccf,
    a_quantile,
    a_grabner
  };
  const bool classes = std::holds_alternative<Classification>(options.task);
  const auto settings = [&]() -> Settings {
    switch (choice_value({"recipe", name, "breiman"}, {{"breiman", a_breiman},
                                                       {"extra-trees", an_extra},
                                                       {"criminisi", a_criminisi},
                                                       {"einfalt-so", an_einfalt_so},
                                                       {"einfalt-cr", an_einfalt_cr},
                                                       {"einfalt-or", an_einfalt_or},
                                                       {"rotation", a_rotation},
                                                       {"ccf", a_ccf},
                                                       {"quantile", a_quantile},
                                                       {"grabner", a_grabner}})) {
      case an_extra:
        return extra_trees();
      case a_criminisi:
        return criminisi(classes);
      case an_einfalt_so:
        return einfalt(true);
      case an_einfalt_cr:
        return einfalt(false);
      case an_einfalt_or:
        return einfalt(true, true);
      case a_rotation:
        return rotation();
      case a_ccf:
        return ccf(classes);
      case a_quantile:
        return quantile();
      case a_grabner:
        return grabner(classes);
      default:
        return breiman();
    }
  };
  for (const auto& [option, value] : settings()) set_option(options, option, value);
}

std::string show_recipe(const FitOptions&) { return ""; }

}  // namespace coppice
