// What makes payloads ones that can be read: the part of validation that knows the kinds.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/validate.h"

namespace coppice {

using Fault = std::optional<ForestFault>;

template <class... Arguments>
ForestFault fault(std::string_view section, std::size_t entry,
                  fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {std::string(section), entry, fmt::format(text, std::forward<Arguments>(arguments)...)};
}

// Schema, kind and ensemble fit each other, and a payload has as many values as they ask for.
Fault payload_size_fault(const ForestArrays&, const ForestInfo&);

// REQUIRES: payload_size_fault() found none, and the payload array holds whole rows.
Fault payloads_fault(const ForestArrays&, const ForestInfo&);

// Payloads are rounded as the precision says. REQUIRES: payloads_fault() found none.
Fault precision_fault(const ForestArrays&, const ForestInfo&);

}  // namespace coppice
