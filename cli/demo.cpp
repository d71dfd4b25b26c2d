// coppice demo: two generated problems, a table of results and a picture.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "command.h"
#include "coppice/coppice.h"
#include "json_output.h"
#include "model_files.h"
#include "posterior_picture.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 800, kTestRows = 4000;

class DemoCommand final : public Command {
 public:
  const char* name() const override { return "demo"; }
  const char* summary() const override { return "two small problems and a picture"; }
  const char* examples() const override {
    return "  coppice demo\n"
           "  coppice demo --output pictures\n";
  }
  void declare(CLI::App& app) override {
    app.add_option("--output,-o", folder_, "folder for coppice-demo.png; default: this one")
        ->type_name("FOLDER")
        ->group("Output");
  }
  int run(const SharedArguments&) override;

 private:
  std::string folder_ = ".";
};

// One line of the table.
struct Outcome {
  std::string problem;
  std::size_t trees = 0, nodes = 0, bytes = 0;
  double seconds = 0, score = 0, out_of_bag = 0;
  bool classifier = true;
};

ToyOptions spirals(std::size_t rows, std::uint64_t seed) {
  return {.shape = ToyShape::spirals, .rows = rows, .classes = 4, .noise = 0.03, .seed = seed};
}

ToyOptions friedman(std::size_t rows, std::uint64_t seed) {
  return {.shape = ToyShape::friedman1, .rows = rows, .noise = 0.2, .seed = seed};
}

FitResult trained(const Dataset& data, std::uint32_t trees, const SharedArguments& shared) {
  FitOptions options;
  options.forest.trees = trees;
  if (data.schema.classes.empty()) options.task = Regression{};
  return fit(data.view(), options, shared.context());
}

Outcome outcome(const std::string& problem, const FitResult& result, const Dataset& test) {
  const Predictor predictor(result.forest);
  const Predictions answers = predictor.predict(test.view());
  Outcome made{.problem = problem,
               .trees = result.report.trees,
               .nodes = result.report.nodes,
               .bytes = total_array_bytes(result.forest.arrays()),
               .seconds = result.report.seconds,
               .classifier = !test.schema.classes.empty()};
  made.score = made.classifier ? class_metrics(answers, test.labels).accuracy
                               : regression_metrics(answers, test.targets).r2;
  if (result.report.out_of_bag) made.out_of_bag = result.report.out_of_bag->error;
  return made;
}

std::string outcomes_text(const std::vector<Outcome>& outcomes) {
  TextTable table("lrrrrrr");
  table.add({"problem", "trees", "test", "out of bag", "nodes", "size", "time"});
  for (const Outcome& made : outcomes) {
    table.add({made.problem, count_text(made.trees),
               made.classifier ? percent_text(made.score) + " right"
                               : fmt::format("R2 {:.3f}", made.score),
               made.classifier ? percent_text(1 - made.out_of_bag) + " right"
                               : fmt::format("RMSE {:.3f}", std::sqrt(made.out_of_bag)),
               count_text(made.nodes), bytes_text(made.bytes), seconds_text(made.seconds)});
  }
  return table.text();
}

Json outcomes_json(const std::vector<Outcome>& outcomes) {
  Json list = Json::array();
  for (const Outcome& made : outcomes) {
    list.push_back({{"problem", made.problem},
                    {"trees", made.trees},
                    {made.classifier ? "accuracy" : "r2", made.score},
                    {"oob_error", made.out_of_bag},
                    {"nodes", made.nodes},
                    {"bytes", made.bytes},
                    {"train_seconds", made.seconds}});
  }
  return list;
}

int DemoCommand::run(const SharedArguments& shared) {
  const std::string path =
      (std::filesystem::path(folder_) / "coppice-demo.png").lexically_normal().string();
  require_writable(path);
  const Dataset arms = generate(spirals(kRows, 1)), other_arms = generate(spirals(kTestRows, 2));
  const Dataset curve = generate(friedman(kRows, 1)),
                other_curve = generate(friedman(kTestRows, 2));

  std::vector<FitResult> forests;
  std::vector<Outcome> outcomes;
  for (const std::uint32_t trees : {1u, 10u, 200u}) {
    forests.push_back(trained(arms, trees, shared));
    outcomes.push_back(outcome("spirals, 4 arms", forests.back(), other_arms));
  }
  outcomes.push_back(outcome("Friedman 1", trained(curve, 200, shared), other_curve));

  std::vector<Predictor> predictors;
  for (const FitResult& made : forests) predictors.emplace_back(made.forest);
  const std::vector<Panel> panels{
      {&predictors[0], "1 tree"}, {&predictors[1], "10 trees"}, {&predictors[2], "200 trees"}};
  save(posterior_picture(panels, arms), path);

  if (shared.json) {
    print_json({{"results", outcomes_json(outcomes)}, {"picture", path}});
  } else if (!shared.quiet) {
    print_text(fmt::format("{} rows to learn from, {} to test on\n{}", count_text(kRows),
                           count_text(kTestRows), outcomes_text(outcomes)));
    if (is_terminal(stdout)) print_text('\n' + posterior_text(panels, arms));
    print_text(
        fmt::format("\nthe classes as the forests see them: {}\n"
                    "next: coppice generate spirals --classes 4 -o spirals.csv\n",
                    path));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace coppice
