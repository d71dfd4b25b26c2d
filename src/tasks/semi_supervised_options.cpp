#include "tasks/semi_supervised_options.h"

#include <fmt/format.h>

#include "coppice/semi_supervised.h"
#include "tasks/option_choices.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Text = std::string_view;
using Options = FitOptions;

SemiSupervised& semi_supervised_of(Options& options, const OptionText& option) {
  if (auto* task = std::get_if<SemiSupervised>(&options.task)) return *task;
  refuse(option, fmt::format("is for learning from few labels, but this is {}; leave it out or add "
                             "--task semi-supervised",
                             show_task(options)));
}

template <auto SemiSupervised::*number>
std::string show(const Options& options) {
  const auto* task = std::get_if<SemiSupervised>(&options.task);
  return task ? fmt::format("{}", task->*number) : "";
}

}  // namespace

FitOptions semi_supervised_options() {
  FitOptions options;
  options.task = SemiSupervised{};
  options.sampling.bagging = Bagging::none;  // a tree without a label would know nothing
  options.split.thresholds = RandomThresholds{.per_feature = 8};
  return options;
}

std::vector<OptionRow> semi_supervised_rows() {
  return {
      {"alpha",
       {},
       "X",
       "semi-supervised: what the gain about labels counts beside that about the density (1)",
       [](Options& o, Text t) {
         const OptionText option{"alpha", t, "1"};
         semi_supervised_of(o, option).alpha = finite_number(option);
       },
       show<&SemiSupervised::alpha>,
       true},
      {"components",
       {},
       "N",
       "semi-supervised: of more numbers Gaussians see so many principal components (16)",
       [](Options& o, Text t) {
         const OptionText option{"components", t, "16"};
         semi_supervised_of(o, option).components = count_value(option, 1);
       },
       show<&SemiSupervised::components>,
       true},
      {"neighbours",
       {},
       "N",
       "semi-supervised: leaves that labels can reach from a leaf in one step (24)",
       [](Options& o, Text t) {
         const OptionText option{"neighbours", t, "24"};
         semi_supervised_of(o, option).neighbours = count_value(option, 1);
       },
       show<&SemiSupervised::neighbours>,
       true},
  };
}

}  // namespace coppice
