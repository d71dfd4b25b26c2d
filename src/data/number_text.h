// What the text of a field means: a missing value, a number, or just text. The same in every
// format.
#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <string_view>
#include <system_error>

namespace coppice {

// Without the spaces and tabs around it.
std::string_view trim(std::string_view text);

// Empty, NA, N/A, nan, NaN, NULL, null or ?, after trim().
bool means_missing(std::string_view trimmed);

enum class NumberStatus { number, beyond_range, text };

template <typename Float>
struct ParsedNumber {
  NumberStatus status = NumberStatus::text;
  Float value = 0;
};

// The whole of `trimmed` as a decimal number, inf or infinity, with an optional sign. What is too
// small for Float is 0; what is too large is beyond_range. Hexadecimal and nan are text.
template <typename Float>
ParsedNumber<Float> parse_number(std::string_view trimmed) {
  if (trimmed.size() > 1 && trimmed[0] == '+' && trimmed[1] != '-') trimmed.remove_prefix(1);
  const char* const end = trimmed.data() + trimmed.size();
  Float value = 0;
  const auto [stop, error] = fast_float::from_chars(trimmed.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end || std::isnan(value)) return {};
  if (std::isinf(value)) {
    // Only the word starts with a letter: everything else that is infinite was finite in the file.
    const char first = trimmed[0] == '-' ? trimmed[1] : trimmed[0];
    const bool word = first == 'i' || first == 'I';
    return {word ? NumberStatus::number : NumberStatus::beyond_range, value};
  }
  return {NumberStatus::number, value};
}

inline bool is_number(std::string_view trimmed) {
  return parse_number<double>(trimmed).status != NumberStatus::text;
}

}  // namespace coppice
