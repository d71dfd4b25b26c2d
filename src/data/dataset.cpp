// Views of data sets, and what must hold before anything is computed from one.
#include "coppice/dataset.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/error.h"
#include "data/limits.h"
#include "data/place.h"

namespace coppice {
namespace {

void require(bool condition, const std::string& sentence) {
  if (!condition) throw Error(ErrorKind::invalid_data, sentence);
}

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what;
}

void check_sizes(const DatasetView& data) {
  const Schema& schema = *data.schema;
  require(schema.features.size() <= kMostFeatures,
          count(schema.features.size(), "features are more than ") + std::to_string(kMostFeatures));
  require(data.rows <= kMostRows,
          count(data.rows, "rows are more than ") + std::to_string(kMostRows));
  require(data.columns.size() == schema.features.size(),
          "there are " + count(data.columns.size(), "columns for ") +
              count(schema.features.size(), "features"));
  require(data.labels.empty() || data.labels.size() == data.rows,
          "there are " + count(data.labels.size(), "labels for ") + count(data.rows, "rows"));
  require(data.weights.empty() || data.weights.size() == data.rows,
          "there are " + count(data.weights.size(), "weights for ") + count(data.rows, "rows"));
  const std::size_t targets = schema.targets.size();
  const bool complete = targets > 0 && data.targets.size() % targets == 0 &&
                        data.targets.size() / targets == data.rows;
  require(data.targets.empty() || complete,
          "there are " + count(data.targets.size(), "target values for ") +
              count(data.rows, "rows of ") + count(targets, "targets"));
}

void check_names(const Schema& schema) {
  std::vector<std::string_view> names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  require(twice == names.end(),
          "two features are named " +
              (twice == names.end() ? std::string() : quoted(std::string(*twice))));
}

void check_column(const Feature& feature, std::span<const float> column, std::size_t rows) {
  const auto name = [&] { return "feature " + quoted(feature.name); };
  require(column.size() == rows,
          name() + " has " + count(column.size(), "values for ") + count(rows, "rows"));
  if (feature.kind == FeatureKind::numeric) return;
  const std::size_t categories = feature.categories.size();
  require(categories <= kMostCategories, name() + " has " + count(categories, "categories, ") +
                                             "more than " + std::to_string(kMostCategories));
  for (std::size_t row = 0; row < rows; ++row) {
    const float code = column[row];
    const bool known =
        code >= 0 && code < static_cast<float>(categories) && code == std::floor(code);
    if (std::isnan(code) || known) continue;
    throw Error(ErrorKind::invalid_data, name() + " has the code " + std::to_string(code) +
                                             " in row " + std::to_string(row + 1) + ", but " +
                                             count(categories, "categories"));
  }
}

void check_rows(const DatasetView& data) {
  const auto in_row = [](std::size_t row) { return " of row " + std::to_string(row + 1); };
  const std::size_t classes = data.schema->classes.size();
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    if (data.labels[row] < classes || data.labels[row] == kNoLabel) continue;
    throw Error(ErrorKind::invalid_data, "the label" + in_row(row) + " is " +
                                             count(data.labels[row], "but there are ") +
                                             count(classes, "classes"));
  }
  for (std::size_t row = 0; row < data.weights.size(); ++row) {
    const float weight = data.weights[row];
    if (std::isfinite(weight) && weight >= 0) continue;
    throw Error(ErrorKind::invalid_data, "the weight" + in_row(row) + " is " +
                                             std::to_string(weight) +
                                             "; a weight is finite and not negative");
  }
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    if (!std::isinf(data.targets[i])) continue;
    throw Error(ErrorKind::invalid_data,
                "the target" + in_row(i / data.schema->targets.size()) + " is infinite");
  }
}

}  // namespace

DatasetView Dataset::view() const {
  DatasetView view;
  view.schema = &schema;
  view.rows = rows;
  view.columns.assign(columns.begin(), columns.end());
  view.labels = labels;
  view.targets = targets;
  view.weights = weights;
  return view;
}

void validate(const DatasetView& data) {
  require(data.schema != nullptr, "the data set has no schema");
  check_sizes(data);
  check_names(*data.schema);
  for (std::size_t i = 0; i < data.columns.size(); ++i) {
    check_column(data.schema->features[i], data.columns[i], data.rows);
  }
  check_rows(data);
}

}  // namespace coppice
