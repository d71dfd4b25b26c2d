#include "tasks/density_options.h"

#include <fmt/format.h>

#include "coppice/density.h"
#include "tasks/option_choices.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Text = std::string_view;
using Options = FitOptions;

Density& density_of(Options& options, const OptionText& option) {
  if (auto* task = std::get_if<Density>(&options.task)) return *task;
  refuse(option, fmt::format("is for densities, but this is {}; leave it out or add --task density",
                             show_task(options)));
}

// Of a density or of learning from few labels.
double* samples_per_feature(Options& options) {
  if (auto* task = std::get_if<Density>(&options.task)) return &task->samples_per_feature;
  if (auto* task = std::get_if<SemiSupervised>(&options.task)) return &task->samples_per_feature;
  return nullptr;
}

double not_negative(const OptionText& option) {
  const double value = finite_number(option);
  if (value < 0) refuse(option, fmt::format("{} is negative; 0 or more is needed", option.text));
  return value;
}

// The text of a number of a density; empty for other tasks.
template <double Density::*number>
std::string show(const Options& options) {
  const auto* task = std::get_if<Density>(&options.task);
  return task ? fmt::format("{}", task->*number) : "";
}

}  // namespace

GrowthOptions growth_of(const FitOptions& options) {
  constexpr std::uint32_t kMostLevels = 14;
  GrowthOptions growth = options.growth;
  if (std::holds_alternative<Density>(options.task) && !growth.max_depth)
    growth.max_depth = kMostLevels;
  return growth;
}

FitOptions density_options() {
  FitOptions options;
  options.task = Density{};
  options.split.thresholds = RandomThresholds{.per_feature = 8};
  options.growth.min_samples_leaf = 20;
  return options;
}

std::vector<OptionRow> density_rows() {
  return {
      {"density-prior",
       {},
       "N",
       "density: samples per feature that a leaf takes over from the node above it (1)",
       [](Options& o, Text t) {
         const OptionText option{"density-prior", t, "2"};
         density_of(o, option).prior = not_negative(option);
       },
       show<&Density::prior>,
       true},
      {"density-floor",
       {},
       "SHARE",
       "density: added to every variance of a leaf, as a share of the data's (0.001)",
       [](Options& o, Text t) {
         const OptionText option{"density-floor", t, "0.001"};
         density_of(o, option).floor = not_negative(option);
       },
       show<&Density::floor>,
       true},
      {"samples-per-feature",
       {},
       "N",
       "density, semi-supervised: a leaf keeps at least so many samples, times features + 1 (2, 1)",
       [](Options& o, Text t) {
         const OptionText option{"samples-per-feature", t, "3"};
         double* const samples = samples_per_feature(o);
         (samples ? *samples : density_of(o, option).samples_per_feature) = not_negative(option);
       },
       [](const Options& o) -> std::string {
         Options copy = o;
         const double* const samples = samples_per_feature(copy);
         return samples ? fmt::format("{}", *samples) : "";
       },
       true},
      {"normalisation",
       {},
       "leaf|tree",
       "density: what a Gaussian is divided by, its mass in its cell or that of the tree (tree)",
       [](Options& o, Text t) {
         const OptionText option{"normalisation", t, "leaf"};
         density_of(o, option).normalisation = static_cast<Normalisation>(
             choice_value(option, {{"leaf", std::size_t(Normalisation::leaf)},
                                   {"tree", std::size_t(Normalisation::tree)}}));
       },
       [](const Options& o) -> std::string {
         const auto* task = std::get_if<Density>(&o.task);
         if (task == nullptr) return "";
         return task->normalisation == Normalisation::leaf ? "leaf" : "tree";
       },
       true},
  };
}

}  // namespace coppice
