// See data_arguments.h.
#include "data_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "column_names.h"
#include "coppice/error.h"
#include "data/arff_cursor.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr const char* kGroup = "Data";

void declare_file(CLI::App& app, DataArguments& data, bool required = true) {
  app.add_option("DATA", data.path, "the rows: .csv .tsv .npy .libsvm .arff, also with .gz")
      ->type_name("")
      ->required(required);
}

void declare_format(CLI::App& app, DataArguments& data) {
  auto* const names =
      app.add_flag("--header", data.header, "the first line names columns, even by numbers")
          ->group(kGroup);
  app.add_flag("--no-header", data.no_header, "the first line is a row")
      ->group(kGroup)
      ->excludes(names);
  app.add_option("--delimiter", data.delimiter, "between columns: a character, or tab")
      ->type_name("CHAR")
      ->group(kGroup);
  app.add_option("--format", data.format, "csv, npy, libsvm or arff, if the name does not tell")
      ->type_name("NAME")
      ->group(kGroup);
}

void declare_columns(CLI::App& app, const char* name, std::vector<std::string>& columns,
                     const char* help) {
  app.add_option(name, columns, help)
      ->type_name("COLUMN,...")
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kGroup);
}

void declare_ignored(CLI::App& app, DataArguments& data) {
  declare_columns(app, "--ignore", data.ignored, "columns to leave out");
}

char delimiter_character(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text[0];
  throw Error(ErrorKind::invalid_option,
              fmt::format("--delimiter: '{}' is not one character; try --delimiter ';' or "
                          "--delimiter tab",
                          text));
}

}  // namespace

void declare_training_data(CLI::App& app, DataArguments& data) {
  declare_file(app, data);
  declare_columns(app, "--target", data.targets,
                  "what to learn; default: a column named label, target, class or y");
  declare_weights(app, data);
  declare_ignored(app, data);
  declare_columns(app, "--categorical", data.categorical, "columns whose values are names");
  declare_columns(app, "--numeric", data.numeric, "columns whose values are numbers");
  declare_format(app, data);
}

void declare_truth(CLI::App& app, DataArguments& data) {
  declare_columns(app, "--target", data.targets,
                  "the truth, if the file does not call it as the model does");
}

void declare_model_data(CLI::App& app, DataArguments& data) {
  declare_file(app, data);
  declare_ignored(app, data);
  declare_format(app, data);
}

void declare_optional_model_data(CLI::App& app, DataArguments& data) {
  declare_file(app, data, false);
  declare_ignored(app, data);
  declare_format(app, data);
}

void declare_weights(CLI::App& app, DataArguments& data) {
  app.add_option("--weights", data.weights, "column with the weights of the rows")
      ->type_name("COLUMN")
      ->group(kGroup);
}

ReadOptions read_options(const DataArguments& data) {
  ReadOptions options;
  options.targets = data.targets;
  options.ignored_columns = data.ignored;
  if (!data.weights.empty()) options.weight_column = data.weights;
  for (const std::string& name : data.numeric) options.kinds[name] = FeatureKind::numeric;
  for (const std::string& name : data.categorical) {
    if (!options.kinds.emplace(name, FeatureKind::categorical).second) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("column '{}' cannot be both --numeric and --categorical", name));
    }
  }
  if (data.header) options.header = true;
  if (data.no_header) options.header = false;
  if (!data.delimiter.empty()) options.delimiter = delimiter_character(data.delimiter);
  if (!data.format.empty()) options.format = data.format;
  return options;
}

std::vector<std::string> default_targets(const DataArguments& data, const ReadOptions& options) {
  static constexpr std::array<const char*, 4> usual{"label", "target", "class", "y"};
  if (is_libsvm(data.path, options)) return {};
  const std::vector<std::string> columns = column_names(data.path, options);
  std::vector<std::string> found;
  for (const std::string& column : columns) {
    if (std::count(usual.begin(), usual.end(), lower_case(column)) > 0) found.push_back(column);
  }
  if (found.size() == 1) return found;
  constexpr std::size_t width = 400;
  const std::string choices =
      columns.empty() ? "a number, counting from 1" : "one of " + abbreviated(columns, width);
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{}: {} is named label, target, class or y; say what to learn with "
                  "--target COLUMN, where COLUMN is {}",
                  data.path, found.empty() ? "no column" : "more than one column", choices));
}

namespace {

// The file calls the targets of the model by other names.
void take_targets(const std::vector<std::string>& names, const Schema& schema,
                  ReadOptions& options) {
  if (names.size() != schema.targets.size())
    throw Error(ErrorKind::invalid_option,
                fmt::format("--target: the model predicts {}, but {} columns are named",
                            plural(schema.targets.size(), "column", "columns"), names.size()));
  for (const std::string& target : options.targets)
    if (std::count(names.begin(), names.end(), target) == 0)
      options.ignored_columns.push_back(target);
  options.targets = names;
}

ReadOptions model_read_options(const DataArguments& data, const Schema& schema, TargetUse use) {
  const ReadOptions given = read_options(data);
  ReadOptions options = read_options_for(schema);
  options.header = given.header;
  options.delimiter = given.delimiter;
  options.format = given.format;
  options.weight_column = given.weight_column;
  options.ignored_columns = given.ignored_columns;
  if (!given.targets.empty()) take_targets(given.targets, schema, options);
  if (use == TargetUse::none && !is_libsvm(data.path, options)) {
    for (std::string& target : options.targets) {
      options.ignored_columns.push_back(std::move(target));
    }
    options.targets.clear();
  }
  return options;
}

// Columns that a file lacks are no error to read_dataset() here: conform() may match by position.
void require_asked_columns(const DataArguments& data, const Schema& schema, const Dataset& read) {
  if (!data.weights.empty() && read.weights.empty()) {
    throw Error(ErrorKind::invalid_data,
                fmt::format("{}: there is no column '{}' for --weights", data.path, data.weights));
  }
  if (read.labels.empty() && read.targets.empty()) {
    throw Error(
        ErrorKind::invalid_data,
        fmt::format("{}: there is no column '{}', which is what the model predicts; "
                    "coppice predict does without",
                    data.path,
                    fmt::join(data.targets.empty() ? schema.targets : data.targets, "', '")));
  }
}

Conformed conformed_rows(Dataset read, const Schema& schema, const std::string& path) {
  try {
    return conform(std::move(read), schema);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

ModelRows read_for_model(const DataArguments& data, const Schema& schema, TargetUse use) {
  const Stopwatch watch;
  Dataset read = read_dataset(data.path, model_read_options(data, schema, use));
  if (use == TargetUse::none) {
    read.labels.clear();
    read.targets.clear();
  } else if (use == TargetUse::truth) {
    require_asked_columns(data, schema, read);
  }
  Conformed conformed = conformed_rows(std::move(read), schema, data.path);
  ModelRows rows;
  rows.data = std::move(conformed.data);
  rows.unseen_categories = conformed.unseen_categories;
  rows.read_seconds = watch.seconds();
  return rows;
}

void warn_of_unseen(const ModelRows& rows) {
  if (rows.unseen_categories == 0) return;
  fmt::print(stderr, "note: {} of categories that the model has never seen; taken as missing\n",
             plural(rows.unseen_categories, "value", "values"));
}

}  // namespace coppice
