// Small models of every kind for tests that damage them: those in tests/golden, each in every form
// that a file can have. A new kind of payload, task or weak learner is covered once it has a golden
// model.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "coppice/model.h"
#include "model/payload_codes.h"
#include "tests/property/forest_checks.h"

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

// Golden models, and the rounded forms of those that can be rounded.
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
    return models;
  }();
  return all;
}

}  // namespace coppice::test
