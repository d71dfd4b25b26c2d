// See canonical_command.h.
#include "canonical_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "coppice/density.h"
#include "coppice/embedding.h"
#include "coppice/semi_supervised.h"
#include "tasks/option_table.h"

namespace coppice {

std::string shell_quoted(const std::string& text) {
  static constexpr const char* safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(safe) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

namespace {

void append(std::string& command, const std::string& option, const std::string& value) {
  if (!value.empty()) command += fmt::format(" --{} {}", option, shell_quoted(value));
}

void append_columns(std::string& command, const char* option,
                    const std::vector<std::string>& columns) {
  append(command, option, fmt::format("{}", fmt::join(columns, ",")));
}

void append_changed_options(std::string& command, const FitOptions& options, bool manifold) {
  FitOptions unchanged;
  if (std::holds_alternative<Regression>(options.task)) unchanged.task = Regression{};
  if (std::holds_alternative<Density>(options.task)) unchanged = density_options();
  if (std::holds_alternative<SemiSupervised>(options.task)) unchanged = semi_supervised_options();
  if (manifold) unchanged = manifold_options();
  const auto defaults = shown_options(unchanged);
  const std::map<std::string, std::string> usual(defaults.begin(), defaults.end());
  for (const auto& [name, value] : shown_options(options)) {
    const auto found = usual.find(name);
    if (found == usual.end() || found->second != value) append(command, name, value);
  }
}

}  // namespace

std::string canonical_command(const DataArguments& data, const FitOptions& options,
                              const std::string& task) {
  std::string command =
      "coppice train " + shell_quoted(std::filesystem::path(data.path).filename().string());
  append_columns(command, "target", data.targets);
  append(command, "weights", data.weights);
  append_columns(command, "ignore", data.ignored);
  append_columns(command, "categorical", data.categorical);
  append_columns(command, "numeric", data.numeric);
  if (data.header) command += " --header";
  if (data.no_header) command += " --no-header";
  append(command, "delimiter", data.delimiter);
  append(command, "format", data.format);
  const bool manifold = task == "manifold";  // which is a regression on directions of the features
  if (!task.empty()) append(command, "task", manifold ? task : find_option("task")->show(options));
  append_changed_options(command, options, manifold);
  return command;
}

}  // namespace coppice
