// Ways to compare forests, their files and their answers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "base/test_folder.h"
#include "coppice/fit.h"
#include "coppice/model.h"
#include "coppice/predict.h"

namespace coppice::test {

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A model file, printed by its beginning only.
struct ModelFile {
  std::string bytes;

  bool operator==(const ModelFile&) const = default;
};
inline void PrintTo(const ModelFile& file, std::ostream* out) {
  *out << file.bytes.size() << " bytes: " << file.bytes.substr(8, 80) << "...";
}

// The model file that the forest would have.
inline ModelFile model_bytes(const Forest& forest) {
  const TestFolder folder;
  forest.save(folder.file("model"));
  return {bytes_of_file(folder.file("model"))};
}

inline std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

inline void expect_same_answers(const Predictions& a, const Predictions& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(bits_of(a.mean), bits_of(b.mean));
  EXPECT_EQ(bits_of(a.variance), bits_of(b.variance));
  EXPECT_EQ(a.labels, b.labels);
}

// The same splits and leaves in tree `tree` of both; sets of categories and payloads by content.
inline void expect_same_tree(const Forest& a, const Forest& b, std::size_t tree) {
  const ForestArrays &x = a.arrays(), &y = b.arrays();
  const std::size_t splits = x.first_split[tree + 1] - x.first_split[tree];
  ASSERT_EQ(splits, y.first_split[tree + 1] - y.first_split[tree]);
  for (std::size_t i = 0; i < splits; ++i) {
    const Split p = x.split(tree, i), q = y.split(tree, i);
    ASSERT_EQ(x.code[x.first_split[tree] + i], y.code[y.first_split[tree] + i]);
    ASSERT_EQ(p.right, q.right);
    ASSERT_EQ(p.threshold, q.threshold);
    if (p.kind != Split::Kind::category_set) continue;
    const std::size_t words = (a.info().schema.features[p.feature].categories.size() + 31) / 32;
    for (std::size_t w = 0; w < words; ++w)
      ASSERT_EQ(x.category_words[p.first_word + w], y.category_words[q.first_word + w]);
  }
  for (std::size_t leaf = 0; leaf <= splits; ++leaf) {
    const std::size_t i = x.first_leaf(tree) + leaf, j = y.first_leaf(tree) + leaf;
    ASSERT_EQ(x.support[i], y.support[j]);
    ASSERT_TRUE(std::ranges::equal(x.payload_of(i), y.payload_of(j)));
  }
}

inline void expect_same_trees(const Forest& a, const Forest& b) {
  ASSERT_EQ(a.trees(), b.trees());
  for (std::size_t tree = 0; tree < a.trees(); ++tree) expect_same_tree(a, b, tree);
}

// Rows [first, first + count) of the data as a data set of their own.
inline Dataset some_rows(const Dataset& data, std::size_t first, std::size_t count) {
  const auto part = [&](const auto& values, std::size_t width) {
    if (values.empty()) return values;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first * width);
    return std::decay_t<decltype(values)>(begin,
                                          begin + static_cast<std::ptrdiff_t>(count * width));
  };
  Dataset result;
  result.schema = data.schema;
  result.rows = count;
  for (const std::vector<float>& column : data.columns) result.columns.push_back(part(column, 1));
  result.labels = part(data.labels, 1);
  result.targets = part(data.targets, data.schema.targets.size());
  result.weights = part(data.weights, 1);
  return result;
}

inline std::vector<float> row_major(const Dataset& data) {
  std::vector<float> rows;
  for (std::size_t row = 0; row < data.rows; ++row)
    for (const std::vector<float>& column : data.columns) rows.push_back(column[row]);
  return rows;
}

}  // namespace coppice::test
