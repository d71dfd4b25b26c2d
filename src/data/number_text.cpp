// The one list of spellings of a missing value.
#include "data/number_text.h"

#include <algorithm>
#include <array>

namespace coppice {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool means_missing(std::string_view trimmed) {
  constexpr std::array<std::string_view, 8> kSpellings = {"",    "NA",   "N/A",  "nan",
                                                          "NaN", "NULL", "null", "?"};
  return trimmed.size() <= 4 && std::ranges::find(kSpellings, trimmed) != kSpellings.end();
}

}  // namespace coppice
