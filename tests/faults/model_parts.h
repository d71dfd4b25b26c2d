// For tests of damaged model files: their parts, put together again with a right checksum, so that
// the checks behind it are reached.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "model/model_file.h"

namespace coppice::test {

using Json = nlohmann::ordered_json;

// As it is, if the file no longer has a checksum in its place.
inline std::string repaired(std::string file) {
  const std::string key = "\"checksum\":\"";
  const std::size_t at = file.find(key);
  if (at == std::string::npos || at + key.size() + 8 > file.size()) return file;
  file.replace(at + key.size(), 8, checksum_of(std::as_bytes(std::span(file)), at + key.size()));
  return file;
}

struct Parts {
  Json header;
  std::string data;
};

inline Parts parts_of(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  return {Json::parse(file.substr(8, length)), file.substr(8 + length)};
}

inline std::string joined(std::string header, const std::string& data) {
  while ((8 + header.size()) % 64 != 0) header += ' ';
  const std::uint64_t length = header.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  return repaired(file + header + data);
}
inline std::string joined(const Parts& parts) { return joined(parts.header.dump(), parts.data); }

}  // namespace coppice::test
