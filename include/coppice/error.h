// The one exception of the library: a kind for programs and a sentence for people.
#pragma once

#include <stdexcept>
#include <string>

namespace coppice {

enum class ErrorKind {
  invalid_option,  // an option, or a combination of options, makes no sense
  invalid_data,    // the data cannot be used as asked
  corrupt_model,   // a model file is damaged, hostile or too new
  io,              // the operating system refused to read or write
  cancelled,       // stopped on request before anything usable existed
};

// The sentence says what is wrong, where, and what to do: "adult.csv:17:3: 'abc' is not a number".
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace coppice
