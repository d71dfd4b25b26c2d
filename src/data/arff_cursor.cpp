// Quotes and escapes of ARFF.
#include "data/arff_cursor.h"

#include <algorithm>

#include "data/number_text.h"

namespace coppice {
namespace {

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

void ArffCursor::skip_blanks() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
}

bool ArffCursor::at_end() {
  skip_blanks();
  return rest_.empty() || rest_.front() == '%';
}

bool ArffCursor::accept(char c) {
  skip_blanks();
  if (!rest_.starts_with(c)) return false;
  rest_.remove_prefix(1);
  return true;
}

void ArffCursor::expect(char c) {
  if (accept(c)) return;
  const std::string found = at_end() ? "the end of the line" : quoted(rest_.substr(0, 20));
  throw error(std::string("'") + c + "' is expected before " + found);
}

std::string ArffCursor::value(std::string_view stops) {
  skip_blanks();
  if (rest_.starts_with('\'') || rest_.starts_with('"')) return quoted_value();
  const std::string_view bare = rest_.substr(0, rest_.find_first_of(stops));
  rest_.remove_prefix(bare.size());
  return std::string(trim(bare));
}

std::string ArffCursor::quoted_value() {
  const char quote = rest_.front();
  std::string value;
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    if (rest_[i] == quote) {
      rest_.remove_prefix(i + 1);
      return value;
    }
    const bool escape = rest_[i] == '\\' && i + 1 < rest_.size();
    value += escape ? unescaped(rest_[++i]) : rest_[i];
  }
  throw error("a quoted value is never closed");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace coppice
