// Named sets of options, each after the paper that describes it: nobody has to know them all.
#pragma once

#include <string>
#include <string_view>

#include "coppice/options.h"

namespace coppice {

// Sets what the recipe says; options that are set later change it again. Throws
// Error(invalid_option), for an unknown name with all that there are.
void set_recipe(FitOptions&, std::string_view name);
// A recipe leaves no trace but the options that it set.
std::string show_recipe(const FitOptions&);

}  // namespace coppice
