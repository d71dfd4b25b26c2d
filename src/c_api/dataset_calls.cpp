// The calls of c_api.h that make data sets. What is given is copied; only sizes, names and category
// codes are checked here, the rest by validate() when the data set is used.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/matrix.h"
#include "c_api/read_settings.h"
#include "coppice/error.h"
#include "coppice/read.h"
#include "data/column_plan.h"
#include "data/dictionary.h"
#include "data/limits.h"
#include "data/place.h"

namespace coppice {
namespace {

void check_rows(std::size_t rows) {
  if (rows > kMostRows)
    throw Error(ErrorKind::invalid_data, fmt::format("{} rows are more than {}", rows, kMostRows));
}

void check_count(const char* argument, std::size_t count) {
  if (count == 0 || count > kMostCategories)
    throw Error(ErrorKind::invalid_option, fmt::format("'{}' is {}; it must lie between 1 and {}",
                                                       argument, count, kMostCategories));
}

// A dictionary whose codes are the positions in `texts`.
Dictionary distinct(const char* const* texts, std::size_t count, const char* argument) {
  if (texts == nullptr) refuse_null(argument);
  Dictionary dictionary;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = required_text(texts[i], argument);
    if (dictionary.code(text) != i)
      throw Error(ErrorKind::invalid_data, quoted(text) + " comes twice among '" + argument + "'");
  }
  return dictionary;
}

std::vector<float> recoded(std::span<const std::int32_t> codes, const SortedTexts& categories) {
  std::vector<float> values(codes.size(), kMissing);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] < 0) continue;
    const auto code = static_cast<std::size_t>(codes[row]);
    if (code >= categories.texts.size())
      throw Error(ErrorKind::invalid_data,
                  fmt::format("row {} has the code {}, but there are {} categories", row + 1, code,
                              categories.texts.size()));
    values[row] = static_cast<float>(categories.rank[code]);
  }
  return values;
}

std::vector<std::string> class_names(const char* const* classes, std::size_t count) {
  std::vector<std::string> names;
  if (classes == nullptr) {
    for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  } else {
    const Dictionary dictionary = distinct(classes, count, "classes");
    for (std::size_t i = 0; i < count; ++i) names.push_back(dictionary.text(i));
  }
  return names;
}

std::vector<std::string> target_names(const char* const* given, std::size_t outputs) {
  std::vector<std::string> names;
  if (given != nullptr) {
    const Dictionary dictionary = distinct(given, outputs, "names");
    for (std::size_t i = 0; i < outputs; ++i) names.push_back(dictionary.text(i));
  } else if (outputs == 1) {
    names.emplace_back("target");
  } else {
    for (std::size_t i = 1; i <= outputs; ++i) names.push_back(fmt::format("target{}", i));
  }
  return names;
}

void add_columns(Dataset& data, const CoppiceMatrix& matrix, const char* const* names) {
  if (matrix.rows != data.rows) refuse_size("a column", matrix.rows, data.rows);
  const std::size_t before = data.columns.size();
  try {
    for (std::size_t i = 0; i < matrix.columns; ++i) {
      std::string name = names != nullptr ? required_text(names[i], "names")
                                          : numbered_name(data.columns.size() + 1);
      data.schema.features.push_back({.name = std::move(name)});
      data.columns.push_back(column_of(matrix, i));
    }
  } catch (...) {
    data.schema.features.resize(before);
    data.columns.resize(before);
    throw;
  }
}

Dataset of_rows(const Forest& forest, const CoppiceMatrix& matrix) {
  Dataset data;
  data.schema = forest.info().schema;
  data.rows = matrix.rows;
  for (std::size_t i = 0; i < matrix.columns; ++i) {
    data.columns.push_back(column_of(matrix, i));
    if (data.schema.features[i].kind == FeatureKind::numeric) continue;
    const auto categories = static_cast<float>(data.schema.features[i].categories.size());
    for (float& code : data.columns.back()) {
      const bool known = code >= 0 && code < categories;
      code = known ? static_cast<float>(static_cast<std::uint32_t>(code)) : kMissing;
    }
  }
  return data;
}

}  // namespace
}  // namespace coppice

using namespace coppice;

CoppiceStatus coppice_dataset_new(size_t rows, CoppiceDataset** dataset) {
  return guarded([&] {
    CoppiceDataset*& output = required_output(dataset, "dataset");
    check_rows(rows);
    output = new CoppiceDataset;
    output->data.rows = rows;
  });
}

void coppice_dataset_free(CoppiceDataset* dataset) { delete dataset; }

CoppiceStatus coppice_dataset_add_columns(CoppiceDataset* dataset, const CoppiceMatrix* matrix,
                                          const char* const* names) {
  return guarded(
      [&] { add_columns(required(dataset, "dataset").data, required_matrix(matrix), names); });
}

CoppiceStatus coppice_dataset_add_categories(CoppiceDataset* dataset, const char* name,
                                             const int32_t* codes, size_t rows,
                                             const char* const* categories, size_t category_count) {
  return guarded([&] {
    Dataset& data = required(dataset, "dataset").data;
    const auto given = required_array(codes, rows, data.rows, "codes");
    check_count("category_count", category_count);
    SortedTexts texts = sorted(distinct(categories, category_count, "categories"));
    std::vector<float> values = recoded(given, texts);
    Feature feature{.name = required_text(name, "name"),
                    .kind = FeatureKind::categorical,
                    .categories = std::move(texts.texts)};
    data.columns.reserve(data.columns.size() + 1);
    data.schema.features.push_back(std::move(feature));
    data.columns.push_back(std::move(values));
  });
}

CoppiceStatus coppice_dataset_set_labels(CoppiceDataset* dataset, const uint32_t* labels,
                                         size_t rows, const char* const* classes,
                                         size_t class_count) {
  return guarded([&] {
    Dataset& data = required(dataset, "dataset").data;
    const auto given = required_array(labels, rows, data.rows, "labels");
    check_count("class_count", class_count);
    std::vector<std::string> names = class_names(classes, class_count);
    std::vector<std::string> targets{"label"};
    data.labels.assign(given.begin(), given.end());
    data.targets.clear();
    data.schema.classes = std::move(names);
    data.schema.targets = std::move(targets);
  });
}

CoppiceStatus coppice_dataset_set_targets(CoppiceDataset* dataset, const double* targets,
                                          size_t rows, size_t outputs, const char* const* names) {
  return guarded([&] {
    Dataset& data = required(dataset, "dataset").data;
    if (rows != data.rows) refuse_size("targets", rows, data.rows);
    check_count("outputs", outputs);
    const std::size_t size = rows * outputs;
    const auto given = required_array(targets, size, size, "targets");
    std::vector<std::string> target_list = target_names(names, outputs);
    data.targets.assign(given.begin(), given.end());
    data.labels.clear();
    data.schema.classes.clear();
    data.schema.targets = std::move(target_list);
  });
}

CoppiceStatus coppice_dataset_set_weights(CoppiceDataset* dataset, const float* weights,
                                          size_t rows) {
  return guarded([&] {
    Dataset& data = required(dataset, "dataset").data;
    const auto given = required_array(weights, rows, data.rows, "weights");
    data.weights.assign(given.begin(), given.end());
  });
}

CoppiceStatus coppice_dataset_read(const char* path, const CoppiceSetting* settings, size_t count,
                                   const CoppiceForest* like, CoppiceDataset** dataset) {
  return guarded([&] {
    CoppiceDataset*& output = required_output(dataset, "dataset");
    const Schema* const schema = like != nullptr ? &like->forest.info().schema : nullptr;
    const ReadOptions options =
        read_options(required_array(settings, count, count, "settings"), schema);
    output = new CoppiceDataset{read_dataset(required_path(path), options)};
  });
}

CoppiceStatus coppice_dataset_of_rows(const CoppiceForest* forest, const CoppiceMatrix* matrix,
                                      CoppiceDataset** dataset) {
  return guarded([&] {
    CoppiceDataset*& output = required_output(dataset, "dataset");
    const Forest& model = required(forest, "forest").forest;
    const std::size_t features = model.info().schema.features.size();
    output = new CoppiceDataset{of_rows(model, required_rows(matrix, features))};
  });
}

CoppiceStatus coppice_dataset_facts(const CoppiceDataset* dataset, CoppiceDatasetFacts* facts) {
  return guarded([&] {
    const Dataset& data = required(dataset, "dataset").data;
    write_struct({.struct_size = 0,
                  .rows = data.rows,
                  .features = data.schema.features.size(),
                  .classes = data.schema.classes.size(),
                  .targets = data.schema.targets.size()},
                 facts, "facts");
  });
}
