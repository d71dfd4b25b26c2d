// The grammar of JSON (RFC 8259), one function per kind of value; nothing here recurses.
#include "model/json_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "coppice/error.h"

namespace coppice {
namespace {

void append_utf8(std::uint32_t code_point, std::string& text) {
  const auto tail = [&](std::uint32_t shift) {
    text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

JsonReader::JsonReader(std::string_view text, Locate locate)
    : text_(text), locate_(std::move(locate)) {}

void JsonReader::fail(const std::string& reason) const {
  throw Error(ErrorKind::corrupt_model, locate_(next_) + ": " + reason);
}

void JsonReader::skip_space() {
  next_ = std::min(text_.find_first_not_of(" \t\r\n", next_), text_.size());
}

bool JsonReader::accept(char wanted) {
  skip_space();
  if (next_ == text_.size() || text_[next_] != wanted) return false;
  ++next_;
  return true;
}

void JsonReader::expect(char wanted) {
  if (!accept(wanted)) fail(fmt::format("expected '{}'", wanted));
}

std::size_t JsonReader::position() {
  skip_space();
  return next_;
}

void JsonReader::end() {
  skip_space();
  if (next_ != text_.size()) fail("expected the end of the text");
}

std::string JsonReader::string() {
  expect('"');
  std::size_t last = next_;
  while (last < text_.size() && text_[last] != '"') last += text_[last] == '\\' ? 2 : 1;
  if (last >= text_.size()) fail("the string has no end");

  std::string decoded;
  decoded.reserve(last - next_);
  while (text_[next_] != '"') {
    const char c = text_[next_++];
    if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
    if (c == '\\') {
      append_escape(decoded);
    } else {
      decoded += c;
    }
  }
  ++next_;
  if (!is_utf8(decoded)) fail("the string is not UTF-8");
  return decoded;
}

void JsonReader::append_escape(std::string& decoded) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = text_[next_++];
  if (const std::size_t which = kLetters.find(letter); which != std::string_view::npos) {
    decoded += kMeanings[which];
    return;
  }
  if (letter != 'u') fail("unknown escape in a string");
  std::uint32_t code_point = hex_digits();
  if (code_point >= 0xD800 && code_point < 0xDC00) {
    if (text_.substr(next_, 2) != "\\u") fail("half a surrogate pair");
    next_ += 2;
    const std::uint32_t low = hex_digits();
    if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
  } else if (code_point >= 0xDC00 && code_point <= 0xDFFF) {
    fail("half a surrogate pair");
  }
  append_utf8(code_point, decoded);
}

std::uint32_t JsonReader::hex_digits() {
  const std::string_view digits = text_.substr(next_, 4);
  std::uint32_t value = 0;
  const auto [stop, problem] = std::from_chars(digits.begin(), digits.end(), value, 16);
  if (digits.size() < 4 || problem != std::errc{} || stop != digits.end()) {
    fail("expected four hexadecimal digits");
  }
  next_ += 4;
  return value;
}

std::uint64_t JsonReader::unsigned_integer() {
  skip_space();
  std::uint64_t value = 0;
  const char* first = text_.data() + next_;
  const char* end = text_.data() + text_.size();
  const auto [stop, problem] = std::from_chars(first, end, value);
  const bool goes_on = stop != end && (*stop == '.' || *stop == 'e' || *stop == 'E');
  if (problem != std::errc{} || goes_on || (*first == '0' && stop - first > 1)) {
    fail("expected a whole number from 0 to 2^64 - 1");
  }
  next_ += static_cast<std::size_t>(stop - first);
  return value;
}

std::uint32_t JsonReader::unsigned_32() {
  const std::uint64_t value = unsigned_integer();
  if (value > std::numeric_limits<std::uint32_t>::max()) fail("the number is 2^32 or more");
  return static_cast<std::uint32_t>(value);
}

float JsonReader::number() {
  skip_space();
  if (next_ < text_.size() && text_[next_] == '"') {
    const std::string name = string();
    if (name == "inf") return std::numeric_limits<float>::infinity();
    if (name == "-inf") return -std::numeric_limits<float>::infinity();
    fail("expected a number, \"inf\" or \"-inf\"");
  }
  const std::string_view rest = text_.substr(next_);
  const std::size_t sign = rest.starts_with('-') ? 1 : 0;
  if (rest.size() <= sign || !is_digit(rest[sign])) fail("expected a number");
  float value = 0;
  const auto [stop, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (problem != std::errc{}) fail("the number does not fit a float");
  next_ += static_cast<std::size_t>(stop - rest.data());
  return value;
}

bool JsonReader::boolean() {
  skip_space();
  for (const auto& [name, value] : {std::pair{"true", true}, std::pair{"false", false}}) {
    if (!text_.substr(next_).starts_with(name)) continue;
    next_ += std::string_view(name).size();
    return value;
  }
  fail("expected true or false");
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string json_number(float value) {
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return fmt::format("{}", value);
}

}  // namespace coppice
