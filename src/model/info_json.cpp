// Schema, options and facts to JSON and back. Lists are counted before they are stored, so that
// memory stays in proportion to the text.
#include "model/info_json.h"

#include <algorithm>
#include <array>

namespace coppice {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 8> kPayloadKinds{
    "class_histogram", "mean_variance",   "mean_covariance", "mean_quantiles",
    "linear",          "linear_gaussian", "class_scores",    "gaussian"};
constexpr std::array<std::string_view, 5> kEnsembles{"mean", "product", "vote", "confidence",
                                                     "sum"};

constexpr std::array<std::string_view, 3> kPrecisions{"full", "half", "byte"};

template <class Kind, class Names>
std::optional<Kind> position_of(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

std::string strings_json(const std::vector<std::string>& names) {
  std::string json = "[";
  for (const std::string& name : names) {
    if (json.size() > 1) json += ',';
    json += json_string(name);
  }
  return json + "]";
}

template <class Pairs>
std::string pairs_json(const Pairs& pairs) {
  std::string json = "{";
  for (const auto& [name, value] : pairs) {
    if (json.size() > 1) json += ',';
    json += json_string(name) + ":" + json_string(value);
  }
  return json + "}";
}

std::string feature_json(const Feature& feature) {
  std::string json = "{\"name\":" + json_string(feature.name);
  if (feature.kind == FeatureKind::numeric) return json + ",\"kind\":\"numeric\"}";
  return json + ",\"kind\":\"categorical\",\"categories\":" + strings_json(feature.categories) +
         "}";
}

std::vector<std::string> read_strings(JsonReader& reader) {
  std::vector<std::string> names;
  names.reserve(reader.count([&] { reader.string(); }));
  reader.array([&] { names.push_back(reader.string()); });
  return names;
}

FeatureKind read_feature_kind(JsonReader& reader) {
  const std::string kind = reader.string();
  if (kind == "numeric") return FeatureKind::numeric;
  if (kind == "categorical") return FeatureKind::categorical;
  reader.fail("'" + kind + "' is no kind of feature");
}

Feature read_feature(JsonReader& reader) {
  Feature feature;
  bool has_name = false, has_kind = false, has_categories = false;
  reader.object([&](const std::string& key) {
    if (key == "name") {
      feature.name = reader.string();
      has_name = true;
    } else if (key == "kind") {
      feature.kind = read_feature_kind(reader);
      has_kind = true;
    } else if (key == "categories") {
      feature.categories = read_strings(reader);
      has_categories = true;
    } else {
      reader.fail("unknown key '" + key + "' of a feature");
    }
  });
  if (!has_name || !has_kind) reader.fail("a feature without name or kind");
  if (has_categories != (feature.kind == FeatureKind::categorical)) {
    reader.fail("categories belong to categorical features, and to each of them");
  }
  return feature;
}

std::vector<Feature> read_features(JsonReader& reader) {
  std::vector<Feature> features;
  features.reserve(reader.count([&] { read_feature(reader); }));
  reader.array([&] { features.push_back(read_feature(reader)); });
  return features;
}

}  // namespace

std::string_view payload_kind_name(PayloadKind kind) {
  return kPayloadKinds[static_cast<std::size_t>(kind)];
}

std::optional<PayloadKind> payload_kind_named(std::string_view name) {
  return position_of<PayloadKind>(kPayloadKinds, name);
}

std::string_view ensemble_name(Ensemble ensemble) {
  return kEnsembles[static_cast<std::size_t>(ensemble)];
}

std::optional<Ensemble> ensemble_named(std::string_view name) {
  return position_of<Ensemble>(kEnsembles, name);
}

std::string_view precision_name(PayloadPrecision precision) {
  return kPrecisions[static_cast<std::size_t>(precision)];
}

std::optional<PayloadPrecision> precision_named(std::string_view name) {
  return position_of<PayloadPrecision>(kPrecisions, name);
}

std::string_view format_version(const ForestArrays& arrays, const ForestInfo& info) {
  if (info.precision != PayloadPrecision::full) return "1.2";
  return arrays.projections.count() > 0 ? "1.1" : "1.0";
}

std::string schema_json(const Schema& schema, std::string_view line_break) {
  std::string json = "{\"features\":[";
  for (std::size_t feature = 0; feature < schema.features.size(); ++feature) {
    if (feature > 0) json += ',';
    json += line_break;
    json += feature_json(schema.features[feature]);
  }
  json += "],";
  json += line_break;
  json += "\"targets\":" + strings_json(schema.targets) + ",";
  json += line_break;
  return json + "\"classes\":" + strings_json(schema.classes) + "}";
}

Schema read_schema(JsonReader& reader) {
  Schema schema;
  std::size_t known = 0;
  reader.object([&](const std::string& key) {
    if (key == "features") {
      schema.features = read_features(reader);
    } else if (key == "targets") {
      schema.targets = read_strings(reader);
    } else if (key == "classes") {
      schema.classes = read_strings(reader);
    } else {
      reader.fail("unknown key '" + key + "' of the schema");
    }
    ++known;
  });
  if (known != 3) reader.fail("the schema needs features, targets and classes");
  return schema;
}

std::string options_json(const std::vector<std::pair<std::string, std::string>>& options) {
  return pairs_json(options);
}

std::string facts_json(const std::map<std::string, std::string>& facts) {
  return pairs_json(facts);
}

std::vector<std::pair<std::string, std::string>> read_string_pairs(JsonReader& reader) {
  std::vector<std::pair<std::string, std::string>> pairs;
  reader.object([&](const std::string& key) { pairs.emplace_back(key, reader.string()); });
  return pairs;
}

}  // namespace coppice
