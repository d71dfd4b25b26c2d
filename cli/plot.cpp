// coppice plot: a picture of a model and of what it says of rows.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "command.h"
#include "coppice/coppice.h"
#include "data_arguments.h"
#include "draw/tree_plot.h"
#include "json_output.h"
#include "known_rows.h"
#include "model_files.h"
#include "plot_kinds.h"
#include "terminal.h"

namespace coppice {
namespace {

class PlotCommand final : public Command {
 public:
  const char* name() const override { return "plot"; }
  const char* summary() const override { return "draw a model as SVG or PNG"; }
  const char* examples() const override {
    return "  coppice plot spirals.coppice spirals.csv -o posterior.svg\n"
           "  coppice plot spirals.coppice spirals.csv --what partition --tree 1 -o cells.png\n"
           "  coppice plot letter.coppice letter.test.csv --what learning-curve -o curve.svg\n"
           "  coppice plot letter.coppice letter.test.csv --what tree --row 7 -o path.svg\n"
           "  coppice plot housing.coppice --what importance -o importance.svg\n"
           "  coppice plot map.coppice roll.csv --what embedding --colour y -o flat.svg\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::string model_, output_, what_, colour_;
  DataArguments data_;
  PlotRequest request_;
};

std::string kinds_help() {
  std::string text = "the picture; default: what suits the model\n";
  for (const PlotKind& kind : plot_kinds()) {
    text += fmt::format("{}: {}{}\n", kind.name, kind.summary,
                        kind.rows >= RowsNeeded::needed ? "; needs DATA" : "");
  }
  text.pop_back();
  return text;
}

void PlotCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_optional_model_data(app, data_);
  app.add_option("--output,-o", output_, "the picture: a name that ends in .svg or .png")
      ->type_name("FILE")
      ->group("Output")
      ->required();
  const auto choice = [&](const char* option, auto& value, const char* type, const char* help) {
    return app.add_option(option, value, help)->type_name(type)->group("Picture");
  };
  choice("--what", what_, "NAME", "")->description(kinds_help());
  choice("--tree", request_.tree, "N",
         "which tree, from 1; for tree (1), partition and labels (all)")
      ->check(CLI::Range(1, 1'000'000).description(""));
  choice("--row", request_.row, "N", "tree: mark the path of this row of DATA, from 1")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40).description(""));
  choice("--depth", request_.depth, "N", "tree: levels below the root that are drawn, 0 to 8 (3)")
      ->check(CLI::Range(std::size_t{0}, kDeepestTreePlot).description(""));
  choice("--importance", request_.importance, "KIND", "impurity, permutation or unbiased")
      ->check(CLI::IsMember({"impurity", "permutation", "unbiased"}).description(""));
  choice("--target", request_.target, "COLUMN", "predicted: one of several targets");
  choice("--at", request_.second, "VALUE",
         "section: value of the second feature, slice: of the first; its middle");
  choice("--colour,--color", colour_, "COLUMN", "embedding: the column of DATA that colours rows");
  choice("--margin", request_.margin, "SHARE", "room around the rows, as a share of their range")
      ->check(CLI::Range(0.0, 100.0).description(""));
  app.add_flag("--boundary", request_.boundary, "a line where the predicted class changes")
      ->group("Picture");
  app.add_flag("--no-rows", request_.bare, "leave out the rows of DATA")->group("Picture");
}

void require_fit(const PlotKind& kind, const Forest& forest, bool has_rows) {
  const std::string refusal = kind.refusal(forest);
  if (!refusal.empty()) {
    throw Error(ErrorKind::invalid_option, fmt::format("--what {} {}", kind.name, refusal));
  }
  if (kind.rows == RowsNeeded::needed && !has_rows)
    throw Error(ErrorKind::invalid_option,
                fmt::format("--what {} draws rows; name a DATA file", kind.name));
  if (kind.rows == RowsNeeded::with_truth && !has_rows) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--what {} compares with the truth; name a DATA file, best one that "
                            "the model was not trained on",
                            kind.name));
  }
}

int PlotCommand::run(const SharedArguments& shared) {
  require_picture_name(output_);
  require_writable(output_);
  const Forest forest = load_model(model_);
  const bool has_rows = !data_.path.empty();
  const PlotKind& kind =
      what_.empty() ? default_plot_kind(forest, has_rows) : find_plot_kind(what_);
  require_fit(kind, forest, has_rows);
  const bool judged = kind.rows == RowsNeeded::with_truth;
  ModelRows rows;
  if (has_rows) {
    rows = read_for_model(data_, forest.info().schema,
                          judged ? TargetUse::truth : TargetUse::truth_if_present);
    if (judged) rows.data = rows_with_truth(rows.data, data_.path);
    if (!shared.quiet) warn_of_unseen(rows);
    request_.rows = &rows.data;
  }
  Dataset colours;
  if (has_rows && !colour_.empty()) {
    ReadOptions options = read_options(data_);
    options.targets = {colour_};
    colours = read_dataset(data_.path, options);
    request_.colours = &colours;
  }
  const Predictor predictor(forest);
  request_.predictor = &predictor;
  request_.model_name = printable(std::filesystem::path(model_).filename().string());
  request_.context = shared.context();
  save(kind.draw(request_), output_);
  if (shared.json) {
    print_json({{"what", kind.name}, {"output", output_}, {"output_bytes", file_bytes(output_)}});
  } else if (!shared.quiet) {
    print_text(fmt::format("{}: {}\n", output_, kind.summary));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> plot_command() { return std::make_unique<PlotCommand>(); }

}  // namespace coppice
