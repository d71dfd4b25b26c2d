// Writes every model of golden_cases.h and its answers into a folder: make_golden [folder].
// To be run only when results are meant to change.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "coppice/predict.h"
#include "tests/golden/golden_cases.h"

namespace coppice::golden {
namespace {

constexpr std::size_t kQueries = 20;

// Values of the training data in new combinations; some are missing.
std::vector<float> queries(const Dataset& data) {
  std::vector<float> rows;
  for (std::size_t row = 0; row < kQueries; ++row)
    for (std::size_t f = 0; f < data.columns.size(); ++f)
      rows.push_back((row + f) % 6 == 5 ? kMissing
                                        : data.columns[f][(row * 7 + f * 3) % data.rows]);
  return rows;
}

// Every fourth missing category is written as one that the model has never seen.
std::string text_of(const Feature& feature, float value, std::size_t row) {
  const bool categorical = feature.kind == FeatureKind::categorical;
  if (std::isnan(value)) return categorical && row % 4 == 1 ? "never seen" : "";
  return categorical ? feature.categories[static_cast<std::size_t>(value)]
                     : fmt::format("{}", value);
}

void write_answers(const Forest& forest, const Dataset& data, const std::string& path) {
  const Schema& schema = forest.info().schema;
  const std::size_t features = schema.features.size();
  std::ofstream file(path);
  std::vector<std::string> fields;
  for (const Feature& feature : schema.features) fields.push_back(feature.name);
  for (const std::string& name : answer_columns(forest)) fields.push_back(name);
  file << fmt::format("{}\n", fmt::join(fields, ","));
  const std::vector<float> rows = queries(data);
  const Predictions answers = Predictor(forest).predict_rows(rows);
  for (std::size_t row = 0; row < kQueries; ++row) {
    fields.clear();
    for (std::size_t f = 0; f < features; ++f)
      fields.push_back(text_of(schema.features[f], rows[row * features + f], row));
    for (const std::vector<double>* values : {&answers.mean, &answers.variance})
      for (std::size_t k = 0; k < answers.outputs && !values->empty(); ++k)
        fields.push_back(fmt::format("{}", (*values)[row * answers.outputs + k]));
    file << fmt::format("{}\n", fmt::join(fields, ","));
  }
}

void write_all(const std::string& folder) {
  for (const GoldenCase& golden : golden_cases()) {
    const Dataset data = golden.data();
    const Forest forest = trained(golden);
    forest.save(folder + "/" + golden.name + ".coppice");
    write_answers(forest, data, folder + "/" + golden.name + ".csv");
  }
}

}  // namespace
}  // namespace coppice::golden

int main(int argc, char** argv) {
  try {
    coppice::golden::write_all(argc > 1 ? argv[1] : coppice::golden::kFolder);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_golden: %s\n", error.what());
    return 1;
  }
}
