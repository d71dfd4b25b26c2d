// What the text of a field means: a missing value, a number, or just text. The same in every
// format.
#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
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

// Reads a decimal such as -12.375 from the beginning of [at, end) and returns what follows it; null
// if it has an exponent, no leading digit, or more digits than can be done quickly. The same float
// as parse_number(): the digits (at most 2^24) and the power of ten (at most 10^10) are floats
// without error, so that one division rounds once.
inline const char* take_short_decimal(const char* at, const char* end, float& value) {
  constexpr float kPowers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  constexpr std::ptrdiff_t kMostDigits = 10;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool negative = at != end && *at == '-';
  at += negative;
  const char* const first = at;
  std::uint64_t digits = 0;
  for (; at != end && is_digit(*at); ++at) digits = 10 * digits + static_cast<unsigned>(*at - '0');
  if (at == first || at - first > kMostDigits) return nullptr;
  std::ptrdiff_t places = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    for (; at != end && is_digit(*at); ++at)
      digits = 10 * digits + static_cast<unsigned>(*at - '0');
    places = at - fraction;
    if (places > kMostDigits - (fraction - 1 - first)) return nullptr;
  }
  if (digits > (1u << 24) || (at != end && (*at == 'e' || *at == 'E'))) return nullptr;
  const float magnitude = static_cast<float>(digits) / kPowers[places];
  value = negative ? -magnitude : magnitude;
  return at;
}

inline bool is_number(std::string_view trimmed) {
  return parse_number<double>(trimmed).status != NumberStatus::text;
}

}  // namespace coppice
