// For tests of the C interface: handles that free themselves, toy data as a binding would hand it
// over, and a forest trained on it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coppice/c_api.h"
#include "coppice/coppice.h"
#include "data/test_file.h"

namespace coppice {

struct Free {
  void operator()(CoppiceDataset* handle) const { coppice_dataset_free(handle); }
  void operator()(CoppiceOptions* handle) const { coppice_options_free(handle); }
  void operator()(CoppiceForest* handle) const { coppice_forest_free(handle); }
};
using DatasetHandle = std::unique_ptr<CoppiceDataset, Free>;
using OptionsHandle = std::unique_ptr<CoppiceOptions, Free>;
using ForestHandle = std::unique_ptr<CoppiceForest, Free>;

#define EXPECT_OK(call) EXPECT_EQ(call, coppice_ok) << coppice_last_error()
#define EXPECT_REFUSED(call, status, words)                                   \
  EXPECT_EQ(call, status);                                                    \
  EXPECT_NE(std::string(coppice_last_error()).find(words), std::string::npos) \
      << coppice_last_error()

template <class Struct>
Struct sized() {
  Struct empty{};
  empty.struct_size = sizeof(Struct);
  return empty;
}

inline CoppicePredictions label_answers(std::uint32_t* labels, std::size_t rows) {
  auto answers = sized<CoppicePredictions>();
  answers.labels = labels;
  answers.labels_size = rows;
  return answers;
}

inline std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

inline DatasetHandle new_dataset(std::size_t rows) {
  CoppiceDataset* dataset = nullptr;
  EXPECT_OK(coppice_dataset_new(rows, &dataset));
  return DatasetHandle(dataset);
}

inline std::vector<float> row_major(const Dataset& data) {
  std::vector<float> values;
  for (std::size_t row = 0; row < data.rows; ++row)
    for (const auto& column : data.columns) values.push_back(column[row]);
  return values;
}

inline CoppiceMatrix packed(const std::vector<float>& values, std::size_t columns) {
  return {values.data(), values.size() / columns, columns, static_cast<std::ptrdiff_t>(columns), 1};
}

// The data set as a binding would build it: one matrix, then labels or targets.
inline DatasetHandle handle_of(const Dataset& data) {
  DatasetHandle dataset = new_dataset(data.rows);
  const std::vector<float> values = row_major(data);
  const CoppiceMatrix matrix = packed(values, data.columns.size());
  std::vector<const char*> names;
  for (const auto& feature : data.schema.features) names.push_back(feature.name.c_str());
  EXPECT_OK(coppice_dataset_add_columns(dataset.get(), &matrix, names.data()));
  if (!data.labels.empty()) {
    EXPECT_OK(coppice_dataset_set_labels(dataset.get(), data.labels.data(), data.rows,
                                         pointers(data.schema.classes).data(),
                                         data.schema.classes.size()));
  } else {
    const auto targets = pointers(data.schema.targets);
    EXPECT_OK(coppice_dataset_set_targets(dataset.get(), data.targets.data(), data.rows,
                                          targets.size(), targets.data()));
  }
  return dataset;
}

inline OptionsHandle options_of(const std::vector<std::pair<const char*, const char*>>& values) {
  CoppiceOptions* options = nullptr;
  EXPECT_OK(coppice_options_new(&options));
  for (const auto& [name, value] : values) EXPECT_OK(coppice_options_set(options, name, value));
  return OptionsHandle(options);
}

inline ForestHandle fit(const CoppiceDataset* dataset, const CoppiceOptions* options,
                        CoppiceReport* report = nullptr) {
  CoppiceForest* forest = nullptr;
  EXPECT_OK(coppice_fit(dataset, options, nullptr, report, &forest));
  return ForestHandle(forest);
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Toy {
  explicit Toy(ToyShape shape, std::size_t rows = 300)
      : data(generate({.shape = shape, .rows = rows, .noise = 0.2})),
        dataset(handle_of(data)),
        options(options_of({{"trees", "12"}, {"max-depth", "6"}})),
        forest(fit(dataset.get(), options.get(), &report)) {
    chosen.forest.trees = 12;
    chosen.growth.max_depth = 6;
    if (data.labels.empty()) chosen.task = Regression{};
  }

  CoppiceReport report = sized<CoppiceReport>();
  FitOptions chosen;
  Dataset data;
  DatasetHandle dataset;
  OptionsHandle options;
  ForestHandle forest;
};

}  // namespace coppice
