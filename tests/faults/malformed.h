// What tests of damaged models share: every small model, and what may become of a damaged one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "coppice/density.h"
#include "coppice/predict.h"
#include "model/describe.h"
#include "model/model_file.h"
#include "model/test_forests.h"
#include "tests/faults/small_models.h"

namespace coppice::test {

// So many damaged files of one kind are tried per model; larger models are sampled evenly.
constexpr std::size_t kMost = 700;

inline std::vector<float> rows_for(const Schema& schema) {
  std::vector<float> rows;
  for (int row = 0; row < 6; ++row)
    for (std::size_t f = 0; f < schema.features.size(); ++f) {
      const std::size_t categories = schema.features[f].categories.size();
      const auto number = static_cast<float>((7 * f + 3 * static_cast<std::size_t>(row)) % 11) - 4;
      const bool missing = (static_cast<std::size_t>(row) + f) % 5 == 4;
      rows.push_back(missing ? kMissing : (categories > 0 ? std::abs(number) : number * 0.37f));
    }
  return rows;
}

// --- What may happen to a file -------------------------------------------------------------------

inline void expect_place(const std::string& refusal) {
  const bool place = refusal.find("byte") != std::string::npos ||
                     refusal.find("written in model format") != std::string::npos;
  EXPECT_TRUE(place) << refusal;
}

inline Predictions answers_of(const Forest& forest) {
  return Predictor(forest).predict_rows(rows_for(forest.info().schema));
}

inline void expect_density(const Forest& forest) {
  const std::size_t features = forest.info().schema.features.size();
  const std::vector<float> rows = rows_for(forest.info().schema);
  Dataset data{forest.info().schema, rows.size() / features, {}, {}, {}, {}};
  for (std::size_t f = 0; f < features; ++f) {
    data.columns.emplace_back(data.rows);
    for (std::size_t row = 0; row < data.rows; ++row)
      data.columns[f][row] = rows[row * features + f];
  }
  const DensityModel density(forest);
  for (const double log : density.log_density(data.view(), {.threads = 1}))
    EXPECT_FALSE(std::isnan(log));
  for (const float value : density.sample(5, 1, {.threads = 1})) EXPECT_FALSE(std::isnan(value));
}

inline void expect_usable(const Forest& forest) {
  if (forest.info().payload_kind == PayloadKind::gaussian) expect_density(forest);
  const Predictions answers = answers_of(forest);
  for (const double mean : answers.mean) EXPECT_TRUE(std::isfinite(mean));
  for (const double variance : answers.variance) EXPECT_GE(variance, 0);
  const auto& first_split = forest.arrays().first_split;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    if (first_split[tree] == first_split[tree + 1]) continue;
    EXPECT_FALSE(split_sentence(forest, tree, 0).empty());
  }
}

// What is written of a forest is read as the same forest.
inline void expect_stable(const ModelView& view) {
  const std::vector<std::byte> once = model_file_bytes(view.arrays, view.info);
  const ModelView again = read_model(once, "again");
  EXPECT_EQ(model_file_bytes(again.arrays, again.info), once);
}

class Malformed : public testing::Test {
 protected:
  // Calls body(model bytes) for every small model.
  template <class Body>
  void for_each_model(Body body) {
    for (const SmallModel& model : small_models()) {
      SCOPED_TRACE(model.name);
      body(model.bytes);
      if (HasFailure()) return;
    }
    RecordProperty("files", static_cast<int>(files_));
  }

  // "" if the bytes are a forest, which then must be usable.
  std::string outcome(const std::string& file) {
    ++files_;
    // On the heap and no longer than it is, so that a sanitizer sees every step outside.
    const auto* first = reinterpret_cast<const std::byte*>(file.data());
    const std::vector<std::byte> bytes(first, first + file.size());
    const std::string refusal = test::refusal([&] {
      expect_stable(read_model(bytes, "m"));
      put(file);
      expect_usable(Forest::load(path()));
    });
    if (!refusal.empty()) expect_place(refusal);
    return refusal;
  }

  void put(const std::string& file) const { std::ofstream(path(), std::ios::binary) << file; }
  std::string path() const { return folder_.file("m.coppice"); }

  std::size_t files_ = 0;

 private:
  TestFolder folder_;
};

// So that at most kMost of `count` are tried.
inline std::size_t stride(std::size_t count) { return count / kMost + 1; }

}  // namespace coppice::test
