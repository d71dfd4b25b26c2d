// One row per setting, so that names, effects and the list in error messages cannot disagree.
#include "c_api/read_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "c_api/boundary.h"
#include "coppice/error.h"
#include "data/place.h"
#include "data/spelling.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

struct ReadSetting {
  const char* name;
  bool follows_from_model;
  void (*apply)(ReadOptions&, const std::string& value);
};

char delimiter_of(const std::string& value) {
  if (value == "tab") return '\t';
  if (value.size() == 1) return value[0];
  throw Error(ErrorKind::invalid_option,
              "delimiter: " + quoted(value) + " is neither one character nor the word tab");
}

TargetKind target_kind_of(const std::string& value) {
  if (value == "infer") return TargetKind::infer;
  if (value == "classes") return TargetKind::classes;
  if (value == "numbers") return TargetKind::numbers;
  throw Error(ErrorKind::invalid_option,
              "target-kind: " + quoted(value) + " is none of infer, classes and numbers");
}

constexpr ReadSetting kSettings[] = {
    {"target", true, [](ReadOptions& o, const std::string& v) { o.targets.push_back(v); }},
    {"target-kind", true,
     [](ReadOptions& o, const std::string& v) { o.target_kind = target_kind_of(v); }},
    {"categorical", true,
     [](ReadOptions& o, const std::string& v) { o.kinds[v] = FeatureKind::categorical; }},
    {"numeric", true,
     [](ReadOptions& o, const std::string& v) { o.kinds[v] = FeatureKind::numeric; }},
    {"ignore", false, [](ReadOptions& o, const std::string& v) { o.ignored_columns.push_back(v); }},
    {"weights", false, [](ReadOptions& o, const std::string& v) { o.weight_column = v; }},
    {"header", false,
     [](ReadOptions& o, const std::string& v) {
       o.header = truth_value({"header", v, "true"});
     }},
    {"delimiter", false,
     [](ReadOptions& o, const std::string& v) { o.delimiter = delimiter_of(v); }},
    {"format", false, [](ReadOptions& o, const std::string& v) { o.format = v; }},
};

const ReadSetting& find_setting(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  std::vector<std::string> names;
  for (const ReadSetting& setting : kSettings) {
    if (name == setting.name) return setting;
    names.emplace_back(setting.name);
  }
  const auto nearest = nearest_spelling(name, names);
  throw Error(ErrorKind::invalid_option,
              fmt::format("there is no setting {} for reading; {}", quoted(name),
                          nearest ? "did you mean " + quoted(*nearest) + "?"
                                  : "there are " + listed(names)));
}

}  // namespace

ReadOptions read_options(std::span<const CoppiceSetting> settings, const Schema* like) {
  ReadOptions options = like != nullptr ? read_options_for(*like) : ReadOptions{};
  for (const CoppiceSetting& given : settings) {
    const ReadSetting& setting = find_setting(required_text(given.name, "settings"));
    if (like != nullptr && setting.follows_from_model)
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{} follows from the forest; leave the setting out", setting.name));
    setting.apply(options, required_text(given.value, setting.name));
  }
  return options;
}

}  // namespace coppice
