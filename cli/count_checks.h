// Checks of options that count things: without them a minus sign makes a very large number.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace coppice {

inline CLI::Validator not_negative() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.starts_with('-') ? "'" + text + "' is below 0" : std::string();
      },
      "");
}

inline CLI::Validator above_zero() {
  return CLI::Validator(
      [](const std::string& text) { return text == "0" ? "must be above 0" : std::string(); }, "");
}

}  // namespace coppice
