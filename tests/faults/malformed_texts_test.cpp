// Damaged and hostile models in JSON, made by rule: each is refused with its place, or is a forest
// that can be used.
#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "model/json_model.h"
#include "tests/faults/malformed.h"

namespace coppice::test {
namespace {

class MalformedText : public Malformed {
 protected:
  template <class Body>
  void for_each_text(Body body) {
    for_each_model([&](const std::string& model) {
      put(model);
      Forest::load(path()).save_json(path());
      body(bytes_of_file(path()));
    });
  }
  // "" if the text is a forest, which then must be usable.
  std::string outcome(const std::string& text) {
    ++files_;
    const std::vector<char> bytes(text.begin(), text.end());
    const std::string refusal = test::refusal([&] {
      auto read = read_json_model({bytes.data(), bytes.size()}, "m");
      expect_usable(Forest(std::move(read.storage), std::move(read.info)));
    });
    // file:line:column of the text, or section and number of a fault between its parts.
    EXPECT_TRUE(refusal.empty() || refusal.find("section '") != std::string::npos ||
                refusal.starts_with("m:"))
        << refusal;
    return refusal;
  }
};

TEST_F(MalformedText, Truncations) {
  for_each_text([&](const std::string& whole) {
    EXPECT_EQ(outcome(whole), "");
    for (std::size_t size = 0; size + 2 < whole.size(); size += stride(whole.size() * 4))
      EXPECT_NE(outcome(whole.substr(0, size)), "") << size;
  });
}

TEST_F(MalformedText, Characters) {
  constexpr std::string_view kPut = "\"{}[],:0-9e.\\ \n\xff";
  for_each_text([&](const std::string& whole) {
    for (std::size_t at = 0; at < whole.size(); at += stride(whole.size() * 4)) {
      std::string changed = whole;
      changed[at] = kPut[at % kPut.size()];
      outcome(changed);
      outcome(whole.substr(0, at) + whole.substr(at + 1));
    }
  });
}

TEST_F(MalformedText, NumbersAtTheirLimits) {
  const char* const values[] = {
      "0",       "1",   "-1",  "4294967295", "4294967296",          "1e39", "-1e39", "1e-50",
      "\"inf\"", "NaN", "0.5", "null",       "18446744073709551616"};
  for_each_text([&](const std::string& whole) {
    std::vector<std::pair<std::size_t, std::size_t>> numbers;  // first character, length
    for (std::size_t at = 0; at < whole.size(); ++at) {
      const std::size_t size = std::strspn(whole.c_str() + at, "-0123456789.e+");
      if (size > 0 && whole[at] != 'e') numbers.emplace_back(at, size);
      at += size;
    }
    for (std::size_t i = 0; i < numbers.size(); i += stride(numbers.size() * 30))
      for (const char* value : values)
        outcome(whole.substr(0, numbers[i].first) + value +
                whole.substr(numbers[i].first + numbers[i].second));
  });
}

// Lines that come twice, are missing or change places: shared and orphaned nodes, circles.
TEST_F(MalformedText, Lines) {
  for_each_text([&](const std::string& whole) {
    std::vector<std::size_t> lines{0};
    while (lines.back() < whole.size()) lines.push_back(whole.find('\n', lines.back()) + 1);
    for (std::size_t i = 1; i + 2 < lines.size(); i += stride(lines.size() * 6)) {
      const std::string before = whole.substr(0, lines[i]), after = whole.substr(lines[i + 1]);
      const std::string line = whole.substr(lines[i], lines[i + 1] - lines[i]);
      const std::size_t next = lines[i + 2] - lines[i + 1];
      outcome(before + after);
      outcome(before + line + line + after);
      outcome(before + after.substr(0, next) + line + after.substr(next));
    }
  });
}

}  // namespace
}  // namespace coppice::test
