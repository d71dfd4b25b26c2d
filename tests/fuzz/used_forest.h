// For fuzz targets: what users do with a forest from a file. A sanitizer, or one of these checks,
// ends the program where something is wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "coppice/density.h"
#include "coppice/predict.h"
#include "model/describe.h"
#include "model/model_file.h"

namespace coppice::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Answers, describes and saves; what is saved is read as the same forest.
inline void use(const Forest& forest) {
  const std::size_t features = forest.info().schema.features.size();
  constexpr std::size_t kMostFeatures = 1000;
  if (features <= kMostFeatures) {
    std::vector<float> rows(4 * features);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = i % 7 == 3 ? kMissing : static_cast<float>(i % 5) - 1;
    const Predictions answers = Predictor(forest).predict_rows(rows, {.threads = 1});
    require(std::all_of(answers.mean.begin(), answers.mean.end(),
                        [](double mean) { return std::isfinite(mean); }));
    if (forest.info().payload_kind == PayloadKind::gaussian)
      require(DensityModel(forest).sample(2, 1, {.threads = 1}).size() == 2 * features);
  }
  for (std::size_t tree = 0; tree < std::min<std::size_t>(forest.trees(), 3); ++tree)
    if (forest.arrays().first_split[tree] < forest.arrays().first_split[tree + 1])
      require(!split_sentence(forest, tree, 0).empty());
  const std::vector<std::byte> once = model_file_bytes(forest.arrays(), forest.info());
  const ModelView again = read_model(once, "again");
  require(model_file_bytes(again.arrays, again.info) == once);
}

}  // namespace coppice::fuzz
