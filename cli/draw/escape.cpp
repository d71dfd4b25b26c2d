// See escape.h.
#include "draw/escape.h"

#include <cstdint>

#include "base/utf8.h"

namespace coppice {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// The bytes of the character that begins with `first`; 0 if none can.
std::size_t character_bytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

std::string escaped_ascii(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? kReplacement
                                                                           : std::string(1, c);
  }
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_bytes(static_cast<unsigned char>(text[at]));
    const std::string_view character = text.substr(at, size);
    if (size == 0 || character.size() < size || !is_utf8(character)) {
      escaped += kReplacement;
      ++at;
      continue;
    }
    escaped += size == 1 ? escaped_ascii(text[at]) : std::string(character);
    at += size;
  }
  return escaped;
}

std::string base64(std::string_view bytes) {
  static constexpr const char* digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = bytes.size() - at;
    std::uint32_t group = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      group = group << 8 | (n < left ? static_cast<unsigned char>(bytes[at + n]) : 0u);
    }
    for (std::size_t n = 0; n < 4; ++n) {
      text += n <= left ? digits[group >> (18 - 6 * n) & 63u] : '=';
    }
  }
  return text;
}

}  // namespace coppice
