// The C interface against callers who get it wrong: a status, a sentence, and nothing changed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "c_api/test_handles.h"
#include "coppice/c_api.h"

namespace coppice {
namespace {

TEST(CApiRefusals, NothingMayBeNull) {
  const Toy toy(ToyShape::blobs, 20);
  CoppiceDataset* dataset = nullptr;
  CoppiceForest* forest = nullptr;
  const char* name = nullptr;
  const CoppiceMatrix no_values{nullptr, 20, 2, 2, 1};
  EXPECT_REFUSED(coppice_dataset_new(1, nullptr), coppice_invalid_option, "'dataset' is NULL");
  EXPECT_REFUSED(coppice_dataset_add_columns(toy.dataset.get(), nullptr, nullptr),
                 coppice_invalid_option, "'matrix' is NULL");
  EXPECT_REFUSED(coppice_dataset_add_columns(toy.dataset.get(), &no_values, nullptr),
                 coppice_invalid_option, "'matrix->values' is NULL");
  EXPECT_REFUSED(coppice_dataset_set_labels(toy.dataset.get(), nullptr, 20, nullptr, 2),
                 coppice_invalid_option, "'labels' is NULL");
  EXPECT_REFUSED(coppice_dataset_read(nullptr, nullptr, 0, nullptr, &dataset),
                 coppice_invalid_option, "'path' is NULL");
  EXPECT_REFUSED(coppice_options_set(nullptr, "trees", "1"), coppice_invalid_option,
                 "'options' is NULL");
  EXPECT_REFUSED(coppice_fit(nullptr, nullptr, nullptr, nullptr, &forest), coppice_invalid_option,
                 "'dataset' is NULL");
  EXPECT_REFUSED(coppice_fit(toy.dataset.get(), nullptr, nullptr, nullptr, nullptr),
                 coppice_invalid_option, "'forest' is NULL");
  EXPECT_REFUSED(coppice_forest_feature(nullptr, 0, &name), coppice_invalid_option,
                 "'forest' is NULL");
  EXPECT_REFUSED(coppice_predict(toy.forest.get(), &no_values, 1, nullptr), coppice_invalid_option,
                 "'matrix->values' is NULL");
  EXPECT_REFUSED(coppice_predict_dataset(toy.forest.get(), toy.dataset.get(), 1, nullptr),
                 coppice_invalid_option, "'predictions' is NULL");
  coppice_dataset_free(nullptr);
  coppice_options_free(nullptr);
  coppice_forest_free(nullptr);
}

TEST(CApiRefusals, SizesMustAgree) {
  const Toy toy(ToyShape::blobs, 20);
  std::vector<float> values(60), importances(3);
  std::vector<double> mean(41);
  std::vector<std::uint32_t> leaves(20 * 12);
  const CoppiceMatrix three_columns = packed(values, 3), two_columns = packed(values, 2);
  auto answers = sized<CoppicePredictions>();
  answers.mean = mean.data();
  answers.mean_size = 41;
  EXPECT_REFUSED(coppice_dataset_add_columns(toy.dataset.get(), &two_columns, nullptr),
                 coppice_invalid_option, "30 elements, but 20");
  EXPECT_REFUSED(coppice_dataset_set_weights(toy.dataset.get(), values.data(), 21),
                 coppice_invalid_option, "21 elements, but 20");
  EXPECT_REFUSED(coppice_predict(toy.forest.get(), &three_columns, 1, &answers),
                 coppice_invalid_data, "3 columns");
  EXPECT_REFUSED(coppice_predict(toy.forest.get(), &two_columns, 1, &answers),
                 coppice_invalid_option, "'mean' has 41 elements, but 60");
  EXPECT_REFUSED(coppice_apply(toy.forest.get(), toy.dataset.get(), 1, leaves.data(), 20),
                 coppice_invalid_option, "240");
  EXPECT_REFUSED(coppice_apply(toy.forest.get(), toy.dataset.get(), 2000, leaves.data(), 240),
                 coppice_invalid_option, "2000 threads");
  answers.struct_size = 0;
  EXPECT_REFUSED(coppice_predict(toy.forest.get(), &two_columns, 1, &answers),
                 coppice_invalid_option, "struct_size of 'predictions' is 0");
}

TEST(CApiRefusals, WrongDataIsRefusedWithoutHarm) {
  const Toy toy(ToyShape::blobs, 20);
  std::vector<float> values(40);
  const CoppiceMatrix matrix = packed(values, 2);
  const char* const names[] = {"fine", "\xff"};
  EXPECT_REFUSED(coppice_dataset_add_columns(toy.dataset.get(), &matrix, names),
                 coppice_invalid_option, "not UTF-8");
  auto facts = sized<CoppiceDatasetFacts>();
  EXPECT_OK(coppice_dataset_facts(toy.dataset.get(), &facts));
  EXPECT_EQ(facts.features, 2u);

  const std::vector<std::int32_t> codes(20, 2);
  const char* const colours[] = {"red", "green"};
  EXPECT_REFUSED(
      coppice_dataset_add_categories(toy.dataset.get(), "c", codes.data(), 20, colours, 2),
      coppice_invalid_data, "code 2");
  const std::vector<std::uint32_t> labels(20, 7);
  EXPECT_OK(coppice_dataset_set_labels(toy.dataset.get(), labels.data(), 20, colours, 2));
  CoppiceForest* forest = nullptr;
  EXPECT_REFUSED(coppice_fit(toy.dataset.get(), nullptr, nullptr, nullptr, &forest),
                 coppice_invalid_data, "label");
  const char* const twice[] = {"x1", "x3"};
  EXPECT_OK(coppice_dataset_add_columns(toy.dataset.get(), &matrix, twice));
  EXPECT_REFUSED(coppice_fit(toy.dataset.get(), nullptr, nullptr, nullptr, &forest),
                 coppice_invalid_data, "two features are named 'x1'");
}

TEST(CApiRefusals, WrongOptionsAndFilesAreRefused) {
  const Toy toy(ToyShape::blobs, 20);
  const OptionsHandle options = options_of({{"max_depth", "deep"}});
  EXPECT_REFUSED(coppice_options_set(options.get(), "max-dept", "3"), coppice_invalid_option,
                 "max-depth");
  CoppiceForest* forest = nullptr;
  EXPECT_REFUSED(coppice_fit(toy.dataset.get(), options.get(), nullptr, nullptr, &forest),
                 coppice_invalid_option, "'deep'");
  EXPECT_OK(coppice_options_set(options.get(), "max-depth", "3"));
  EXPECT_OK(coppice_fit(toy.dataset.get(), options.get(), nullptr, nullptr, &forest));
  const ForestHandle owner(forest);
  const TestFile file("broken.coppice", "not a model");
  EXPECT_REFUSED(coppice_forest_load(file.path().c_str(), &forest), coppice_corrupt_model,
                 "broken.coppice");
  EXPECT_EQ(forest, nullptr);
  EXPECT_EQ(coppice_forest_load("absent.coppice", &forest), coppice_io);
  EXPECT_EQ(coppice_forest_save(owner.get(), "absent_folder/a.coppice"), coppice_io);
}

// A caller compiled against a shorter struct gets what fits, and nothing beyond it is touched.
TEST(CApiRefusals, StructsMayBeOlder) {
  const Toy toy(ToyShape::blobs, 20);
  CoppiceForestFacts facts{};
  facts.struct_size = offsetof(CoppiceForestFacts, splits);
  facts.splits = 99;
  EXPECT_OK(coppice_forest_facts(toy.forest.get(), &facts));
  EXPECT_EQ(facts.trees, 12u);
  EXPECT_EQ(facts.splits, 99u);
  EXPECT_EQ(facts.struct_size, offsetof(CoppiceForestFacts, splits));
}

TEST(CApiRefusals, TheHeaderIsC11) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler";
  const std::filesystem::path header = "include/coppice/c_api.h";
  if (!std::filesystem::exists(header)) GTEST_SKIP() << "not run in the repository";
  const TestFile source("header.c", "#include \"coppice/c_api.h\"\nint main(void) { return 0; }\n");
  const std::string command =
      "cc -std=c11 -Wall -Wextra -Werror -pedantic -fsyntax-only -Iinclude " + source.path();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace coppice
