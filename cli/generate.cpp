// coppice generate: data whose truth is known, as CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "coppice/error.h"
#include "coppice/toy_data.h"
#include "csv_writer.h"
#include "model_files.h"
#include "suggestion.h"
#include "terminal.h"
#include "toy_shapes.h"

namespace coppice {
namespace {

class GenerateCommand final : public Command {
 public:
  const char* name() const override { return "generate"; }
  const char* summary() const override { return "make data whose truth is known"; }
  const char* examples() const override {
    return "  coppice generate spirals --classes 4 --rows 2000 -o spirals.csv\n"
           "  coppice generate friedman1 --noise 1 --noise-features 5 -o friedman.csv\n"
           "  coppice generate moons --seed 7 | head\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::string shape_;
  ToyOptions options_;
  std::string output_;
};

void GenerateCommand::declare(CLI::App& app) {
  std::string names;
  for (const auto& [name, shape] : toy_shapes()) names += (names.empty() ? "" : ", ") + name;
  app.add_option("SHAPE", shape_, "one of " + names)->type_name("")->required();
  app.add_option("--output,-o", output_, "a CSV file; default: standard output")
      ->type_name("FILE")
      ->group("Output");
  const auto number = [&](const char* option, auto& value, const char* help) {
    app.add_option(option, value, help)->type_name("N")->group("Shape");
  };
  number("--rows", options_.rows, "how many (1000)");
  number("--classes", options_.classes, "of blobs, spirals, rings, corners, pairs and arms (2)");
  number("--noise", options_.noise, "spread around the shape, relative to its size (0.1)");
  number("--noise-features", options_.noise_features, "extra columns of pure noise (0)");
  number("--labels", options_.labels, "rows that keep their class or target, the first ones (all)");
  number("--seed", options_.seed, "the same seed gives the same data (1)");
}

void write_dataset(const Dataset& data, TableWriter& writer) {
  std::vector<std::string> names;
  for (const Feature& feature : data.schema.features) names.push_back(feature.name);
  names.insert(names.end(), data.schema.targets.begin(), data.schema.targets.end());
  writer.header(names);
  const std::size_t targets = data.schema.targets.size();
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < data.rows; ++row) {
    cells.clear();
    for (const auto& column : data.columns) cells.emplace_back(column[row]);
    if (!data.labels.empty()) {
      const std::uint32_t label = data.labels[row];
      cells.emplace_back(label == kNoLabel ? std::string_view()
                                           : std::string_view(data.schema.classes[label]));
    }
    for (std::size_t k = 0; !data.targets.empty() && k < targets; ++k) {
      cells.emplace_back(data.targets[row * targets + k]);
    }
    writer.row(cells);
  }
  writer.finish();
}

int GenerateCommand::run(const SharedArguments& shared) {
  std::vector<std::string> names;
  for (const auto& [name, shape] : toy_shapes()) names.push_back(name);
  const auto found = toy_shapes().find(shape_);
  if (found == toy_shapes().end()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("there is no shape '{}'{}", shape_, suggestion(shape_, names)));
  }
  if (!output_.empty()) require_writable(output_);
  options_.shape = found->second;
  const Dataset data = generate(options_);
  Json table;
  const auto writer = table_writer(output_, data.rows, shared.json ? &table : nullptr);
  write_dataset(data, *writer);
  if (shared.json) {
    Json json{{"shape", shape_},
              {"rows", data.rows},
              {"features", data.schema.features.size()},
              {"targets", data.schema.targets},
              {"classes", data.schema.classes}};
    if (output_.empty()) {
      json["table"] = std::move(table);
    } else {
      json["output"] = output_;
    }
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format(
        "{}: {}, {} and the target {}\n", output_, plural(data.rows, "row", "rows"),
        plural(data.columns.size(), "feature", "features"), fmt::join(data.schema.targets, ", ")));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> generate_command() { return std::make_unique<GenerateCommand>(); }

}  // namespace coppice
