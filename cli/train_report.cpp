// See train_report.h.
#include "train_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/number_text.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr std::size_t kShownFeatures = 20;
constexpr std::size_t kShownImportances = 10;
constexpr std::size_t kListWidth = 60;

double missing_share(const std::vector<float>& column) {
  if (column.empty()) return 0;
  const auto missing =
      std::count_if(column.begin(), column.end(), [](float value) { return std::isnan(value); });
  return static_cast<double>(missing) / static_cast<double>(column.size());
}

// ", labels of 8 rows" if not all rows have one.
std::string labelled_text(const Dataset& data) {
  std::size_t labelled = 0;
  for (const std::uint32_t label : data.labels) labelled += label != kNoLabel;
  const std::size_t targets = data.schema.targets.size();
  for (std::size_t n = 0; n < data.targets.size(); n += targets)
    labelled += !std::isnan(data.targets[n]);
  return labelled == data.rows ? "" : ", known of " + plural(labelled, "row", "rows");
}

std::string target_text(const Dataset& data, const std::string& task) {
  const Schema& schema = data.schema;
  if (task == "density") return "none: density of the features";
  if (!schema.classes.empty()) {
    return fmt::format("{}: classification, {}: {}{}", printable(schema.targets.at(0)),
                       plural(schema.classes.size(), "class", "classes"),
                       abbreviated(schema.classes, kListWidth), labelled_text(data));
  }
  return fmt::format("{}: regression{}", abbreviated(schema.targets, kListWidth),
                     labelled_text(data));
}

bool is_regression(const Forest& forest) { return !predicts_classes(forest.info().payload_kind); }

}  // namespace

std::string features_text(const Schema& schema, const std::vector<double>& missing) {
  TextTable table("llrl");
  std::vector<std::string> numbers;
  std::size_t shown = 0, hidden = 0;
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    const Feature& feature = schema.features[f];
    const bool named = feature.kind == FeatureKind::categorical;
    const bool gaps = f < missing.size() && missing[f] > 0;
    if (!named && !gaps) {
      numbers.push_back(feature.name);
    } else if (shown == kShownFeatures) {
      ++hidden;
    } else {
      ++shown;
      table.add({feature.name,
                 named ? plural(feature.categories.size(), "category", "categories") : "number",
                 gaps ? percent_text(missing[f]) + " missing" : "",
                 named ? abbreviated(feature.categories, kListWidth) : ""});
    }
  }
  std::string text = table.text(4);
  if (hidden > 0) text += fmt::format("    ... and {} more like these\n", count_text(hidden));
  if (!numbers.empty()) {
    text += fmt::format("    {}: {}\n", plural(numbers.size(), "number", "numbers"),
                        abbreviated(numbers, kListWidth));
  }
  return text;
}

std::string data_text(const std::string& path, const Dataset& data, const std::string& task,
                      double read_seconds) {
  std::vector<double> missing;
  for (const auto& column : data.columns) missing.push_back(missing_share(column));
  return fmt::format("{}: {}, read in {}\n  target   {}\n{}  {}\n{}", path,
                     plural(data.rows, "row", "rows"), seconds_text(read_seconds),
                     target_text(data, task),
                     data.weights.empty() ? "" : "  weights  a column of the file\n",
                     plural(data.schema.features.size(), "feature", "features"),
                     features_text(data.schema, missing));
}

std::string number_classes_hint(const Schema& schema) {
  constexpr std::size_t few = 10;
  const auto number = [](const std::string& name) { return is_number(name); };
  const auto& classes = schema.classes;
  if (classes.size() <= few || !std::all_of(classes.begin(), classes.end(), number)) return "";
  return "  the classes are whole numbers: --task regression would learn them as quantities\n";
}

Json data_json(const Dataset& data) {
  Json features = Json::array();
  for (std::size_t f = 0; f < data.schema.features.size(); ++f) {
    const Feature& feature = data.schema.features[f];
    const bool named = feature.kind == FeatureKind::categorical;
    Json entry{{"name", feature.name}, {"kind", named ? "categorical" : "numeric"}};
    if (named) entry["categories"] = feature.categories.size();
    entry["missing_share"] = missing_share(data.columns[f]);
    features.push_back(std::move(entry));
  }
  return {{"features", std::move(features)},
          {"targets", data.schema.targets},
          {"classes", data.schema.classes}};
}

std::size_t data_bytes(const Dataset& data) {
  std::size_t bytes = data.labels.size() * sizeof(data.labels[0]) +
                      data.targets.size() * sizeof(data.targets[0]) +
                      data.weights.size() * sizeof(data.weights[0]);
  for (const auto& column : data.columns) bytes += column.size() * sizeof(column[0]);
  return bytes;
}

std::string importance_text(const Forest& forest, const std::string& kind) {
  const auto found = forest.info().importances.find(kind);
  if (found == forest.info().importances.end()) return "";
  const std::vector<float>& importance = found->second;
  std::vector<std::size_t> order(importance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return importance[a] > importance[b]; });
  const std::size_t shown = std::min(order.size(), kShownImportances);
  const double largest = order.empty() ? 0 : static_cast<double>(importance[order[0]]);
  TextTable table("lrl");
  for (std::size_t n = 0; n < shown; ++n) {
    const double value = static_cast<double>(importance[order[n]]);
    table.add({forest.info().schema.features[order[n]].name, fmt::format("{:.4g}", value),
               largest > 0 ? bar(value / largest, 40) : ""});
  }
  const std::string heading =
      shown < order.size() ? fmt::format(", the first {} of {}", shown, order.size()) : "";
  return fmt::format("  importance ({}){}\n{}", kind, heading, table.text(4));
}

Json importances_json(const Forest& forest) {
  Json kinds = Json::object();
  for (const auto& [kind, values] : forest.info().importances) {
    Json& by_name = kinds[kind] = Json::object();
    for (std::size_t f = 0; f < values.size(); ++f) {
      by_name[forest.info().schema.features[f].name] = values[f];
    }
  }
  return kinds;
}

std::string summary_text(const FitResult& result, const std::string& model_path) {
  const FitReport& report = result.report;
  TextTable table("ll");
  table.add({"nodes", fmt::format("{}, of which {} leaves", count_text(report.nodes),
                                  count_text(report.leaves))});
  table.add({"depth", fmt::format("{} at most", report.max_depth)});
  if (report.out_of_bag) {
    const OutOfBag& oob = *report.out_of_bag;
    table.add({is_regression(result.forest) ? "OOB RMSE" : "OOB error",
               is_regression(result.forest) ? number_text(std::sqrt(oob.error))
                                            : percent_text(oob.error)});
  }
  if (report.density && report.density->log_likelihood)
    table.add({"OOB log-likelihood", number_text(*report.density->log_likelihood) + " per row"});
  if (report.interval_coverage)
    table.add({"intervals", fmt::format("of 90 % hold {} of the out-of-bag targets",
                                        percent_text(*report.interval_coverage))});
  table.add({"model", fmt::format("{}, {}", model_path, bytes_text(file_bytes(model_path)))});
  std::string text = fmt::format("{} trained in {}\n{}", plural(report.trees, "tree", "trees"),
                                 seconds_text(report.seconds), table.text());
  for (const auto& [kind, values] : result.forest.info().importances) {
    text += importance_text(result.forest, kind);
  }
  return text;
}

Json summary_json(const FitResult& result, const std::string& model_path) {
  const FitReport& report = result.report;
  const bool regression = is_regression(result.forest);
  Json json{{"task", task_name(result.forest)},
            {"train_seconds", report.seconds},
            {"trees", report.trees},
            {"nodes", report.nodes},
            {"leaves", report.leaves},
            {"max_depth", report.max_depth},
            {"oob_error", nullptr},
            {"notes", report.notes}};
  if (report.out_of_bag) {
    json["oob_error"] = report.out_of_bag->error;
    if (regression) json["oob_rmse"] = std::sqrt(report.out_of_bag->error);
    json["oob_rows"] = report.out_of_bag->rows_covered;
  }
  if (report.density) {
    const DensityReport& density = *report.density;
    json["oob_log_likelihood"] = nullptr;
    if (density.log_likelihood) json["oob_log_likelihood"] = *density.log_likelihood;
    json["log_likelihood_by_depth"] = density.log_likelihood_by_depth;
    json["trees_grown"] = density.trees_grown;
    json["mass_error"] = density.mass_error;
  }
  if (report.interval_coverage) json["interval_coverage"] = *report.interval_coverage;
  json["model"] = model_path;
  json["model_bytes"] = file_bytes(model_path);
  json["importances"] = importances_json(result.forest);
  Json options = Json::object();
  for (const auto& [name, value] : result.forest.info().options) options[name] = value;
  json["options"] = std::move(options);
  return json;
}

}  // namespace coppice
