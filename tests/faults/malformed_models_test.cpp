// Damaged and hostile files of every kind of model, made by rule: each is refused with section and
// byte, or is a forest that answers with finite numbers, describes itself and is saved and read
// again as it is.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/compressed_file.h"
#include "tests/faults/malformed.h"
#include "tests/faults/model_parts.h"

namespace coppice::test {
namespace {

std::vector<std::string> section_names(const Json& header) {
  std::vector<std::string> names;
  for (const auto& [name, value] : header.items())
    if (name != "__metadata__") names.push_back(name);
  return names;
}

// --- The files -----------------------------------------------------------------------------------

TEST_F(Malformed, TheModelItselfIsSound) {
  for_each_model([&](const std::string& model) {
    EXPECT_EQ(outcome(model), "");
    EXPECT_EQ(repaired(model), model);
    EXPECT_EQ(outcome(joined(parts_of(model))), "");
  });
}

TEST_F(Malformed, EveryTruncation) {
  for_each_model([&](const std::string& model) {
    for (std::size_t size = 0; size < model.size(); size += stride(model.size())) {
      EXPECT_NE(outcome(model.substr(0, size)), "") << size;
      EXPECT_NE(outcome(repaired(model.substr(0, size))), "") << size;
    }
    for (const std::size_t more : {1u, 3u, 4u, 64u})
      EXPECT_NE(outcome(repaired(model + std::string(more, '\0'))), "") << more;
  });
}

TEST_F(Malformed, EveryBit) {
  for_each_model([&](const std::string& model) {
    for (std::size_t bit = 0; bit < 8 * model.size(); bit += stride(8 * model.size())) {
      std::string changed = model;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
      ASSERT_NE(outcome(changed), "") << "bit " << bit << " went unnoticed";
      outcome(repaired(std::move(changed)));
    }
  });
}

TEST_F(Malformed, EveryNumberOfEveryArrayAtItsLimits) {
  for_each_model([&](const std::string& model) {
    const Parts parts = parts_of(model);
    const std::size_t data = model.size() - parts.data.size();
    const std::uint32_t n = parts.header["split.right"]["shape"][0];
    const std::uint32_t values[] = {0,          1,          n - 1,      n,          n + 1,
                                    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000, 0x7F800000,
                                    0xFF800000, 0x00000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000};
    for (const std::string& name : section_names(parts.header)) {
      const Json& section = parts.header[name];
      const std::string dtype = section["dtype"];
      const std::size_t size = dtype == "U8" ? 1 : dtype == "U16" || dtype == "F16" ? 2 : 4;
      const std::size_t first = section["data_offsets"][0], last = section["data_offsets"][1];
      const std::size_t step = size * stride((last - first) / size * std::size(values) * 12);
      for (std::size_t at = data + first; at < data + last; at += step)
        for (const std::uint32_t value : values) {
          // Halves have their own infinities and numbers that are none.
          const std::uint32_t pattern = size == 2 && value > 0xFFFF ? value >> 16 : value;
          std::string changed = model;
          std::memcpy(changed.data() + at, &pattern, size);
          outcome(repaired(std::move(changed)));
        }
    }
  });
}

TEST_F(Malformed, EveryNumberOfTheHeaderAtItsLimits) {
  for_each_model([&](const std::string& model) {
    const Parts parts = parts_of(model);
    const Json limits = {0,
                         1,
                         -1,
                         2147483647,
                         2147483648u,
                         4294967295u,
                         4294967296u,
                         std::numeric_limits<std::int64_t>::max(),
                         std::numeric_limits<std::int64_t>::min(),
                         std::numeric_limits<std::uint64_t>::max(),
                         0.5,
                         1e300,
                         nullptr,
                         "1",
                         Json::array(),
                         Json::object()};
    for (const std::string& name : section_names(parts.header))
      for (const char* key : {"shape", "data_offsets"})
        for (std::size_t i = 0; i < parts.header[name][key].size(); ++i)
          for (const Json& value : limits) {
            if (parts.header[name][key][i] == value) continue;
            Parts changed = parts;
            changed.header[name][key][i] = value;
            EXPECT_NE(outcome(joined(changed)), "") << name << key << i << value;
          }
  });
}

TEST_F(Malformed, SectionsSwappedLeftOutOrTwice) {
  for_each_model([&](const std::string& model) {
    const Parts parts = parts_of(model);
    const std::vector<std::string> names = section_names(parts.header);
    for (const std::string& name : names) {
      Parts without = parts;
      without.header.erase(name);
      outcome(joined(without));
      std::string twice = parts.header.dump();
      twice.insert(1, "\"" + name + "\":" + parts.header[name].dump() + ",");
      EXPECT_NE(outcome(joined(twice, parts.data)), "") << name;
      Parts renamed = without;
      renamed.header[name + "s"] = parts.header[name];
      EXPECT_EQ(outcome(joined(renamed)).empty(), name.starts_with("importance."));
      for (const char* dtype : {"I32", "U32", "F32", "U8", "U16", "F16", "F64", "I8", "X", ""}) {
        Parts other = parts;
        other.header[name]["dtype"] = dtype;
        outcome(joined(other));
      }
      for (const std::string& partner : names) {
        Parts swapped = parts;
        std::swap(swapped.header[name], swapped.header[partner]);
        outcome(joined(swapped));
      }
    }
  });
}

TEST_F(Malformed, MetadataLeftOutEmptiedOrSwapped) {
  for_each_model([&](const std::string& model) {
    const Parts parts = parts_of(model);
    const Json& metadata = parts.header["__metadata__"];
    for (const auto& [key, text] : metadata.items()) {
      Parts without = parts;
      without.header["__metadata__"].erase(key);
      outcome(joined(without));
      for (const Json& value : {Json(""), Json("{}"), Json("[]"), Json(7), Json(nullptr),
                                Json("\n"), Json(std::string(100'000, '['))}) {
        Parts changed = parts;
        changed.header["__metadata__"][key] = value;
        outcome(joined(changed));
      }
      for (const auto& [other, unused] : metadata.items()) {
        Parts swapped = parts;
        std::swap(swapped.header["__metadata__"][key], swapped.header["__metadata__"][other]);
        outcome(joined(swapped));
      }
    }
  });
}

// The words about the forest are JSON within a string of JSON; every one of their characters.
TEST_F(Malformed, EveryCharacterOfTheSchema) {
  for_each_model([&](const std::string& model) {
    const Parts parts = parts_of(model);
    for (const char* key : {"schema", "options", "facts"}) {
      const std::string text = parts.header["__metadata__"][key];
      const std::size_t step = stride(text.size() * 60);
      for (std::size_t at = 0; at < text.size(); at += step) {
        for (const char* other : {"", "\"", "\\", "{", "0", "\x01"}) {
          Parts changed = parts;
          changed.header["__metadata__"][key] = text.substr(0, at) + other + text.substr(at + 1);
          outcome(joined(changed));
        }
        Parts cut = parts;
        cut.header["__metadata__"][key] = text.substr(0, at);
        EXPECT_NE(outcome(joined(cut)), "");
      }
    }
  });
}

// --- Other forms ---------------------------------------------------------------------------------

TEST_F(Malformed, CompressedFiles) {
  for_each_model([&](const std::string& model) {
    put(model);
    const Predictions answers = answers_of(Forest::load(path()));
    const auto loaded = [&](const std::string& file) {
      ++files_;
      put(file);
      return test::refusal([&] { expect_same_answers(answers_of(Forest::load(path())), answers); });
    };
    const std::vector<std::byte> packed = compress(std::as_bytes(std::span(model)));
    const std::string file(reinterpret_cast<const char*>(packed.data()), packed.size());
    EXPECT_EQ(loaded(file), "");
    const std::size_t step = stride(file.size() * 32);
    for (std::size_t size = 0; size < file.size(); size += step)
      expect_place(loaded(file.substr(0, size)));
    // Bits that mean nothing to gzip, such as a time, may differ without harm.
    for (std::size_t bit = 0; bit < 8 * file.size(); bit += step) {
      std::string changed = file;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
      const std::string refusal = loaded(changed);
      if (!refusal.empty()) expect_place(refusal);
    }
  });
}

}  // namespace
}  // namespace coppice::test
