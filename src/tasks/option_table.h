// The only list of option names: what the command line, the C interface and the model file call the
// fields of FitOptions. Names follow scikit-learn, with hyphens.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coppice/options.h"

namespace coppice {

struct OptionRow {
  const char* name;
  std::vector<const char*> aliases;
  const char* value;  // what to write after the name, for help: "N", "gini|entropy|variance"
  const char* help;
  // Throws Error(invalid_option): "--max-depth: 'abc' is not a whole number; try --max-depth 12".
  void (*set)(FitOptions&, std::string_view);
  // A text that set() accepts; empty if the option means nothing beside the other choices.
  std::string (*show)(const FitOptions&);
  bool changes_model;  // false: the model file is the same whatever the value
};

// In the order in which options are to be set: `task` first, `threshold` before its parameters.
std::span<const OptionRow> option_table();

// Null if no row has this name or alias. '_' counts as '-'.
const OptionRow* find_option(std::string_view name);

// Throws Error(invalid_option), for an unknown name with the nearest known one.
void set_option(FitOptions&, std::string_view name, std::string_view value);

// Sets all of them in the order of the table; of two values for one option the later counts.
void set_options(FitOptions&, std::span<const std::pair<std::string, std::string>> named_values);

// Name and value of every option that changes the model, in order of name.
std::vector<std::pair<std::string, std::string>> shown_options(const FitOptions&);

}  // namespace coppice
