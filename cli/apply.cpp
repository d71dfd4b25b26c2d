// coppice apply: where rows end up in the trees, and which rows end up together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/coppice.h"
#include "csv_writer.h"
#include "data_arguments.h"
#include "model/describe.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::size_t kMostProximityRows = 5000;

class ApplyCommand final : public Command {
 public:
  const char* name() const override { return "apply"; }
  const char* summary() const override { return "leaves, paths and proximities of rows"; }
  const char* examples() const override {
    return "  coppice apply letter.coppice new.csv -o leaves.csv\n"
           "  coppice apply letter.coppice new.csv --nearest 5\n"
           "  coppice apply iris.coppice iris.csv --paths | head\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  void write(const Predictor&, const DatasetView&, const SharedArguments&, TableWriter&) const;
  std::size_t table_rows(std::size_t rows) const;

  std::string model_;
  DataArguments data_;
  std::string output_;
  bool proximity_ = false;
  bool paths_ = false;
  std::size_t nearest_ = 0;
};

void ApplyCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_, "a .csv or .npy file; default: standard output as CSV")
      ->type_name("FILE")
      ->group("Output");
  CLI::Option* const all =
      app.add_flag("--proximity", proximity_, "rows x rows: the share of trees with a common leaf");
  CLI::Option* const some =
      app.add_option("--nearest", nearest_, "of every row the N rows of the largest proximity");
  CLI::Option* const rules = app.add_flag("--paths", paths_, "the rules that each row meets");
  all->excludes(some)->excludes(rules)->group("Output");
  some->excludes(rules)->type_name("N")->check(CLI::Range(1, 1'000'000))->group("Output");
  rules->group("Output");
}

// Rows and trees count from 1 in all tables, leaves from 0.
void write_leaves(const LeafIds& ids, TableWriter& writer) {
  std::vector<std::string> names;
  for (std::size_t tree = 1; tree <= ids.trees(); ++tree)
    names.push_back(fmt::format("tree_{}", tree));
  writer.header(names);
  std::vector<Cell> cells(ids.trees());
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
      cells[tree] = std::uint64_t{ids.leaf(tree, row)};
    }
    writer.row(cells);
  }
}

void write_proximities(const LeafIds& ids, TableWriter& writer) {
  std::vector<std::string> names;
  for (std::size_t row = 1; row <= ids.rows(); ++row) names.push_back(fmt::format("row_{}", row));
  writer.header(names);
  std::vector<Cell> cells(ids.rows());
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    for (std::size_t other = 0; other < ids.rows(); ++other) {
      cells[other] = proximity(ids, row, other);
    }
    writer.row(cells);
  }
}

void write_nearest(const LeafIds& ids, std::size_t count, TableWriter& writer) {
  writer.header(std::vector<std::string>{"row", "neighbour", "proximity"});
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    for (const Neighbour& neighbour : nearest(ids, row, count)) {
      const Cell cells[] = {std::uint64_t{row + 1}, std::uint64_t{neighbour.row + 1},
                            neighbour.proximity};
      writer.row(cells);
    }
  }
}

std::string path_text(const Forest& forest, std::size_t tree, const Predictor::Path& path) {
  std::string text;
  for (std::size_t n = 0; n < path.splits.size(); ++n) {
    const std::string sentence = split_sentence(forest, tree, path.splits[n]);
    text += (n == 0 ? "" : "; ") + (path.went_left[n] ? sentence : "not (" + sentence + ")");
  }
  return text;
}

void write_paths(const Predictor& predictor, const DatasetView& view, TableWriter& writer) {
  writer.header(std::vector<std::string>{"row", "tree", "leaf", "path"});
  std::vector<float> values(view.columns.size());
  for (std::size_t row = 0; row < view.rows; ++row) {
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = view.columns[f][row];
    for (std::size_t tree = 0; tree < predictor.forest().trees(); ++tree) {
      const Predictor::Path path = predictor.decision_path(values, tree);
      const std::string text = path_text(predictor.forest(), tree, path);
      const Cell cells[] = {std::uint64_t{row + 1}, std::uint64_t{tree + 1},
                            std::uint64_t{path.leaf}, std::string_view(text)};
      writer.row(cells);
    }
  }
}

std::size_t ApplyCommand::table_rows(std::size_t rows) const {
  return nearest_ > 0 && rows > 0 ? rows * std::min(nearest_, rows - 1) : rows;
}

void ApplyCommand::write(const Predictor& predictor, const DatasetView& view,
                         const SharedArguments& shared, TableWriter& writer) const {
  if (paths_) {
    write_paths(predictor, view, writer);
  } else {
    const LeafIds ids = predictor.apply(view, shared.context());
    if (proximity_) {
      write_proximities(ids, writer);
    } else if (nearest_ > 0) {
      write_nearest(ids, nearest_, writer);
    } else {
      write_leaves(ids, writer);
    }
  }
  writer.finish();
}

int ApplyCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_), require_other(output_, {model_, data_.path});
  if (paths_ && is_npy(output_)) {
    throw Error(ErrorKind::invalid_option, "--paths are text; name a .csv file");
  }
  const Forest forest = load_model(model_);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (!shared.quiet) warn_of_unseen(rows);
  if (proximity_ && rows.data.rows > kMostProximityRows) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--proximity of {} rows would have {} numbers; at most {} rows are "
                            "allowed, --nearest 10 has no such limit",
                            count_text(rows.data.rows), count_text(rows.data.rows * rows.data.rows),
                            count_text(kMostProximityRows)));
  }
  const Predictor predictor(forest);
  Json table;
  const auto writer =
      table_writer(output_, table_rows(rows.data.rows), shared.json ? &table : nullptr);
  write(predictor, rows.data.view(), shared, *writer);
  if (shared.json) {
    Json json{{"rows", rows.data.rows},
              {"trees", forest.trees()},
              {"unseen_categories", rows.unseen_categories}};
    if (output_.empty()) {
      json["table"] = std::move(table);
    } else {
      json["output"] = output_;
    }
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{}: {} in {}\n", output_, plural(rows.data.rows, "row", "rows"),
                           plural(forest.trees(), "tree", "trees")));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> apply_command() { return std::make_unique<ApplyCommand>(); }

}  // namespace coppice
