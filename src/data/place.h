// Where in a file something is wrong, and the error that says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "coppice/error.h"

namespace coppice {

struct Place {
  std::string_view file;
  std::size_t line = 0;   // from 1; 0: the file as a whole
  std::size_t field = 0;  // from 1, within the line; 0: the line as a whole
};

// "file:line:field: sentence", without the parts that are 0.
inline Error data_error(const Place& place, const std::string& sentence) {
  std::string text(place.file);
  if (place.line > 0) text += ':' + std::to_string(place.line);
  if (place.line > 0 && place.field > 0) text += ':' + std::to_string(place.field);
  return Error(ErrorKind::invalid_data, text + ": " + sentence);
}

// A piece of the file for a sentence: in quotes, cut if long, control characters as '.'.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown = "'";
  for (const char c : text.substr(0, kLongest)) {
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '.' : c;
  }
  return shown + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace coppice
