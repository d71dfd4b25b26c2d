// Texts to option values. Every failure is an Error(invalid_option) whose sentence begins with
// "--name:" and says what would be accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice {

struct OptionText {
  const char* name;
  std::string_view text;
  const char* example;  // a value that would do
};

[[noreturn]] void refuse(const OptionText&, const std::string& problem);

std::uint64_t whole_number(const OptionText&, std::uint64_t least = 0,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
// A whole number that fits into 32 bits.
std::uint32_t count_value(const OptionText&, std::uint32_t least);
double finite_number(const OptionText&);
bool truth_value(const OptionText&);

struct Choice {
  const char* name;
  std::size_t value;
};
// The value of the name; names that repeat a value are synonyms and are not listed in the error.
std::size_t choice_value(const OptionText&, std::initializer_list<Choice>);

// A list like "a=2,b=0.5": the last '=' of a part separates, so that names may contain one
// ("<=50K=2"). A text that is no such list "is {otherwise} a list".
using NamedWeights = std::vector<std::pair<std::string, double>>;
NamedWeights named_weights(const OptionText&, const char* otherwise);
std::string show_named_weights(const NamedWeights&);

// Trimmed parts between separators; an empty text has none.
std::vector<std::string_view> split_list(std::string_view, char separator);

}  // namespace coppice
