// What the reader of JSON takes and what it refuses.
#include "model/json_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/test_forests.h"

namespace coppice {
namespace {

JsonReader reader_of(std::string_view text) {
  return JsonReader(text, [](std::size_t at) { return "at " + std::to_string(at); });
}

template <class Read>
std::string problem(std::string_view text, Read read) {
  return test::refusal([&] {
    JsonReader reader = reader_of(text);
    read(reader);
    reader.end();
  });
}

TEST(JsonReader, StringsAgreeWithAnotherReader) {
  for (const std::string text :
       {R"("")", R"("plain")", R"("\"\\\/\b\f\n\r\t")", R"("\u0041\u00e9\u20AC\ud83d\ude00")",
        "\"Gr\u00f6\u00dfe\"", R"(  "spaces"  )", R"("\u0000")"}) {
    JsonReader reader = reader_of(text);
    EXPECT_EQ(reader.string(), nlohmann::json::parse(text).get<std::string>()) << text;
    reader.end();
  }
}

TEST(JsonReader, RefusesBrokenStrings) {
  const auto string = [](JsonReader& reader) { reader.string(); };
  for (const std::string_view text :
       {"", "\"", "\"abc", "\"abc\\\"", "\"\\", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"",
        "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\x\"", "\"a\nb\"", "\"\x80\"",
        "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"a\" \"b\"", "abc", "1"}) {
    EXPECT_NE(problem(text, string), "") << text;
  }
}

TEST(JsonReader, WholeNumbers) {
  const auto number = [](JsonReader& reader) { reader.unsigned_integer(); };
  EXPECT_EQ(reader_of(" 0").unsigned_integer(), 0u);
  EXPECT_EQ(reader_of("18446744073709551615").unsigned_integer(), ~std::uint64_t{0});
  EXPECT_EQ(reader_of("4294967295").unsigned_32(), ~std::uint32_t{0});
  for (const char* text :
       {"", "-1", "+1", "1.0", "1e3", "1E3", "01", "18446744073709551616", "x"}) {
    EXPECT_NE(problem(text, number), "") << text;
  }
  EXPECT_NE(problem("4294967296", [](JsonReader& reader) { reader.unsigned_32(); }), "");
}

TEST(JsonReader, FloatsKeepEveryBit) {
  test::Dice dice(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t bits = dice.below(1u << 16) << 16 | dice.below(1u << 16);
    const float value = std::bit_cast<float>(bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(reader_of(json_number(value)).number()), bits);
  }
  for (const float value : {0.f, -0.f, std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::max(), -INFINITY, INFINITY}) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(reader_of(json_number(value)).number()),
              std::bit_cast<std::uint32_t>(value));
  }
}

TEST(JsonReader, RefusesWhatIsNoFloat) {
  const auto number = [](JsonReader& reader) { reader.number(); };
  for (const char* text : {"", "-", "nan", "inf", "-inf", "\"nan\"", "1e400", ".5", "+1", "1x"}) {
    EXPECT_NE(problem(text, number), "") << text;
  }
}

TEST(JsonReader, Booleans) {
  EXPECT_TRUE(reader_of(" true").boolean());
  EXPECT_FALSE(reader_of("false").boolean());
  EXPECT_NE(problem("tru", [](JsonReader& reader) { reader.boolean(); }), "");
}

TEST(JsonReader, ObjectsAndArrays) {
  JsonReader reader = reader_of(R"( { "a" : [1, 2,3] , "b":[ ] } )");
  std::vector<std::uint64_t> numbers;
  std::string keys;
  reader.object([&](const std::string& key) {
    keys += key;
    EXPECT_EQ(reader.count([&] { reader.unsigned_integer(); }), key == "a" ? 3u : 0u);
    reader.array([&] { numbers.push_back(reader.unsigned_integer()); });
  });
  reader.end();
  EXPECT_EQ(keys, "ab");
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3}));

  const auto object = [](JsonReader& r) {
    r.object([&](const std::string&) { r.unsigned_integer(); });
  };
  EXPECT_EQ(problem(R"({"a":1,"b":2})", object), "");
  EXPECT_EQ(problem(R"({"a":1,"a":2})", object), "at 10: key 'a' comes twice");
  for (const char* text :
       {"{", "{,}", R"({"a"})", R"({"a":1,})", R"({"a":1)", R"({"a" 1})", "[]"}) {
    EXPECT_NE(problem(text, object), "") << text;
  }
  const auto array = [](JsonReader& r) { r.array([&] { r.unsigned_integer(); }); };
  for (const char* text : {"[", "[1", "[1,]", "[,1]", "[1 2]", "[[1]]", "{}"}) {
    EXPECT_NE(problem(text, array), "") << text;
  }
}

TEST(JsonReader, RefusesObjectsWithTooManyMembers) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  text.back() = '}';
  EXPECT_NE(problem(text, [](JsonReader& r) { r.object([&](auto&) { r.unsigned_integer(); }); }),
            "");
}

TEST(JsonString, AgreesWithAnotherReader) {
  const std::string text = std::string("a\"\\/\b\n\x1f\x7f Größe €") + std::string(1, '\0');
  EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text);
}

}  // namespace
}  // namespace coppice
