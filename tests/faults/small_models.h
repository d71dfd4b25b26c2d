// Small models of every kind for tests that damage them. A new weak learner or task is covered once
// it has a golden model, a new kind of payload by its row in tests/property/more_cases.h.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "coppice/model.h"
#include "model/payload_codes.h"
#include "tests/property/forest_checks.h"
#include "tests/property/more_cases.h"

namespace coppice::test {

inline std::vector<std::string> golden_model_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("tests/golden"))
    if (entry.path().extension() == ".coppice") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

struct SmallModel {
  std::string name;
  std::string bytes;  // of the mapped form
};

// Golden models, the rounded forms of those that can be rounded, and a forest of every leaf model.
inline const std::vector<SmallModel>& small_models() {
  static const std::vector<SmallModel> all = [] {
    std::vector<SmallModel> models;
    for (const std::string& path : golden_model_files()) {
      std::string name = std::filesystem::path(path).parent_path().filename().string() + "_" +
                         std::filesystem::path(path).stem().string();
      models.push_back({name, bytes_of_file(path)});
      const Forest forest = Forest::load(path);
      if (!can_be_rounded(forest.info().payload_kind) || models.back().bytes.size() > 3000)
        continue;
      for (const auto precision : {PayloadPrecision::half, PayloadPrecision::byte})
        models.push_back({name + (precision == PayloadPrecision::half ? "_half" : "_byte"),
                          model_bytes(with_precision(forest, precision)).bytes});
    }
    for (const TaskCase& row : leaf_kind_cases()) {
      FitOptions options = row.options(1, 2);
      options.growth.max_depth = 2;
      options.growth.min_samples_leaf = 6;
      const Dataset data = row.data(1, 40);
      models.push_back({row.name, model_bytes(fit(data.view(), options).forest).bytes});
    }
    return models;
  }();
  return all;
}

}  // namespace coppice::test
