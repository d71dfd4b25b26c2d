// See density_answers.h.
#include "density_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/density.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr double kUnusual = 0.99;

}  // namespace

void write_log_densities(const Forest& forest, const DatasetView& data, bool anomaly,
                         const RunContext& context, TableWriter& writer) {
  const DensityModel model(forest);
  const std::vector<double> logs = model.log_density(data, context);
  const std::vector<double> shares = anomaly ? model.unusual(logs) : std::vector<double>();
  std::vector<std::string> names{"log_density"};
  if (anomaly) names.emplace_back("anomaly");
  if (!shares.empty()) names.emplace_back("percentile");
  writer.header(names);
  for (std::size_t row = 0; row < logs.size(); ++row) {
    std::vector<Cell> cells{logs[row]};
    if (anomaly) cells.emplace_back(-logs[row]);
    if (!shares.empty()) cells.emplace_back(100 * shares[row]);
    writer.row(cells);
  }
  writer.finish();
}

LikelihoodSummary summarise_likelihood(const Forest& forest, const DatasetView& data,
                                       const RunContext& context) {
  const DensityModel model(forest);
  const std::vector<double> logs = model.log_density(data, context);
  const std::vector<double> shares = model.unusual(logs);
  LikelihoodSummary found{.least = *std::min_element(logs.begin(), logs.end())};
  const auto weight = [&](std::size_t row) {
    return data.weights.empty() ? 1 : double{data.weights[row]};
  };
  double total = 0, squares = 0, unusual = 0;
  for (std::size_t row = 0; row < logs.size(); ++row) {
    total += weight(row);
    found.mean += weight(row) * logs[row];
    if (!shares.empty() && shares[row] > kUnusual) unusual += weight(row);
  }
  found.mean /= total;
  for (std::size_t row = 0; row < logs.size(); ++row)
    squares += weight(row) * (logs[row] - found.mean) * (logs[row] - found.mean);
  found.error = std::sqrt(squares / total / static_cast<double>(logs.size()));
  if (!shares.empty()) found.unusual_share = unusual / total;
  return found;
}

std::string likelihood_text(const LikelihoodSummary& found) {
  TextTable table("ll");
  table.add({"log-likelihood",
             fmt::format("{:.6g} per row, standard error {:.2g}", found.mean, found.error)});
  table.add({"least", fmt::format("{:.6g}", found.least)});
  if (found.unusual_share >= 0)
    table.add({"unusual", fmt::format("{} of the rows are less probable than 99 % of training",
                                      percent_text(found.unusual_share))});
  return table.text();
}

Json likelihood_json(const LikelihoodSummary& found) {
  Json json{{"log_likelihood", found.mean},
            {"log_likelihood_error", found.error},
            {"least_log_density", found.least}};
  if (found.unusual_share >= 0) json["unusual_share"] = found.unusual_share;
  return json;
}

}  // namespace coppice
