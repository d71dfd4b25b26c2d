// Columns are moved, not copied; categories are recoded in place.
#include "data/assemble.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"

namespace coppice {
namespace {

void add_feature(Dataset& data, Column& column) {
  Feature feature{column.take_name()};
  std::vector<float> values = column.take_floats();
  values.shrink_to_fit();
  if (column.coded()) {
    SortedTexts categories = sorted(column.dictionary());
    feature.kind = FeatureKind::categorical;
    feature.categories = std::move(categories.texts);
    for (float& value : values) {
      if (!std::isnan(value)) {
        value = static_cast<float>(categories.rank[static_cast<std::size_t>(value)]);
      }
    }
  }
  data.schema.features.push_back(std::move(feature));
  data.columns.push_back(std::move(values));
}

void add_weights(Dataset& data, Column& column, const std::string& file) {
  data.weights = column.take_floats();
  for (std::size_t row = 0; row < data.rows; ++row) {
    const float weight = data.weights[row];
    if (std::isfinite(weight) && weight >= 0) continue;
    const std::string shown = std::isnan(weight) ? "missing" : text_of(weight);
    throw data_error({file}, "the weight of row " + std::to_string(row + 1) + " (column '" +
                                 column.name() + "') is " + shown +
                                 "; a weight is finite and not negative");
  }
}

void add_labels(Dataset& data, Column& column) {
  SortedTexts classes = sorted(column.dictionary());
  data.schema.classes = std::move(classes.texts);
  data.labels.reserve(data.rows);
  for (const double code : column.take_doubles()) {
    data.labels.push_back(std::isnan(code) ? kNoLabel
                                           : classes.rank[static_cast<std::size_t>(code)]);
  }
}

void add_targets(Dataset& data, Table& table) {
  const std::size_t targets = table.targets.size();
  if (targets == 1) {
    data.targets = table.columns[table.targets[0]].take_doubles();
    return;
  }
  data.targets.resize(data.rows * targets);
  for (std::size_t target = 0; target < targets; ++target) {
    const std::vector<double> values = table.columns[table.targets[target]].take_doubles();
    for (std::size_t row = 0; row < data.rows; ++row) {
      data.targets[row * targets + target] = values[row];
    }
  }
}

// Names reach model files and pictures, which are UTF-8.
void require_utf8(const std::string& text, const std::string& what, const std::string& file) {
  if (is_utf8(text)) return;
  std::string shown = text;
  for (char& c : shown)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  throw data_error({file}, what + " " + quoted(shown) + " is not UTF-8; convert the file to UTF-8");
}

void require_utf8(const Schema& schema, const std::string& file) {
  for (const Feature& feature : schema.features) {
    require_utf8(feature.name, "the name of column", file);
    for (const std::string& category : feature.categories)
      require_utf8(category, "a value of column " + quoted(feature.name) + ",", file);
  }
  for (const std::string& target : schema.targets) require_utf8(target, "the name of column", file);
  for (const std::string& label : schema.classes) require_utf8(label, "the class", file);
}

}  // namespace

Dataset assemble(Table table, const std::string& file) {
  if (table.rows == 0) throw data_error({file}, "has no rows");
  if (table.rows > kMostRows) {
    throw data_error({file}, "has more than " + std::to_string(kMostRows) + " rows");
  }
  Dataset data;
  data.rows = table.rows;
  const auto features = static_cast<std::size_t>(std::ranges::count(
      table.columns, ColumnUse::feature, [](const Column& column) { return column.use(); }));
  data.schema.features.reserve(features);
  data.columns.reserve(features);
  for (Column& column : table.columns) {
    if (column.use() == ColumnUse::feature) add_feature(data, column);
    if (column.use() == ColumnUse::weight) add_weights(data, column, file);
  }
  for (const std::size_t target : table.targets) {
    data.schema.targets.push_back(table.columns[target].name());
  }
  if (!table.targets.empty()) {
    Column& first = table.columns[table.targets[0]];
    if (first.coded()) {
      add_labels(data, first);
    } else {
      add_targets(data, table);
    }
  }
  require_utf8(data.schema, file);
  return data;
}

}  // namespace coppice
