// The arguments of the verbs that refine forests.
#pragma once

#include <string>

#include "coppice/refine.h"
#include "json_output.h"

namespace CLI {
class App;
}

namespace coppice {

struct RefineArguments {
  std::string method = "gr", loss = "default", cost = "auto", validation = "20%";
  double epsilon = AbsoluteLoss{}.epsilon;
  std::size_t cost_folds = 0;
  std::uint64_t seed = 1;
  std::string prefix = {};  // of the names of the options
};

// All but method and seed; option names begin with the prefix ("", or "refine-").
void declare_refinement(CLI::App&, const std::string& prefix, RefineArguments&);

// Throws Error(invalid_option) that names the option.
RefineOptions refine_options(const RefineArguments&);

// What train has to be told to refine like this; empty if it does not refine.
std::string refinement_command(const RefineArguments&);

// Throws if any is given beside the method.
void require_unused(const RefineArguments&);

// "0.5%" or "0.005".
double share_value(const std::string& option, const std::string& text);

// Cost, and errors on validation rows before and after.
std::string refinement_text(const RefineReport&, bool classes);
Json refinement_json(const RefineReport&);

}  // namespace coppice
