// Walks through one line of ARFF: words, quoted words, and the characters between them.
#pragma once

#include <string>
#include <string_view>

#include "data/place.h"

namespace coppice {

class ArffCursor {
 public:
  ArffCursor(std::string_view line, const Place& place) : rest_(line), place_(place) {}

  bool at_end();  // nothing but blanks or a comment is left
  bool accept(char c);
  void expect(char c);

  // The next value: in single or double quotes with \ before special characters, or bare up to a
  // blank or one of `stops`. A bare value may hold blanks if `stops` does not contain them.
  std::string value(std::string_view stops);
  std::string_view rest() const { return rest_; }
  Error error(const std::string& sentence) const { return data_error(place_, sentence); }

 private:
  void skip_blanks();
  std::string quoted_value();

  std::string_view rest_;
  Place place_;
};

std::string lower_case(std::string_view);

}  // namespace coppice
