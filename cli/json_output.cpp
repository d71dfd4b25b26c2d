// See json_output.h.
#include "json_output.h"

#include "terminal.h"

namespace coppice {

void print_json(const Json& json) {
  constexpr int indent = 2;
  print_text(json.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n');
}

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_option:
      return "invalid_option";
    case ErrorKind::invalid_data:
      return "invalid_data";
    case ErrorKind::corrupt_model:
      return "corrupt_model";
    case ErrorKind::io:
      return "io";
    case ErrorKind::cancelled:
      return "cancelled";
  }
  return "internal";
}

Json error_json(const std::string& sentence, const std::string& kind) {
  return {{"error", sentence}, {"kind", kind}};
}

}  // namespace coppice
