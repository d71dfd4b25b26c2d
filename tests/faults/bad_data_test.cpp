// The library says of every file in bad_data.json what the program says of it, without the name of
// the file where only the caller knows it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "coppice/error.h"
#include "coppice/fit.h"
#include "coppice/read.h"
#include "tests/property/forest_checks.h"

namespace coppice::test {
namespace {

using Json = nlohmann::json;

template <class Action>
std::string sentence(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::invalid_data ||
                error.kind() == ErrorKind::invalid_option)
        << error.what();
    return error.what();
  }
  return "ok";
}

class BadData : public testing::Test {
 protected:
  // Writes the file and returns its path.
  std::string put(const Json& row) const {
    const std::string path = folder_.file(row["file"]);
    std::ofstream file(path, std::ios::binary);
    // The table has one character per byte.
    const std::string text = row["bytes"];
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      const bool two = byte >= 0xC0;
      file.put(two ? static_cast<char>((byte & 0x03) << 6 | (text[i + 1] & 0x3F)) : text[i]);
      i += two;
    }
    return path;
  }

  static ReadOptions read_options(const Json& row) {
    ReadOptions options;
    const Json& given = row.contains("options") ? row["options"] : Json::object();
    if (const std::string target = row["target"]; !target.empty()) options.targets = {target};
    if (given.contains("no_header")) options.header = false;
    if (given.contains("delimiter")) options.delimiter = given["delimiter"].get<std::string>()[0];
    if (given.contains("numeric")) options.kinds[given["numeric"]] = FeatureKind::numeric;
    if (given.contains("weights")) options.weight_column = given["weights"];
    if (given.contains("task"))
      options.target_kind =
          given["task"] == "regression" ? TargetKind::numbers : TargetKind::classes;
    return options;
  }

  static FitResult trained(const Dataset& data) {
    FitOptions options;
    options.forest = {2, 1};
    if (data.schema.classes.empty()) options.task = Regression{};
    return fit(data.view(), options, {.threads = 1});
  }

  static std::string kind(const Json& row) {
    for (const char* name : {"npy", "libsvm", "arff"})
      if (row["file"].get<std::string>().ends_with(name)) return name;
    return "csv";
  }

  // What the program says ends with what the library says; paths differ.
  void expect_same(const std::string& library, const std::string& program, const Json& row) const {
    std::string said = library;
    const std::string path = folder_.file(row["file"]), name = row["file"];
    if (const std::size_t at = said.find(path); at != std::string::npos)
      said.replace(at, path.size(), name);
    EXPECT_TRUE(program.ends_with(said)) << row["name"] << ":\n" << said << "\n" << program;
  }

  TestFolder folder_;
};

TEST_F(BadData, TheLibrarySaysWhatTheProgramSays) {
  std::ifstream file("tests/faults/bad_data.json");
  const Json table = Json::parse(file);
  EXPECT_GE(table.size(), 200u);
  std::map<std::string, Schema> models;
  for (const Json& row : table)
    if (row["name"].get<std::string>().ends_with(": sound"))
      models.emplace(kind(row), read_dataset(put(row), read_options(row)).schema);
  for (const Json& row : table) {
    const std::string path = put(row);
    expect_same(sentence([&] { trained(read_dataset(path, read_options(row))); }), row["train"],
                row);
    const Schema& schema = models.at(kind(row));
    expect_same(sentence([&] {
                  const ReadOptions given = read_options(row);
                  ReadOptions options = read_options_for(schema);
                  options.header = given.header;
                  options.delimiter = given.delimiter;
                  if (kind(row) != "libsvm") {
                    options.ignored_columns = options.targets;
                    options.targets.clear();
                  }
                  Dataset rows = read_dataset(path, options);
                  rows.labels.clear();
                  rows.targets.clear();
                  conform(std::move(rows), schema);
                }),
                row["predict"], row);
  }
}

}  // namespace
}  // namespace coppice::test
