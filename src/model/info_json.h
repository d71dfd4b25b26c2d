// ForestInfo as JSON, the same in both kinds of model files. Bytes are fixed: no spaces, keys in
// the order of the struct.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coppice/model.h"
#include "model/json_reader.h"

namespace coppice {

// The names that reach the disk.
std::string_view payload_kind_name(PayloadKind);
std::optional<PayloadKind> payload_kind_named(std::string_view name);
std::string_view ensemble_name(Ensemble);
std::optional<Ensemble> ensemble_named(std::string_view name);
std::string_view precision_name(PayloadPrecision);
std::optional<PayloadPrecision> precision_named(std::string_view name);

// The first version of the format that knows all that the forest holds.
std::string_view format_version(const ForestArrays&, const ForestInfo&);

// {"features":[{"name":"age","kind":"numeric"},
//              {"name":"sex","kind":"categorical","categories":["F","M"]}],
//  "targets":["income"],"classes":["low","high"]}
// `line_break` comes before every feature, target list and class list.
std::string schema_json(const Schema&, std::string_view line_break = "");
Schema read_schema(JsonReader&);

// {"trees":"100","max_depth":"7"}
std::string options_json(const std::vector<std::pair<std::string, std::string>>& options);
std::string facts_json(const std::map<std::string, std::string>& facts);
// In the order of the text, which need not be that of the names.
std::vector<std::pair<std::string, std::string>> read_string_pairs(JsonReader&);

}  // namespace coppice
