// See suggestion.h.
#include "suggestion.h"

#include <fmt/format.h>

#include "data/spelling.h"

namespace coppice {

std::string suggestion(std::string_view mistyped, const std::vector<std::string>& names) {
  if (const auto nearest = nearest_spelling(mistyped, names)) {
    return fmt::format("; did you mean {}?", *nearest);
  }
  return fmt::format("; there are {}", fmt::join(names, ", "));
}

}  // namespace coppice
