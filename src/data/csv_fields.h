// The fields of one record of comma-separated text: quoted fields may hold delimiters, line ends
// and doubled quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/place.h"

namespace coppice {

struct CsvField {
  // Trimmed, or what is between the quotes; valid until the next field is taken.
  std::string_view text;
  const char* end = nullptr;  // the delimiter after the field, or the end of the record
};

class CsvFields {
 public:
  explicit CsvFields(char delimiter) : delimiter_(delimiter) {}

  char delimiter() const { return delimiter_; }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  const char* skip_blanks(const char* at, const char* end) const {
    while (at != end && is_blank(*at)) ++at;
    return at;
  }

  // The field that starts at `at`, in a record that ends at `end`. Throws Error(invalid_data) if
  // something other than a delimiter follows a closing quote.
  CsvField take(const char* at, const char* end, const Place&);
  std::vector<std::string> split(std::string_view record, const Place&);

 private:
  CsvField take_quoted(const char* at, const char* end, const Place&);

  char delimiter_;
  std::string unescaped_;
};

// Follows quotes through a record that comes in pieces.
class QuoteTracker {
 public:
  explicit QuoteTracker(const CsvFields& fields) : fields_(fields) {}

  void follow(std::string_view piece);
  // True if a line end here belongs to a field.
  bool inside_quotes() const { return state_ == State::quoted; }

 private:
  enum class State { field_start, plain, quoted, after_quote };
  const CsvFields& fields_;
  State state_ = State::field_start;
};

// Of , ; tab and | the one that is most frequent outside quotes; a comma if there is none. Beside
// semicolons, a comma between two digits is a decimal comma.
char inferred_delimiter(std::string_view first_line);

}  // namespace coppice
