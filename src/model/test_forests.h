// Small random forests for the tests of this folder, and ways to look at files.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/test_folder.h"
#include "coppice/error.h"
#include "coppice/model.h"
#include "model/forest_builder.h"
#include "model/walk.h"

namespace coppice::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(((state_ >> 33) * limit) >> 31);
  }
  bool coin() { return below(2) == 1; }

 private:
  std::uint64_t state_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Message of the Error(corrupt_model) that `body` throws; "" if it throws nothing.
template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt_model) << error.what();
    return error.what();
  }
  return "";
}

inline ForestInfo small_info(PayloadKind kind) {
  ForestInfo info;
  info.payload_kind = kind;
  info.schema.features = {
      {"width", FeatureKind::numeric},
      {"sex", FeatureKind::categorical, {"F", "M"}},
      {"Größe \"x\"\n", FeatureKind::numeric},
      {"county", FeatureKind::categorical, {}},
  };
  for (int i = 0; i < 40; ++i) {
    info.schema.features[3].categories.push_back("c" + std::to_string(i));
  }
  if (kind == PayloadKind::class_scores) info.ensemble = Ensemble::sum;
  if (predicts_classes(kind)) {
    info.schema.targets = {"species"};
    info.schema.classes = {"setosa", "versicolor", "virginica"};
  } else {
    info.schema.targets = {"price", "age"};
  }
  info.options = {{"seed", "7"}, {"trees", "3"}};
  info.facts = {{"oob_error", "0.25"}, {"rows", "150"}};
  info.importances = {{"impurity", {1, 0.5f, 0, 1e-40f}}, {"permutation", {-0.5f, 0, 2, 3}}};
  return info;
}

// The code word of a split; 1 << 28 marks a category set.
inline std::uint32_t random_test(Dice& dice, const Schema& schema, TreeArrays& tree) {
  const std::uint32_t feature = dice.below(static_cast<std::uint32_t>(schema.features.size()));
  const std::uint32_t missing = dice.coin() ? SplitCode::kMissingLeft : 0;
  if (schema.features[feature].kind == FeatureKind::numeric) {
    const float threshold = static_cast<float>(dice.below(2000)) / 100 - 10;
    tree.threshold.push_back(std::bit_cast<std::uint32_t>(threshold));
    return feature | missing;
  }
  tree.threshold.push_back(static_cast<std::uint32_t>(tree.category_words.size()));
  const std::size_t categories = schema.features[feature].categories.size();
  for (std::size_t first = 0; first < categories; first += 32) {
    const std::uint32_t used = categories - first >= 32 ? ~0u : (1u << (categories - first)) - 1;
    tree.category_words.push_back(((dice.below(1u << 16) << 16) | dice.below(1u << 16)) & used);
  }
  return feature | missing | (1u << SplitCode::kKindShift);
}

// Any tree with this many splits; payloads drawn from `payloads` different ones.
inline TreeArrays random_tree(Dice& dice, const ForestInfo& info, std::uint32_t splits,
                              std::uint32_t payloads) {
  TreeArrays tree;
  std::vector<std::uint32_t> ends{splits};
  for (std::uint32_t i = 0; i < splits; ++i) {
    const std::uint32_t end = ends.back(), right = i + 1 + dice.below(end - i);
    tree.right.push_back(right);
    tree.code.push_back(random_test(dice, info.schema, tree) |
                        (right == end ? SplitCode::kRightIsLeaf : 0));
    if (right > i + 1 && right < end) ends.push_back(right);
    while (!ends.empty() && ends.back() == i + 1) ends.pop_back();
  }
  for (std::uint32_t leaf = 0; leaf <= splits; ++leaf) {
    tree.support.push_back(static_cast<float>(dice.below(100)));
    const auto value = static_cast<float>(dice.below(payloads)) / static_cast<float>(payloads);
    if (info.payload_kind == PayloadKind::class_histogram) {
      tree.payload.insert(tree.payload.end(), {value, 1 - value, 0});
    } else if (info.payload_kind == PayloadKind::class_scores) {
      tree.payload.insert(tree.payload.end(), {value, -3 * value, 0.5f});
    } else {
      tree.payload.insert(tree.payload.end(), {value, -value, value, 2 * value});
    }
  }
  return tree;
}

inline Forest random_forest(std::uint64_t seed, PayloadKind kind,
                            const std::vector<std::uint32_t>& splits_of_trees,
                            std::uint32_t payloads) {
  Dice dice(seed);
  ForestInfo info = small_info(kind);
  ForestBuilder builder(predicts_classes(kind) ? 3 : 4);
  for (const std::uint32_t splits : splits_of_trees) {
    builder.append(random_tree(dice, info, splits, payloads));
  }
  return Forest(builder.finish(), std::move(info));
}

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

inline void expect_same_forest(const Forest& a, const Forest& b) {
  const ForestArrays &x = a.arrays(), &y = b.arrays();
  EXPECT_TRUE(same_bytes(x.first_split, y.first_split));
  EXPECT_TRUE(same_bytes(x.right, y.right));
  EXPECT_TRUE(same_bytes(x.threshold, y.threshold));
  EXPECT_TRUE(same_bytes(x.code, y.code));
  EXPECT_TRUE(same_bytes(x.category_words, y.category_words));
  EXPECT_TRUE(same_bytes(x.payload_row.narrow, y.payload_row.narrow));
  EXPECT_TRUE(same_bytes(x.payload_row.medium, y.payload_row.medium));
  EXPECT_TRUE(same_bytes(x.payload_row.wide, y.payload_row.wide));
  EXPECT_TRUE(same_bytes(x.payload, y.payload));
  EXPECT_TRUE(same_bytes(x.support, y.support));
  EXPECT_EQ(x.payload_size, y.payload_size);
  EXPECT_EQ(a.info().schema, b.info().schema);
  EXPECT_EQ(a.info().payload_kind, b.info().payload_kind);
  EXPECT_EQ(a.info().ensemble, b.info().ensemble);
  EXPECT_EQ(a.info().options, b.info().options);
  EXPECT_EQ(a.info().facts, b.info().facts);
  EXPECT_EQ(a.info().importances, b.info().importances);
}

// Sends random rows through every tree and touches all that a prediction touches.
inline double walk_everything(const ForestArrays& arrays, const ForestInfo& info) {
  Dice dice(99);
  double sum = 0;
  std::vector<float> row(info.schema.features.size());
  for (int sample = 0; sample < 8; ++sample) {
    for (float& value : row) {
      value = dice.below(5) == 0 ? kMissing : static_cast<float>(dice.below(50)) - 5;
    }
    for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
      const std::size_t leaf = arrays.first_leaf(tree) + leaf_of(arrays, info.schema, tree, row);
      EXPECT_LT(leaf, arrays.first_leaf(tree + 1));
      sum += arrays.support[leaf];
      for (const float value : arrays.payload_of(leaf)) sum += value;
    }
  }
  return sum;
}

// A tree of `splits` splits in which every right (or every left) child is a leaf.
inline Forest chain(std::uint32_t splits, bool down_the_left) {
  ForestInfo info;
  info.schema.features = {{"x", FeatureKind::numeric}};
  info.schema.targets = {"y"};
  info.payload_kind = PayloadKind::mean_variance;
  TreeArrays tree;
  for (std::uint32_t i = 0; i < splits; ++i) {
    const std::uint32_t right = down_the_left ? splits : i + 1;
    tree.right.push_back(right);
    tree.threshold.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i)));
    tree.code.push_back(right == splits ? SplitCode::kRightIsLeaf : 0);
  }
  tree.support.assign(splits + std::size_t{1}, 1);
  tree.payload.assign(2 * (splits + std::size_t{1}), 0.5f);
  ForestBuilder builder(2);
  builder.append(tree);
  return Forest(builder.finish(), std::move(info));
}

}  // namespace coppice::test
