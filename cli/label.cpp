// coppice label: fills in the labels that rows do not have.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command.h"
#include "coppice/coppice.h"
#include "csv_writer.h"
#include "data_arguments.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

class LabelCommand final : public Command {
 public:
  const char* name() const override { return "label"; }
  const char* summary() const override { return "fill in labels that are missing"; }
  const char* examples() const override {
    return "  coppice train few.csv --task semi-supervised -o few.coppice\n"
           "  coppice label few.coppice few.csv -o completed.csv\n"
           "  coppice label few.coppice few.csv --least-confidence 0.9\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::string model_, output_;
  DataArguments data_;
  double least_confidence_ = 0;
};

void LabelCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_, "a CSV file; default: standard output")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--least-confidence", least_confidence_,
                 "classes: leave labels empty that are less probable than this (0)")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->group("Output");
}

std::size_t write_classes(const CompletedLabels& completed, const Schema& schema,
                          double least_confidence, TableWriter& writer) {
  writer.header(std::vector<std::string>{schema.targets.front(), "confidence", "given"});
  std::size_t filled = 0;
  for (std::size_t row = 0; row < completed.given.size(); ++row) {
    const bool sure = completed.confidence[row] >= least_confidence;
    const std::string_view name =
        sure ? std::string_view(schema.classes[completed.labels[row]]) : std::string_view();
    const Cell cells[] = {name, completed.confidence[row], std::uint64_t{completed.given[row]}};
    writer.row(cells);
    filled += !completed.given[row] && sure;
  }
  writer.finish();
  return filled;
}

std::size_t write_numbers(const CompletedLabels& completed, const Schema& schema,
                          TableWriter& writer) {
  std::vector<std::string> names = schema.targets;
  for (const std::string& target : schema.targets) names.push_back("deviation_" + target);
  names.emplace_back("given");
  if (schema.targets.size() == 1) names[1] = "deviation";
  writer.header(names);
  const std::size_t outputs = schema.targets.size();
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < completed.given.size(); ++row) {
    cells.clear();
    for (std::size_t k = 0; k < outputs; ++k)
      cells.emplace_back(completed.targets[row * outputs + k]);
    for (std::size_t k = 0; k < outputs; ++k)
      cells.emplace_back(completed.deviation[row * outputs + k]);
    cells.emplace_back(std::uint64_t{completed.given[row]});
    writer.row(cells);
  }
  writer.finish();
  return static_cast<std::size_t>(
      std::count(completed.given.begin(), completed.given.end(), false));
}

int LabelCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_), require_other(output_, {model_, data_.path});
  const Forest forest = load_model(model_);
  require_answers(forest, name());
  const Schema& schema = forest.info().schema;
  const ModelRows rows = read_for_model(data_, schema, TargetUse::truth_if_present);
  if (!shared.quiet) warn_of_unseen(rows);
  const CompletedLabels completed =
      complete_labels(Predictor(forest), rows.data.view(), shared.context());
  Json table;
  const auto writer = table_writer(output_, rows.data.rows, shared.json ? &table : nullptr);
  const std::size_t filled = is_classifier(forest)
                                 ? write_classes(completed, schema, least_confidence_, *writer)
                                 : write_numbers(completed, schema, *writer);
  const auto given =
      static_cast<std::size_t>(std::count(completed.given.begin(), completed.given.end(), true));
  if (shared.json) {
    Json json{{"rows", rows.data.rows}, {"given", given}, {"filled", filled}};
    output_.empty() ? json["table"] = std::move(table) : json["output"] = output_;
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{}: {} of {}, {} filled in\n", output_,
                           plural(given, "given label", "given labels"),
                           plural(rows.data.rows, "row", "rows"), count_text(filled)));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> label_command() { return std::make_unique<LabelCommand>(); }

}  // namespace coppice
