// coppice predict: a model and a file in, answers out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command.h"
#include "coppice/coppice.h"
#include "csv_writer.h"
#include "data/number_text.h"
#include "data_arguments.h"
#include "density_answers.h"
#include "ensemble_argument.h"
#include "model_files.h"
#include "tasks/leaf_options.h"
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
           "  coppice predict housing.coppice new.csv --variance -o answers.npy\n"
           "  coppice predict housing.coppice new.csv --quantiles 0.05,0.5,0.95 --mode\n"
           "  coppice predict housing.coppice new.csv --interval 90%\n"
           "  coppice predict galaxies.coppice new.csv --log-density --anomaly\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::vector<std::string> column_names(const Forest&) const;
  void append_answer(const Forest&, const Predictions&, std::size_t row,
                     std::vector<Cell>& cells) const;
  void write(const Predictor&, const DatasetView&, const SharedArguments&, TableWriter&) const;
  void check_arguments(const Forest&) const;
  void append_distribution(const Distributions&, std::size_t row, std::size_t outputs,
                           std::vector<Cell>& cells) const;
  bool asks_distribution() const {
    return query_.interval || query_.mode || !query_.quantiles.empty() ||
           !query_.density_at.empty();
  }
  bool shows_label() const { return !is_npy(output_) || no_probabilities_; }

  std::string model_;
  DataArguments data_;
  std::string output_;
  bool no_probabilities_ = false;
  bool variance_ = false;
  bool per_tree_ = false;
  bool entropy_ = false;
  bool log_density_ = false, anomaly_ = false;
  std::string interval_, ensemble_;
  DistributionQuery query_;
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
  app.add_flag("--entropy", entropy_, "classification: also the entropy of the probabilities")
      ->group("Output");
  app.add_option("--quantiles", query_.quantiles, "regression: also these quantiles of p(y|x)")
      ->delimiter(',')
      ->type_name("LEVEL,...")
      ->group("Output");
  app.add_option("--interval", interval_,
                 "regression: also the interval that holds this share of targets, such as 90%; "
                 "needs train --calibration true")
      ->type_name("SHARE")
      ->group("Output");
  app.add_option("--density-at", query_.density_at, "regression: also p(y|x) at these y")
      ->delimiter(',')
      ->type_name("Y,...")
      ->group("Output");
  app.add_flag("--mode", query_.mode, "regression: also the most probable value")->group("Output");
  app.add_flag("--log-density", log_density_,
               "density: the natural log of p(x), which is the default for such a model")
      ->group("Output");
  app.add_flag("--anomaly", anomaly_,
               "density: also how unusual the row is, and the percentage of training rows that are "
               "less so")
      ->group("Output");
  declare_ensemble(app, ensemble_);
  app.add_flag("--per-tree", per_tree_, "also the answer of every tree")->group("Output");
}

// "prediction" for one target, "prediction_price" for several.
void append_names(std::vector<std::string>& names, const std::string& what, const Schema& schema) {
  for (const std::string& target : schema.targets) {
    names.push_back(schema.targets.size() == 1 ? what : what + '_' + target);
  }
}

// "90%" or "0.9".
double share_of(const std::string& text) {
  const bool percent = !text.empty() && text.back() == '%';
  const auto number = parse_number<double>(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (number.status != NumberStatus::number)
    throw Error(ErrorKind::invalid_option,
                fmt::format("--interval: '{}' is no share of the targets; try 90%", text));
  return percent ? number.value / 100 : number.value;
}

void PredictCommand::check_arguments(const Forest& forest) const {
  if (is_density(forest)) {
    if (variance_ || asks_distribution() || entropy_ || per_tree_ || no_probabilities_)
      throw Error(ErrorKind::invalid_option,
                  "this model is a density: it answers with log_density, and --anomaly");
    return;
  }
  if (log_density_ || anomaly_)
    throw Error(ErrorKind::invalid_option,
                fmt::format("--{} is for densities; this model is for {}",
                            log_density_ ? "log-density" : "anomaly", task_name(forest)));
  if (is_classifier(forest)) {
    if (variance_ || asks_distribution())
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--{} is for regression; this model classifies",
                              variance_                    ? "variance"
                              : query_.interval            ? "interval"
                              : query_.mode                ? "mode"
                              : !query_.density_at.empty() ? "density-at"
                                                           : "quantiles"));
  } else if (entropy_) {
    throw Error(ErrorKind::invalid_option,
                "--entropy is for classification; this model predicts numbers");
  }
}

std::vector<std::string> PredictCommand::column_names(const Forest& forest) const {
  const Schema& schema = forest.info().schema;
  std::vector<std::string> names;
  if (!is_classifier(forest)) {
    append_names(names, "prediction", schema);
    if (variance_) append_names(names, "variance", schema);
    for (const double level : query_.quantiles)
      append_names(names, fmt::format("quantile_{}", level), schema);
    if (query_.interval) append_names(names, "lower", schema);
    if (query_.interval) append_names(names, "upper", schema);
    for (const double y : query_.density_at)
      append_names(names, fmt::format("density_at_{}", y), schema);
    if (query_.mode) append_names(names, "mode", schema);
  } else {
    if (shows_label()) names.emplace_back("prediction");
    for (const std::string& name : schema.classes) {
      if (!no_probabilities_) names.push_back("probability_" + name);
    }
    if (entropy_) names.emplace_back("entropy");
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
  if (entropy_) {
    cells.emplace_back(entropy(std::span(answers.mean).subspan(first, answers.outputs)));
  }
  for (std::size_t k = 0; !classifier && variance_ && k < answers.outputs; ++k) {
    cells.emplace_back(answers.variance[first + k]);
  }
}

// In the order of column_names(): what was asked, then the targets.
void PredictCommand::append_distribution(const Distributions& found, std::size_t row,
                                         std::size_t outputs, std::vector<Cell>& cells) const {
  const std::size_t first = row * outputs;
  const auto append = [&](const std::vector<double>& values, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n)
      for (std::size_t k = first; k < first + outputs; ++k)
        cells.emplace_back(values[k * count + n]);
  };
  append(found.quantiles, query_.quantiles.size());
  append(found.lower, query_.interval ? 1 : 0);
  append(found.upper, query_.interval ? 1 : 0);
  append(found.density, query_.density_at.size());
  append(found.mode, query_.mode ? 1 : 0);
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
  Distributions distributions;
  std::vector<Cell> cells;
  writer.header(column_names(forest));
  for (std::size_t row = 0; row < view.rows; ++row) {
    cells.clear();
    append_answer(forest, answers, row, cells);
    const std::size_t in_block = row % block, row_size = forest.trees() * answers.outputs;
    if (in_block == 0) {
      const DatasetView rows = row_range(view, row, std::min(block, view.rows - row));
      if (asks_distribution()) distributions = predictor.distributions(rows, query_, context);
      if (per_tree_) tree_answers = predictor.predict_per_tree(rows, context);
    }
    if (asks_distribution()) append_distribution(distributions, in_block, answers.outputs, cells);
    if (per_tree_) {
      const auto all = std::span<const float>(tree_answers);
      append_tree_answers(forest, all.subspan(in_block * row_size, row_size), is_npy(output_),
                          cells);
    }
    writer.row(cells);
  }
  writer.finish();
}

int PredictCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_), require_other(output_, {model_, data_.path});
  if (!interval_.empty()) query_.interval = share_of(interval_);
  Forest stored = load_model(model_);
  const Ensemble own = stored.info().ensemble;
  const Forest forest = with_ensemble(std::move(stored), ensemble_);
  if (!interval_.empty() && forest.info().ensemble != own)
    throw Error(ErrorKind::invalid_option,
                "--interval: intervals are calibrated for the answers that the model gives by "
                "itself; leave --ensemble out");
  check_arguments(forest);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (!shared.quiet) warn_of_unseen(rows);
  const Stopwatch watch;
  Json table;
  const auto writer = table_writer(output_, rows.data.rows, shared.json ? &table : nullptr);
  if (is_density(forest)) {
    write_log_densities(forest, rows.data.view(), anomaly_, shared.context(), *writer);
  } else {
    write(Predictor(forest), rows.data.view(), shared, *writer);
  }
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
