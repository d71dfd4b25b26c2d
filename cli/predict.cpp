// coppice predict: a model and a file in, answers out.
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

// Rows [first, first + count) of every column.
DatasetView row_range(const DatasetView& view, std::size_t first, std::size_t count) {
  DatasetView part;
  part.schema = view.schema;
  part.rows = count;
  for (const auto& column : view.columns) part.columns.push_back(column.subspan(first, count));
  return part;
}

class PredictCommand final : public Command {
 public:
  const char* name() const override { return "predict"; }
  const char* summary() const override { return "answer for every row of a file"; }
  const char* examples() const override {
    return "  coppice predict letter.coppice new.csv -o answers.csv\n"
           "  coppice predict letter.coppice new.csv --no-probabilities | head\n"
           "  coppice predict housing.coppice new.csv --variance -o answers.npy\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::vector<std::string> column_names(const Forest&) const;
  void append_answer(const Forest&, const Predictions&, std::size_t row,
                     std::vector<Cell>& cells) const;
  void write(const Predictor&, const DatasetView&, const SharedArguments&, TableWriter&) const;
  bool shows_label() const { return !is_npy(output_) || no_probabilities_; }

  std::string model_;
  DataArguments data_;
  std::string output_;
  bool no_probabilities_ = false;
  bool variance_ = false;
  bool per_tree_ = false;
};

void PredictCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_, "a .csv or .npy file; default: standard output as CSV")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--no-probabilities", no_probabilities_, "classification: the answer only")
      ->group("Output");
  app.add_flag("--variance", variance_, "regression: also the variance of the answer")
      ->group("Output");
  app.add_flag("--per-tree", per_tree_, "also the answer of every tree")->group("Output");
}

bool is_classifier(const Forest& forest) {
  return forest.info().payload_kind == PayloadKind::class_histogram;
}

// "prediction" for one target, "prediction_price" for several.
void append_names(std::vector<std::string>& names, const std::string& what, const Schema& schema) {
  for (const std::string& target : schema.targets) {
    names.push_back(schema.targets.size() == 1 ? what : what + '_' + target);
  }
}

std::vector<std::string> PredictCommand::column_names(const Forest& forest) const {
  const Schema& schema = forest.info().schema;
  std::vector<std::string> names;
  if (!is_classifier(forest)) {
    append_names(names, "prediction", schema);
    if (variance_) append_names(names, "variance", schema);
  } else {
    if (shows_label()) names.emplace_back("prediction");
    for (const std::string& name : schema.classes) {
      if (!no_probabilities_) names.push_back("probability_" + name);
    }
  }
  for (std::size_t tree = 1; per_tree_ && tree <= forest.trees(); ++tree) {
    const std::string what = fmt::format("tree_{}", tree);
    if (is_classifier(forest)) {
      names.push_back(what);
    } else {
      append_names(names, what, schema);
    }
  }
  return names;
}

// A .npy file has numbers only: a class is its index there.
Cell class_cell(const Schema& schema, std::size_t label, bool as_number) {
  if (as_number) return static_cast<std::uint64_t>(label);
  return std::string_view(schema.classes[label]);
}

void PredictCommand::append_answer(const Forest& forest, const Predictions& answers,
                                   std::size_t row, std::vector<Cell>& cells) const {
  const std::size_t first = row * answers.outputs;
  const bool classifier = is_classifier(forest);
  if (classifier && shows_label()) {
    cells.push_back(class_cell(forest.info().schema, answers.labels[row], is_npy(output_)));
  }
  if (!classifier || !no_probabilities_) {
    for (std::size_t k = 0; k < answers.outputs; ++k) cells.emplace_back(answers.mean[first + k]);
  }
  for (std::size_t k = 0; !classifier && variance_ && k < answers.outputs; ++k) {
    cells.emplace_back(answers.variance[first + k]);
  }
}

// The trees' answers of one row; those of a classifier are the most probable classes.
void append_tree_answers(const Forest& forest, std::span<const float> answers, bool as_number,
                         std::vector<Cell>& cells) {
  const std::size_t outputs = answers.size() / forest.trees();
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    const auto answer = answers.subspan(tree * outputs, outputs);
    if (is_classifier(forest)) {
      const auto best = std::max_element(answer.begin(), answer.end()) - answer.begin();
      cells.push_back(class_cell(forest.info().schema, static_cast<std::size_t>(best), as_number));
    } else {
      for (const float mean : answer) cells.emplace_back(mean);
    }
  }
}

void PredictCommand::write(const Predictor& predictor, const DatasetView& view,
                           const SharedArguments& shared, TableWriter& writer) const {
  const Forest& forest = predictor.forest();
  const RunContext context = shared.context();
  const Predictions answers = predictor.predict(view, context);
  constexpr std::size_t block = 1024;  // rows whose trees' answers are in memory at once
  std::vector<float> tree_answers;
  std::vector<Cell> cells;
  writer.header(column_names(forest));
  for (std::size_t row = 0; row < view.rows; ++row) {
    cells.clear();
    append_answer(forest, answers, row, cells);
    if (per_tree_) {
      const std::size_t in_block = row % block, row_size = forest.trees() * answers.outputs;
      if (in_block == 0) {
        const std::size_t rows = std::min(block, view.rows - row);
        tree_answers = predictor.predict_per_tree(row_range(view, row, rows), context);
      }
      const auto all = std::span<const float>(tree_answers);
      append_tree_answers(forest, all.subspan(in_block * row_size, row_size), is_npy(output_),
                          cells);
    }
    writer.row(cells);
  }
  writer.finish();
}

int PredictCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_);
  const Forest forest = load_model(model_);
  if (variance_ && is_classifier(forest)) {
    throw Error(ErrorKind::invalid_option, "--variance is for regression; this model classifies");
  }
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (!shared.quiet) warn_of_unseen(rows);
  const Stopwatch watch;
  const Predictor predictor(forest);
  Json table;
  const auto writer = table_writer(output_, rows.data.rows, shared.json ? &table : nullptr);
  write(predictor, rows.data.view(), shared, *writer);
  if (shared.json) {
    Json json{{"rows", rows.data.rows},
              {"read_seconds", rows.read_seconds},
              {"predict_seconds", watch.seconds()},
              {"unseen_categories", rows.unseen_categories}};
    if (output_.empty()) {
      json["predictions"] = std::move(table);
    } else {
      json["output"] = output_;
    }
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{} answered in {}: {}\n", plural(rows.data.rows, "row", "rows"),
                           seconds_text(watch.seconds()), output_));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace coppice
