// Quotes count only at the start of a field; elsewhere they are text like any other.
#include "data/csv_fields.h"

#include <array>
#include <cstring>

#include "data/number_text.h"

namespace coppice {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool between_digits(std::string_view line, std::size_t at) {
  return at > 0 && at + 1 < line.size() && is_digit(line[at - 1]) && is_digit(line[at + 1]);
}

struct DelimiterCounts {
  std::size_t semicolons = 0, tabs = 0, bars = 0, commas = 0, decimal_commas = 0;
};

DelimiterCounts count_outside_quotes(std::string_view line) {
  DelimiterCounts counts;
  bool inside = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') inside = !inside;
    if (inside) continue;
    counts.semicolons += c == ';';
    counts.tabs += c == '\t';
    counts.bars += c == '|';
    counts.commas += c == ',';
    counts.decimal_commas += c == ',' && between_digits(line, at);
  }
  return counts;
}

}  // namespace

CsvField CsvFields::take(const char* at, const char* end, const Place& place) {
  at = skip_blanks(at, end);
  if (at != end && *at == '"') return take_quoted(at + 1, end, place);
  const auto length = static_cast<std::size_t>(end - at);
  const void* const hit = length > 0 ? std::memchr(at, delimiter_, length) : nullptr;
  const char* const stop = hit != nullptr ? static_cast<const char*>(hit) : end;
  const char* last = stop;
  while (last != at && is_blank(last[-1])) --last;
  return {{at, static_cast<std::size_t>(last - at)}, stop};
}

CsvField CsvFields::take_quoted(const char* at, const char* end, const Place& place) {
  unescaped_.clear();
  bool doubled = false;
  const char* const first = at;
  for (; at != end; ++at) {
    if (*at == '"') {
      if (at + 1 == end || at[1] != '"') break;
      if (!doubled) unescaped_.assign(first, at);
      doubled = true;
      ++at;
    }
    if (doubled) unescaped_ += *at;
  }
  const std::string_view verbatim(first, static_cast<std::size_t>(at - first));
  const char* const stop = skip_blanks(at == end ? end : at + 1, end);
  if (stop != end && *stop != delimiter_) {
    throw data_error(place, "there is text after the closing quote of a field");
  }
  return {doubled ? std::string_view(unescaped_) : verbatim, stop};
}

std::vector<std::string> CsvFields::split(std::string_view record, const Place& place) {
  std::vector<std::string> fields;
  const char* at = record.data();
  const char* const end = at + record.size();
  while (true) {
    const CsvField field = take(at, end, {place.file, place.line, fields.size() + 1});
    fields.emplace_back(field.text);
    if (field.end == end) return fields;
    at = field.end + 1;
  }
}

void QuoteTracker::follow(std::string_view piece) {
  for (const char c : piece) {
    if (state_ == State::quoted) {
      if (c == '"') state_ = State::after_quote;
    } else if (c == fields_.delimiter()) {
      state_ = State::field_start;
    } else if (c == '"' && state_ != State::plain) {
      // At the start of a field it opens it; after a quote it is the second of two.
      state_ = State::quoted;
    } else if (!(state_ == State::field_start && fields_.is_blank(c))) {
      state_ = State::plain;
    }
  }
}

char inferred_delimiter(std::string_view first_line) {
  DelimiterCounts counts = count_outside_quotes(first_line);
  if (counts.semicolons > 0) counts.commas -= counts.decimal_commas;
  char most = ',';
  std::size_t count = counts.commas;
  const std::array<std::pair<char, std::size_t>, 3> others = {
      {{';', counts.semicolons}, {'\t', counts.tabs}, {'|', counts.bars}}};
  for (const auto& [delimiter, occurrences] : others) {
    if (occurrences > count) {
      most = delimiter;
      count = occurrences;
    }
  }
  return most;
}

}  // namespace coppice
