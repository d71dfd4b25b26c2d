// One JSON object per run on standard output. Bytes that are not UTF-8 are replaced, NaN is null.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "coppice/error.h"

namespace coppice {

using Json = nlohmann::ordered_json;

// Throws Error(io) if standard output cannot take it.
void print_json(const Json&);

// "invalid_option", "invalid_data" ...
const char* kind_name(ErrorKind);

Json error_json(const std::string& sentence, const std::string& kind);

}  // namespace coppice
