// Brings new data into the form a model was trained on: order of columns, codes of categories and
// classes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/error.h"
#include "data/number_text.h"
#include "data/place.h"
#include "data/spelling.h"

namespace coppice {
namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(const std::vector<std::string>& names) {
  Positions positions;
  for (std::size_t i = 0; i < names.size(); ++i) positions.emplace(names[i], i);
  return positions;
}

std::vector<std::string> feature_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  return names;
}

// Names in `names` that `others` has not.
std::vector<std::string> names_outside(const std::vector<std::string>& names,
                                       const Positions& others) {
  std::vector<std::string> outside;
  std::ranges::copy_if(names, std::back_inserter(outside),
                       [&](const std::string& name) { return !others.contains(name); });
  return outside;
}

// For every feature of the model, the column of the data.
std::vector<std::size_t> match_columns(const Schema& data, const Schema& model) {
  const std::vector<std::string> present = feature_names(data), wanted = feature_names(model);
  const Positions positions = positions_of(present);
  const std::vector<std::string> missing = names_outside(wanted, positions);
  std::vector<std::size_t> match(wanted.size());
  const bool by_position = missing.size() == wanted.size() && present.size() == wanted.size();
  if (!missing.empty() && !by_position) {
    const std::vector<std::string> unknown = names_outside(present, positions_of(wanted));
    std::string sentence = "the data lack " + std::to_string(missing.size()) + " of the " +
                           std::to_string(wanted.size()) +
                           " columns of the model: " + listed(missing);
    if (!unknown.empty()) sentence += "; columns that the model does not know: " + listed(unknown);
    throw Error(ErrorKind::invalid_data, sentence);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    match[i] = by_position ? i : positions.at(wanted[i]);
  }
  return match;
}

bool all_missing(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isnan(value); });
}

// A column without any value may be of either kind.
void check_kinds(const Dataset& data, const Schema& model, const std::vector<std::size_t>& match) {
  std::vector<std::string> numbers_here, text_here;
  for (std::size_t i = 0; i < match.size(); ++i) {
    const Feature& feature = data.schema.features[match[i]];
    if (feature.kind == model.features[i].kind || all_missing(data.columns[match[i]])) continue;
    auto& list = feature.kind == FeatureKind::numeric ? numbers_here : text_here;
    list.push_back(feature.name);
  }
  std::string sentence;
  if (!text_here.empty()) {
    sentence = "these columns hold text, but the model knows them as numbers: " + listed(text_here);
  }
  if (!numbers_here.empty()) {
    sentence += (sentence.empty() ? "" : "; ") +
                ("these columns hold numbers, but the model knows them as categories: " +
                 listed(numbers_here));
  }
  if (!sentence.empty()) throw Error(ErrorKind::invalid_data, sentence);
}

// Returns how many values became missing.
std::size_t recode(std::vector<float>& values, const std::vector<std::string>& from,
                   const std::vector<std::string>& to) {
  if (from == to) return 0;
  const Positions positions = positions_of(to);
  std::vector<float> code_of(from.size(), kMissing);
  for (std::size_t code = 0; code < from.size(); ++code) {
    const auto known = positions.find(from[code]);
    if (known != positions.end()) code_of[code] = static_cast<float>(known->second);
  }
  std::size_t unseen = 0;
  for (float& value : values) {
    if (std::isnan(value)) continue;
    value = code_of[static_cast<std::size_t>(value)];
    unseen += std::isnan(value);
  }
  return unseen;
}

// By name; if both are numbers, also by value: 1, +1 and 1.0 are one class.
std::optional<std::uint32_t> find_class(const std::string& name,
                                        const std::vector<std::string>& classes) {
  if (const auto hit = std::ranges::find(classes, name); hit != classes.end()) {
    return static_cast<std::uint32_t>(hit - classes.begin());
  }
  const auto wanted = parse_number<double>(trim(name));
  if (wanted.status != NumberStatus::number) return std::nullopt;
  const auto same = [&](const std::string& other) {
    const auto parsed = parse_number<double>(trim(other));
    return parsed.status == NumberStatus::number && parsed.value == wanted.value;
  };
  const auto hit = std::ranges::find_if(classes, same);
  if (hit == classes.end()) return std::nullopt;
  return static_cast<std::uint32_t>(hit - classes.begin());
}

void conform_labels(Dataset& data, const Schema& model) {
  if (data.labels.empty() || data.schema.classes == model.classes) return;
  if (model.classes.empty()) {
    throw Error(ErrorKind::invalid_data,
                "the target of the data is classes, but the model predicts numbers");
  }
  std::vector<std::optional<std::uint32_t>> label_of;
  for (const std::string& name : data.schema.classes) {
    label_of.push_back(find_class(name, model.classes));
  }
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    std::uint32_t& label = data.labels[row];
    if (label == kNoLabel) continue;
    if (!label_of[label]) {
      throw Error(ErrorKind::invalid_data, "row " + std::to_string(row + 1) + " is of class " +
                                               quoted(data.schema.classes[label]) +
                                               ", which the model does not know; its classes are " +
                                               listed(model.classes));
    }
    label = *label_of[label];
  }
}

// By name, or by position if no name agrees; forgotten if the data have not all of the model's.
void conform_targets(Dataset& data, const Schema& model) {
  if (data.targets.empty()) return;
  if (!model.classes.empty()) {
    throw Error(ErrorKind::invalid_data,
                "the target of the data is numbers, but the model predicts classes");
  }
  const std::size_t present = data.schema.targets.size(), wanted = model.targets.size();
  const Positions positions = positions_of(data.schema.targets);
  const std::size_t lacking = names_outside(model.targets, positions).size();
  const bool by_position = lacking == wanted && present == wanted;
  if (lacking > 0 && !by_position) {
    data.targets.clear();
    return;
  }
  std::vector<double> targets(data.rows * wanted);
  for (std::size_t target = 0; target < wanted; ++target) {
    const std::size_t from = by_position ? target : positions.at(model.targets[target]);
    for (std::size_t row = 0; row < data.rows; ++row) {
      targets[row * wanted + target] = data.targets[row * present + from];
    }
  }
  data.targets = std::move(targets);
}

}  // namespace

Conformed conform(Dataset data, const Schema& schema) {
  validate(data.view());
  if (data.schema == schema) return {std::move(data)};
  const std::vector<std::size_t> match = match_columns(data.schema, schema);
  check_kinds(data, schema, match);
  conform_labels(data, schema);
  conform_targets(data, schema);

  Conformed result;
  std::vector<std::vector<float>> columns;
  for (std::size_t i = 0; i < match.size(); ++i) {
    columns.push_back(std::move(data.columns[match[i]]));
    const Feature& feature = schema.features[i];
    if (feature.kind != FeatureKind::categorical) continue;
    result.unseen_categories +=
        recode(columns.back(), data.schema.features[match[i]].categories, feature.categories);
  }
  result.data = std::move(data);
  result.data.columns = std::move(columns);
  result.data.schema = schema;
  return result;
}

}  // namespace coppice
