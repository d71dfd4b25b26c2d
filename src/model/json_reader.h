// Reads JSON whose shape the caller knows: every value is asked for by its kind. What is not asked
// for is an error, so depth and memory are bounded by the caller's code and not by the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace coppice {

// The text must outlive the reader. Errors are Error(corrupt_model).
class JsonReader {
 public:
  // Names a place for people: "model.coppice: header (byte 57)".
  using Locate = std::function<std::string(std::size_t position)>;
  static constexpr std::size_t kMaxMembers = 4096;  // of one object

  JsonReader(std::string_view text, Locate locate);

  // Calls member(key) for every key, which must read the value. No key may come twice.
  template <class Member>
  void object(Member member);
  // Calls element() for every element, which must read it.
  template <class Element>
  void array(Element element);
  // As array(), but goes back to the beginning of the array afterwards; returns its length.
  template <class Element>
  std::size_t count(Element element);

  std::string string();
  std::uint64_t unsigned_integer();
  std::uint32_t unsigned_32();
  float number();  // of JSON, or "inf" or "-inf" as a string
  bool boolean();
  void end();  // nothing but white space may follow

  // Where the next value begins.
  std::size_t position();
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void skip_space();
  bool accept(char wanted);
  void expect(char wanted);
  void append_escape(std::string& decoded);
  std::uint32_t hex_digits();

  std::string_view text_;
  std::size_t next_ = 0;
  Locate locate_;
};

template <class Member>
void JsonReader::object(Member member) {
  std::set<std::string> seen;
  expect('{');
  if (accept('}')) return;
  do {
    const auto [key, is_new] = seen.insert(string());
    if (!is_new) fail("key '" + *key + "' comes twice");
    if (seen.size() > kMaxMembers) fail("an object has too many members");
    expect(':');
    member(*key);
  } while (accept(','));
  expect('}');
}

template <class Element>
void JsonReader::array(Element element) {
  expect('[');
  if (accept(']')) return;
  do {
    element();
  } while (accept(','));
  expect(']');
}

template <class Element>
std::size_t JsonReader::count(Element element) {
  const std::size_t first = next_;
  std::size_t elements = 0;
  array([&] {
    element();
    ++elements;
  });
  next_ = first;
  return elements;
}

// Text as a JSON string, with its quotes. REQUIRES: is_utf8(text).
std::string json_string(std::string_view text);
// The shortest decimal that reads back as the same bits; infinities as strings. REQUIRES: not NaN.
std::string json_number(float value);

}  // namespace coppice
