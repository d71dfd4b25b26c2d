// Models that earlier builds have written still load and answer the same, bit for bit; and training
// still writes the same bytes. See README.md of this folder for when a difference is no mistake.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "coppice/predict.h"
#include "tests/golden/golden_cases.h"
#include "tests/property/forest_checks.h"

namespace coppice::golden {
namespace {

// Of this version and, in folders of their own, of those before it.
std::vector<std::string> model_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder))
    if (entry.path().extension() == ".coppice") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class GoldenModel : public testing::TestWithParam<std::string> {};

TEST_P(GoldenModel, AnswersAsItDid) {
  const Forest forest = Forest::load(GetParam());
  ReadOptions options = read_options_for(forest.info().schema);
  options.targets = answer_columns(forest);
  options.target_kind = TargetKind::numbers;
  const Dataset stored =
      read_dataset(std::filesystem::path(GetParam()).replace_extension(".csv"), options);
  ASSERT_GT(stored.rows, 0u);
  Dataset rows = stored;
  rows.schema.targets.clear();
  rows.targets.clear();
  const Predictions answers =
      Predictor(forest).predict(conform(rows, forest.info().schema).data.view());
  const std::size_t outputs = answers.outputs, columns = options.targets.size();
  for (std::size_t row = 0; row < stored.rows; ++row)
    for (std::size_t k = 0; k < columns; ++k) {
      const double answer = k < outputs ? answers.mean[row * outputs + k]
                                        : answers.variance[row * outputs + k - outputs];
      EXPECT_EQ(std::bit_cast<std::uint64_t>(answer),
                std::bit_cast<std::uint64_t>(stored.targets[row * columns + k]))
          << "row " << row << ", " << options.targets[k];
    }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenModel, testing::ValuesIn(model_files()),
                         [](const auto& tested) {
                           std::string name = std::filesystem::path(tested.param).stem();
                           return std::to_string(tested.index) + "_" + name;
                         });

class GoldenTraining : public testing::TestWithParam<GoldenCase> {};

// The version of the library is written into a model, but may differ.
TEST_P(GoldenTraining, WritesTheSameBytes) {
  const std::string path = kFolder + "/" + GetParam().name + ".coppice";
  const Forest stored = Forest::load(path);
  Forest again = trained(GetParam());
  ForestInfo info = again.info();
  info.facts["coppice_version"] = stored.info().facts.at("coppice_version");
  const Forest forest = std::move(again).with_info(std::move(info));
  test::expect_same_trees(forest, stored);
  EXPECT_EQ(test::model_bytes(forest), test::ModelFile{test::bytes_of_file(path)});
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTraining, testing::ValuesIn(golden_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Golden, CoversTheFormat) {
  std::set<std::string> indices;
  bool sets = false, stump = false;
  std::size_t bytes = 0;
  for (const std::string& path : model_files()) {
    const Forest forest = Forest::load(path);
    const ForestArrays& arrays = forest.arrays();
    indices.insert(!arrays.payload_row.narrow.empty()   ? "narrow"
                   : !arrays.payload_row.medium.empty() ? "medium"
                                                        : "none");
    sets |= !arrays.category_words.empty();
    stump |= arrays.splits() == 0;
    bytes += std::filesystem::file_size(path);
  }
  EXPECT_EQ(indices, (std::set<std::string>{"narrow", "medium", "none"}));
  EXPECT_TRUE(sets);
  EXPECT_TRUE(stump);
  EXPECT_LT(bytes, 250'000u);
}

}  // namespace
}  // namespace coppice::golden
