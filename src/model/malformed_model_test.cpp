// Damaged and hostile model files: each is refused with a sentence, or is a forest that can be
// walked safely. Run under the address and undefined behaviour sanitizers to mean anything.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/model_file.h"
#include "model/test_forests.h"
#include "tests/faults/model_parts.h"

namespace coppice {
namespace {

using test::Json;

std::size_t files_tried = 0;

// A copy of exactly these bytes on the heap, so that a sanitizer sees every step outside.
std::string outcome(const std::string& file) {
  ++files_tried;
  const auto* first = reinterpret_cast<const std::byte*>(file.data());
  const std::vector<std::byte> bytes(first, first + file.size());
  return test::refusal([&] {
    const ModelView model = read_model(bytes, "m");
    EXPECT_TRUE(std::isfinite(test::walk_everything(model.arrays, model.info)));
  });
}

using test::joined, test::Parts, test::parts_of, test::repaired;

std::string saved(const Forest& forest) {
  const std::string path = test::fresh_folder() + "/m";
  forest.save(path);
  return test::bytes_of(path);
}

ForestInfo tiny_info(PayloadKind kind) {
  ForestInfo info = test::small_info(kind);
  info.schema.features[3].categories.resize(33);
  return info;
}

std::string tiny_model(PayloadKind kind, std::uint32_t payloads) {
  test::Dice dice(11);
  const ForestInfo info = tiny_info(kind);
  ForestBuilder builder(predicts_classes(kind) ? 3 : 4);
  for (const std::uint32_t splits : {7u, 0u, 4u}) {
    builder.append(test::random_tree(dice, info, splits, payloads));
  }
  return saved(Forest(builder.finish(), info));
}

std::vector<std::string> tiny_models() {
  return {tiny_model(PayloadKind::class_histogram, 2), tiny_model(PayloadKind::class_scores, 3),
          tiny_model(PayloadKind::mean_variance, 1000)};
}

// The tiny classification model after a change to its parts, with a right checksum.
std::string after(const std::function<void(Json& header, std::string& data)>& change) {
  Parts parts = parts_of(tiny_models()[0]);
  change(parts.header, parts.data);
  return outcome(joined(parts.header.dump(), parts.data));
}

TEST(MalformedModel, TheTinyModelsAreSmallAndSound) {
  for (const std::string& model : tiny_models()) {
    EXPECT_LE(model.size(), 4096u);
    EXPECT_EQ(outcome(model), "");
    EXPECT_EQ(repaired(model), model);
  }
  EXPECT_EQ(after([](Json&, std::string&) {}), "");
}

TEST(MalformedModel, EveryTruncation) {
  for (const std::string& model : tiny_models()) {
    for (std::size_t size = 0; size < model.size(); ++size) {
      EXPECT_NE(outcome(model.substr(0, size)), "") << size;
      EXPECT_NE(outcome(repaired(model.substr(0, size))), "") << size;
    }
  }
}

TEST(MalformedModel, EverySingleBit) {
  std::size_t still_sound = 0;
  for (const std::string& model : tiny_models()) {
    for (std::size_t bit = 0; bit < 8 * model.size(); ++bit) {
      std::string changed = model;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
      ASSERT_NE(outcome(changed), "") << "bit " << bit << " went unnoticed";
      if (outcome(repaired(changed)).empty()) ++still_sound;
    }
  }
  EXPECT_GT(still_sound, 0u);
  EXPECT_GE(files_tried, 40'000u);
}

TEST(MalformedModel, EveryBytePair) {
  test::Dice dice(5);
  for (const std::string& model : tiny_models()) {
    for (int trial = 0; trial < 20'000; ++trial) {
      std::string changed = model;
      for (int i = 0; i < 2; ++i) {
        changed[dice.below(static_cast<std::uint32_t>(model.size()))] =
            static_cast<char>(dice.below(256));
      }
      outcome(repaired(changed));
    }
  }
}

TEST(MalformedModel, EveryWordOfEveryArray) {
  for (const std::string& model : tiny_models()) {
    const Parts parts = parts_of(model);
    const std::size_t data = model.size() - parts.data.size();
    const std::uint32_t n = 11;  // splits of the model
    const std::uint32_t bits_of_nan = 0x7FC00000u, bits_of_infinity = 0x7F800000u;
    for (const std::uint32_t value :
         {0u, 1u, n - 1, n, n + 1, n + 3, n + 4, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0xFFu,
          0xFFFFu, bits_of_nan, bits_of_infinity, bits_of_infinity | 0x80000000u}) {
      for (std::size_t at = data; at + 4 <= model.size(); ++at) {
        std::string changed = model;
        std::memcpy(changed.data() + at, &value, 4);
        outcome(repaired(changed));
      }
    }
  }
}

TEST(MalformedModel, NamesSectionAndByte) {
  const std::string model = tiny_models()[0];
  const Parts parts = parts_of(model);
  const std::size_t at = model.size() - parts.data.size() +
                         parts.header["split.right"]["data_offsets"][0].get<std::size_t>();
  std::string changed = model;
  changed[at] = 77;
  EXPECT_EQ(outcome(repaired(changed)),
            "m: section 'split.right' (byte " + std::to_string(at) +
                "): child 77 of split 0 in tree 0 lies outside the tree");
  EXPECT_NE(outcome(changed).find("is damaged: its checksum"), std::string::npos);
}

TEST(MalformedModel, HeaderLengths) {
  for (const std::string& model : tiny_models()) {
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{model.size() - 8},
          std::uint64_t{model.size() - 7}, std::uint64_t{model.size()}, std::uint64_t{100'000'001},
          std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 63,
          ~std::uint64_t{0} - 7, ~std::uint64_t{0}}) {
      std::string changed = model;
      std::memcpy(changed.data(), &length, 8);
      EXPECT_NE(outcome(repaired(changed)), "") << length;
    }
  }
}

TEST(MalformedModel, DeepNesting) {
  for (const char* unit : {"[", "{\"a\":", "{\"__metadata__\":", "[{\"a\":"}) {
    std::string header = "{\"a\":";
    while (header.size() < 10'000'000) header += unit;
    EXPECT_NE(outcome(joined(header, "")), "");
  }
  for (const char* key : {"schema", "options", "facts"}) {
    EXPECT_NE(after([&](Json& header, std::string&) {
                header["__metadata__"][key] = std::string(10'000'000, '[');
              }),
              "");
  }
}

TEST(MalformedModel, Offsets) {
  const auto offsets = [](const char* name, std::uint64_t first, std::uint64_t last) {
    return after([=](Json& header, std::string&) { header[name]["data_offsets"] = {first, last}; });
  };
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  const Json original = parts_of(tiny_models()[0]).header["split.right"]["data_offsets"];
  const std::uint64_t first = original[0], last = original[1];
  EXPECT_EQ(offsets("split.right", first, last), "");
  EXPECT_NE(offsets("split.right", first + 4, last + 4), "");
  EXPECT_NE(offsets("split.right", first, last + 4), "");
  EXPECT_NE(offsets("split.right", first, last - 4), "");
  EXPECT_NE(offsets("split.right", last, first), "");
  EXPECT_NE(offsets("split.right", 0, last - first), "");
  EXPECT_NE(offsets("split.right", kMost - 44, kMost), "");
  EXPECT_NE(offsets("split.right", kMost - 43, kMost), "");
  EXPECT_NE(offsets("split.right", kMost, kMost), "");
  for (const Json& bad : {Json::array(), Json::array({0}), Json::array({0, 1, 2}), Json("0"),
                          Json::array({-1, 4}), Json::array({0.5, 4}), Json(nullptr)}) {
    EXPECT_NE(after([&](Json& h, std::string&) { h["split.right"]["data_offsets"] = bad; }), "");
  }
}

TEST(MalformedModel, OverlapsAndHoles) {
  EXPECT_NE(after([](Json& h, std::string&) {
              h["split.code"]["data_offsets"] = h["split.right"]["data_offsets"];
            }),
            "");
  EXPECT_NE(after([](Json&, std::string& data) { data += std::string(4, '\0'); }), "");
  EXPECT_NE(after([](Json&, std::string& data) { data += '\0'; }), "");
  EXPECT_NE(after([](Json& h, std::string&) { h.erase("importance.impurity"); }), "");
}

TEST(MalformedModel, Shapes) {
  const auto shape = [](const char* name, const Json& value) {
    return after([&](Json& header, std::string&) { header[name]["shape"] = value; });
  };
  const Json overflow = {4194305, 4194305, 211106198978564};
  for (const char* name : {"split.right", "leaf.payload", "leaf.row"}) {
    EXPECT_NE(shape(name, overflow), "") << name;
    EXPECT_NE(shape(name, Json::array()), "") << name;
    EXPECT_NE(shape(name, {1ull << 62}), "") << name;
    EXPECT_NE(shape(name, {1ull << 32, 1ull << 32}), "") << name;
    EXPECT_NE(shape(name, {~0ull}), "") << name;
    EXPECT_NE(shape(name, Json(std::vector<int>(100, 1))), "") << name;
  }
  EXPECT_NE(shape("split.right", {11, 1}), "");
  EXPECT_NE(shape("leaf.payload", {6}), "");
  EXPECT_NE(shape("leaf.payload", {1, 6}), "");
  EXPECT_NE(shape("leaf.payload", {3, 2}), "");
  EXPECT_NE(shape("leaf.payload", {6, 1}), "");
}

TEST(MalformedModel, EmptySections) {
  for (const char* name : {"tree.first_split", "split.right", "leaf.payload", "leaf.row",
                           "leaf.support", "importance.impurity"}) {
    EXPECT_NE(after([&](Json& header, std::string& data) {
                const std::size_t first = header[name]["data_offsets"][0];
                const std::size_t size = header[name]["data_offsets"][1].get<std::size_t>() - first;
                data.erase(first, size);
                header[name]["shape"][0] = 0;
                for (auto& [key, tensor] : header.items()) {
                  if (key == "__metadata__") continue;
                  for (auto& offset : tensor["data_offsets"]) {
                    if (offset.get<std::size_t>() > first) {
                      offset = offset.get<std::size_t>() - size;
                    }
                  }
                }
              }),
              "")
        << name;
  }
}

TEST(MalformedModel, Types) {
  for (const char* name :
       {"tree.first_split", "split.right", "split.threshold", "split.code", "category.words",
        "leaf.payload", "leaf.support", "importance.impurity"}) {
    for (const char* dtype : {"I32", "U32", "F32", "U8", "F64", "X", ""}) {
      Parts parts = parts_of(tiny_models()[0]);
      if (parts.header[name]["dtype"] == dtype) continue;
      parts.header[name]["dtype"] = dtype;
      EXPECT_NE(outcome(joined(parts.header.dump(), parts.data)), "") << name << dtype;
    }
  }
  EXPECT_NE(after([](Json& h, std::string&) { h["leaf.row"]["dtype"] = "I8"; }), "");
  EXPECT_NE(after([](Json& h, std::string&) { h["leaf.row"]["dtype"] = "X9"; }), "");
}

TEST(MalformedModel, Keys) {
  EXPECT_NE(after([](Json& h, std::string&) { h["split.right"]["more"] = 1; }), "");
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    EXPECT_NE(after([&](Json& h, std::string&) { h["split.right"].erase(key); }), "") << key;
  }
  for (const char* key :
       {"format", "format_version", "checksum", "payload_kind", "schema", "options", "facts"}) {
    EXPECT_NE(after([&](Json& h, std::string&) { h["__metadata__"].erase(key); }), "") << key;
    EXPECT_NE(after([&](Json& h, std::string&) { h["__metadata__"][key] = "[]"; }), "") << key;
    EXPECT_NE(after([&](Json& h, std::string&) { h["__metadata__"][key] = 7; }), "") << key;
  }
  const Parts parts = parts_of(tiny_models()[0]);
  std::string twice = parts.header.dump();
  twice.insert(1, "\"split.right\":" + parts.header["split.right"].dump() + ",");
  EXPECT_NE(outcome(joined(twice, parts.data)).find("comes twice"), std::string::npos);
}

TEST(MalformedModel, Checksums) {
  for (const char* checksum : {"", "0", "0000000", "000000000", "zzzzzzzz"}) {
    EXPECT_NE(outcome(joined(
                  [&] {
                    Json header = parts_of(tiny_models()[0]).header;
                    header["__metadata__"]["checksum"] = checksum;
                    return header.dump();
                  }(),
                  "")),
              "");
  }
  // Too short, and at the very end of the file.
  const std::string end = R"({"__metadata__":{"format":"coppice","format_version":"1.0",)"
                          R"("checksum":""}})";
  std::string file(8, '\0');
  file[0] = static_cast<char>(end.size());
  EXPECT_NE(outcome(file + end), "");
}

TEST(MalformedModel, Schemas) {
  for (const char* schema :
       {"", "[]", "{}", R"({"features":[],"targets":[],"classes":[]})",
        R"({"features":[{"name":"a"}],"targets":[],"classes":["x"]})",
        R"({"features":[{"name":"a","kind":"odd"}],"targets":[],"classes":["x"]})",
        R"({"features":[{"name":"a","kind":"categorical"}],"targets":[],"classes":["x"]})",
        R"({"features":[],"targets":[],"classes":["x"]} x)",
        R"({"features":[],"targets":[],"classes":["x"],"more":[]})"}) {
    EXPECT_NE(after([&](Json& h, std::string&) { h["__metadata__"]["schema"] = schema; }), "")
        << schema;
  }
}

TEST(MalformedModel, Versions) {
  const auto version = [](const char* text) {
    return after([&](Json& h, std::string&) { h["__metadata__"]["format_version"] = text; });
  };
  EXPECT_EQ(version("1.0"), "");
  EXPECT_EQ(version("1.7"), "");
  EXPECT_EQ(version("2.0"),
            "m: is written in model format 2.0, but this program reads versions up to 1.x; use a "
            "newer program");
  for (const char* bad : {"", "1", "0.9", "x", "-1.0", "99999999999.0"}) {
    EXPECT_NE(version(bad), "") << bad;
  }
}

TEST(MalformedModel, UnknownSections) {
  const auto with_section = [](const std::string& name, const std::string& optional) {
    return after([&](Json& header, std::string& data) {
      header[name] = {
          {"dtype", "F8_E4M3"}, {"shape", {5}}, {"data_offsets", {data.size(), data.size() + 5}}};
      data += "hello";
      if (!optional.empty()) header["__metadata__"]["optional"] = optional;
    });
  };
  EXPECT_EQ(with_section("x-note", ""), "");
  EXPECT_EQ(with_section("leaf.note", "a,leaf.note"), "");
  EXPECT_NE(with_section("leaf.note", "a,leaf.notes").find("section 'leaf.note'"),
            std::string::npos);
  EXPECT_NE(with_section("leaf.note", ""), "");
}

TEST(MalformedModel, OtherFiles) {
  for (const std::string& file :
       {std::string(), std::string("x"), std::string(8, '\0'), std::string(100, '\0'),
        std::string("a,b,c\n1,2,3\n4,5,6\n"), std::string("\x02\0\0\0\0\0\0\0{}", 10)}) {
    EXPECT_NE(outcome(file), "");
  }
}

}  // namespace
}  // namespace coppice
