// coppice evaluate: how good a model is on rows whose truth is known.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "command.h"
#include "coppice/coppice.h"
#include "data_arguments.h"
#include "density_answers.h"
#include "draw/learning_curve.h"
#include "ensemble_argument.h"
#include "json_output.h"
#include "known_rows.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::size_t kShownClasses = 15;
constexpr double kIntervalShare = 0.9;

class EvaluateCommand final : public Command {
 public:
  const char* name() const override { return "evaluate"; }
  const char* summary() const override { return "compare a model's answers with the truth"; }
  const char* examples() const override {
    return "  coppice evaluate letter.coppice letter.test.csv\n"
           "  coppice evaluate housing.coppice new.csv --json\n"
           "  coppice evaluate adult.coppice adult.test.csv --weights w --threads 1\n"
           "  coppice evaluate letter.coppice letter.test.csv --by-depth\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  int run_density(const Forest&, const SharedArguments&) const;

  std::string model_, ensemble_;
  bool by_depth_ = false;
  DataArguments data_;
};

void EvaluateCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
  declare_model_data(app, data_);
  declare_truth(app, data_);
  declare_weights(app, data_);
  declare_ensemble(app, ensemble_);
  app.add_flag("--by-depth", by_depth_,
               "also the errors of the forest with its trees cut at depth "
               "0, 1, 2, ...");
}

// Answers and truth of the rows whose truth is known.
struct Judged {
  Predictions answers;
  std::vector<std::uint32_t> labels;
  std::vector<double> targets;
  std::vector<float> weights;
  std::size_t skipped = 0;
};

Judged judged_rows(const Dataset& data, const Predictions& all, bool classifier) {
  Judged judged;
  judged.answers.outputs = all.outputs;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!truth_known(data, row)) {
      ++judged.skipped;
      continue;
    }
    ++judged.answers.rows;
    for (std::size_t n = row * all.outputs; n < (row + 1) * all.outputs; ++n) {
      judged.answers.mean.push_back(all.mean[n]);
      if (!all.variance.empty()) judged.answers.variance.push_back(all.variance[n]);
      if (!classifier) judged.targets.push_back(data.targets[n]);
    }
    if (classifier) judged.answers.labels.push_back(all.labels[row]);
    if (classifier) judged.labels.push_back(data.labels[row]);
    if (!data.weights.empty()) judged.weights.push_back(data.weights[row]);
  }
  return judged;
}

std::string confusion_text(const ClassMetrics& metrics, const std::vector<std::string>& classes) {
  const std::size_t count = classes.size();
  TextTable table("l" + std::string(count, 'r'));
  std::vector<std::string> heading{"truth \\ answer"};
  heading.insert(heading.end(), classes.begin(), classes.end());
  table.add(heading);
  for (std::size_t truth = 0; truth < count; ++truth) {
    std::vector<std::string> cells{classes[truth]};
    for (std::size_t answer = 0; answer < count; ++answer) {
      cells.push_back(count_text(metrics.confusion[truth * count + answer]));
    }
    table.add(cells);
  }
  return table.text();
}

std::size_t rows_of_class(const ClassMetrics& metrics, std::size_t truth, std::size_t classes) {
  std::size_t rows = 0;
  for (std::size_t k = 0; k < classes; ++k) rows += metrics.confusion[truth * classes + k];
  return rows;
}

std::string class_text(const ClassMetrics& metrics, const std::vector<std::string>& classes) {
  TextTable overall("lr");
  overall.add({"accuracy", percent_text(metrics.accuracy)});
  overall.add({"error", percent_text(metrics.error)});
  overall.add({"balanced accuracy", percent_text(metrics.balanced_accuracy)});
  overall.add({"log loss", fmt::format("{:.4f}", metrics.log_loss)});
  overall.add({"Brier score", fmt::format("{:.4f}", metrics.brier)});
  TextTable table("lrrrr");
  table.add({"class", "precision", "recall", "f1", "rows"});
  for (std::size_t k = 0; k < classes.size(); ++k) {
    table.add({classes[k], fmt::format("{:.4f}", metrics.precision[k]),
               fmt::format("{:.4f}", metrics.recall[k]), fmt::format("{:.4f}", metrics.f1[k]),
               count_text(rows_of_class(metrics, k, classes.size()))});
  }
  std::string text = overall.text() + '\n' + table.text();
  if (classes.size() <= kShownClasses) return text + '\n' + confusion_text(metrics, classes);
  return text + fmt::format("\n  the confusion matrix of {} classes is in the output of --json\n",
                            classes.size());
}

Json class_json(const ClassMetrics& metrics, const std::vector<std::string>& classes) {
  Json per_class = Json::array(), confusion = Json::array();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    per_class.push_back({{"class", classes[k]},
                         {"precision", metrics.precision[k]},
                         {"recall", metrics.recall[k]},
                         {"f1", metrics.f1[k]},
                         {"rows", rows_of_class(metrics, k, classes.size())}});
    const auto first = metrics.confusion.begin() + static_cast<std::ptrdiff_t>(k * classes.size());
    confusion.push_back(
        std::vector<std::size_t>(first, first + static_cast<std::ptrdiff_t>(classes.size())));
  }
  return {{"task", "classification"},
          {"accuracy", metrics.accuracy},
          {"error", metrics.error},
          {"balanced_accuracy", metrics.balanced_accuracy},
          {"log_loss", metrics.log_loss},
          {"brier", metrics.brier},
          {"classes", classes},
          {"confusion", std::move(confusion)},
          {"per_class", std::move(per_class)}};
}

std::string regression_text(const RegressionMetrics& metrics,
                            const std::vector<std::string>& targets) {
  TextTable table("lrrr");
  table.add({"", "RMSE", "MAE", "R2"});
  table.add({"all", number_text(metrics.rmse), number_text(metrics.mae),
             fmt::format("{:.4f}", metrics.r2)});
  for (std::size_t k = 0; targets.size() > 1 && k < targets.size(); ++k) {
    table.add({targets[k], number_text(metrics.rmse_per_target[k]), "",
               fmt::format("{:.4f}", metrics.r2_per_target[k])});
  }
  return table.text();
}

Json regression_json(const RegressionMetrics& metrics, const std::vector<std::string>& targets) {
  Json per_target = Json::array();
  for (std::size_t k = 0; k < targets.size(); ++k) {
    per_target.push_back({{"target", targets[k]},
                          {"rmse", metrics.rmse_per_target[k]},
                          {"r2", metrics.r2_per_target[k]}});
  }
  return {{"task", "regression"},
          {"rmse", metrics.rmse},
          {"mae", metrics.mae},
          {"r2", metrics.r2},
          {"per_target", std::move(per_target)}};
}

// Share of the known targets that lie within intervals of 90 %; none if the model knows no
// intervals.
std::optional<double> interval_coverage(const Predictor& predictor, const Dataset& data,
                                        const RunContext& context) {
  if (predictor.forest().info().calibration.empty()) return std::nullopt;
  const Distributions found =
      predictor.distributions(data.view(), {.interval = kIntervalShare}, context);
  std::size_t known = 0, within = 0;
  for (std::size_t n = 0; n < data.targets.size(); ++n) {
    known += !std::isnan(data.targets[n]);
    within += data.targets[n] >= found.lower[n] && data.targets[n] <= found.upper[n];
  }
  return static_cast<double>(within) / static_cast<double>(known);
}

std::string depth_text(const std::vector<double>& errors, bool classes) {
  TextTable table("rr");
  table.add({"depth", classes ? "error" : "RMSE"});
  for (std::size_t depth = 0; depth < errors.size(); ++depth)
    table.add({std::to_string(depth),
               classes ? percent_text(errors[depth]) : number_text(errors[depth])});
  return '\n' + table.text();
}

void require_rows(const Judged& judged, const std::string& path, const Schema& schema) {
  if (judged.answers.rows > 0) return;
  throw Error(ErrorKind::invalid_data,
              fmt::format("{}: no row has a known value in the target column '{}'", path,
                          fmt::join(schema.targets, "', '")));
}

void warn_of_skipped(const Judged& judged) {
  if (judged.skipped == 0) return;
  fmt::print(stderr, "note: {} without a target left out\n", plural(judged.skipped, "row", "rows"));
}

int EvaluateCommand::run_density(const Forest& forest, const SharedArguments& shared) const {
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (rows.data.rows == 0)
    throw Error(ErrorKind::invalid_data, fmt::format("{}: there are no rows", data_.path));
  const Stopwatch watch;
  const LikelihoodSummary found = summarise_likelihood(forest, rows.data.view(), shared.context());
  if (shared.json) {
    Json json{{"rows", rows.data.rows},
              {"read_seconds", rows.read_seconds},
              {"predict_seconds", watch.seconds()}};
    json.update(likelihood_json(found));
    print_json(json);
  } else {
    print_text(fmt::format("{} on {}: {}\n{}", model_, data_.path,
                           plural(rows.data.rows, "row", "rows"), likelihood_text(found)));
  }
  return kSuccess;
}

int EvaluateCommand::run(const SharedArguments& shared) {
  const Forest forest = with_ensemble(load_model(model_), ensemble_);
  if (is_density(forest)) return run_density(forest, shared);
  const Schema& schema = forest.info().schema;
  const bool classifier = is_classifier(forest);
  const ModelRows rows = read_for_model(data_, schema, TargetUse::truth);
  const Stopwatch watch;
  const Predictor predictor(forest);
  const Predictions answers = predictor.predict(rows.data.view(), shared.context());
  const double predict_seconds = watch.seconds();
  const Judged judged = judged_rows(rows.data, answers, classifier);
  require_rows(judged, data_.path, schema);
  if (!shared.quiet) {
    warn_of_unseen(rows);
    warn_of_skipped(judged);
  }
  Json json{{"rows", judged.answers.rows},
            {"rows_skipped", judged.skipped},
            {"unseen_categories", rows.unseen_categories},
            {"read_seconds", rows.read_seconds},
            {"predict_seconds", predict_seconds}};
  std::string text;
  if (classifier) {
    const ClassMetrics metrics = class_metrics(judged.answers, judged.labels, judged.weights);
    text = class_text(metrics, schema.classes);
    json.update(class_json(metrics, schema.classes));
  } else {
    const RegressionMetrics metrics =
        regression_metrics(judged.answers, judged.targets, judged.weights);
    text = regression_text(metrics, schema.targets);
    json.update(regression_json(metrics, schema.targets));
    if (const auto coverage = interval_coverage(predictor, rows.data, shared.context())) {
      json["interval_coverage"] = *coverage;
      text += fmt::format("  intervals of {} hold {} of the targets\n",
                          percent_text(kIntervalShare), percent_text(*coverage));
    }
  }
  if (by_depth_) {
    const auto errors = error_by_depth(forest, rows_with_truth(rows.data, data_.path));
    json["error_by_depth"] = errors;
    text += depth_text(errors, classifier);
  }
  if (shared.json) {
    print_json(json);
  } else {
    print_text(fmt::format("{} on {}: {}\n{}", model_, data_.path,
                           plural(judged.answers.rows, "row", "rows"), text));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace coppice
