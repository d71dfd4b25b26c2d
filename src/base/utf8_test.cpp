// UTF-8, checked for every code point and against forbidden forms.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace coppice {
namespace {

// The bytes of a code point in a form of `length` bytes, which may be too long a form.
std::string encoded(std::uint32_t point, int length) {
  constexpr unsigned kMarks[] = {0, 0, 0xC0, 0xE0, 0xF0};
  if (length == 1) return std::string(1, static_cast<char>(point));
  std::string text;
  for (int i = 1; i < length; ++i) {
    text.insert(text.begin(), static_cast<char>(0x80 | (point & 0x3F)));
    point >>= 6;
  }
  text.insert(text.begin(), static_cast<char>(kMarks[length] | point));
  return text;
}

TEST(Utf8, TakesTheShortestFormOfEveryCodePointOnly) {
  for (std::uint32_t point = 0; point < 0x120000; ++point) {
    const int shortest = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    const bool exists = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(is_utf8(encoded(point, shortest)), exists) << point;
    for (int length = shortest + 1; length <= 4; ++length) {
      ASSERT_FALSE(is_utf8(encoded(point, length))) << point;
    }
    if (shortest > 1) {
      ASSERT_FALSE(is_utf8(encoded(point, shortest).substr(1))) << point;
      ASSERT_FALSE(
          is_utf8(encoded(point, shortest).substr(0, static_cast<std::size_t>(shortest - 1))))
          << point;
    }
  }
}

TEST(Utf8, Texts) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("Größe €"));
  EXPECT_FALSE(
      is_utf8("Gr\xf6\xdf"
              "e"));
  EXPECT_FALSE(is_utf8("\xff"));
}

}  // namespace
}  // namespace coppice
