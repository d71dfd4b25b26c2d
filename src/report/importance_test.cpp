// Importances on data of which the truth is known: one feature matters, two are noise.
#include "report/importance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/toy_data.h"

namespace coppice {
namespace {

// x0 decides the target (with noise); x1 is noise of many values, x2 noise of two.
Dataset one_informative(bool classes, std::size_t rows = 800) {
  RandomStream random(5);
  Dataset data;
  data.rows = rows;
  data.schema.features = {{"signal", FeatureKind::numeric},
                          {"many", FeatureKind::numeric},
                          {"few", FeatureKind::numeric}};
  data.schema.targets = {"y"};
  if (classes) data.schema.classes = {"no", "yes"};
  data.columns.resize(3);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool high = random.below(2) == 1, flipped = random.below(5) == 0;
    data.columns[0].push_back(high ? 1 : 0);
    data.columns[1].push_back(static_cast<float>(random.uniform()));
    data.columns[2].push_back(static_cast<float>(random.below(2)));
    if (classes) {
      data.labels.push_back(high != flipped);
    } else {
      data.targets.push_back((high ? 3 : 0) + random.uniform() * 4);
    }
  }
  return data;
}

std::vector<float> importance(const Dataset& data, const std::string& name) {
  FitOptions options;
  if (data.labels.empty()) options.task = Regression{};
  options.forest.trees = 120;
  options.split.max_features = FeatureCount{2};
  options.report.permutation_importance = true;
  options.report.unbiased_importance = true;
  const ForestInfo info = fit(data.view(), options).forest.info();
  return info.importances.at(name);
}

TEST(ImpurityImportance, SharesAddUpToOne) {
  EXPECT_EQ(impurity_importance(std::vector<double>{1, 3, 0}),
            (std::vector<float>{0.25f, 0.75f, 0}));
  EXPECT_EQ(impurity_importance(std::vector<double>{0, 0}), (std::vector<float>{0, 0}));
}

class Importance : public testing::TestWithParam<bool> {};

TEST_P(Importance, ImpurityFallsForNoiseOfManyValues) {
  const auto found = importance(one_informative(GetParam()), "impurity");
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0f), 1, 1e-5);
  EXPECT_GT(found[1], 0.1f);
  EXPECT_GT(found[1], 3 * found[2]);
}

TEST_P(Importance, UnbiasedDoesNot) {
  const auto found = importance(one_informative(GetParam()), "unbiased");
  EXPECT_GT(found[0], 0.1f);
  EXPECT_LT(std::abs(found[1]), 0.1f * found[0]);
  EXPECT_LT(std::abs(found[2]), 0.1f * found[0]);
}

TEST_P(Importance, PermutationTellsSignalFromNoise) {
  const auto found = importance(one_informative(GetParam()), "permutation");
  EXPECT_GT(found[0], 0.1f);
  EXPECT_LT(found[1], 0.2f * found[0]);
  EXPECT_LT(found[2], 0.2f * found[0]);
}

TEST_P(Importance, UnusedFeaturesHaveNone) {
  Dataset data = one_informative(GetParam(), 200);
  data.columns[2].assign(200, 1);
  for (const char* name : {"impurity", "permutation", "unbiased"})
    EXPECT_EQ(importance(data, name)[2], 0) << name;
}

// Against the formula, computed row by row from the payloads of leaves and nodes.
double unbiased_by_hand(const Forest& forest, const LeafIds& ids, const Dataset& data,
                        std::uint32_t feature) {
  const ForestArrays& arrays = forest.arrays();
  double sum = 0;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    std::vector<std::size_t> outside;
    for (std::size_t row = 0; row < data.rows; ++row)
      if (ids.out_of_bag(tree, row)) outside.push_back(row);
    const std::size_t splits = arrays.first_split[tree + 1] - arrays.first_split[tree];
    // The leaves below a split are consecutive; mean of leaves [first, last) by support.
    const auto mean = [&](std::size_t first, std::size_t last) {
      double weight = 0, total = 0;
      for (std::size_t leaf = first; leaf < last; ++leaf) {
        const std::size_t global = arrays.first_leaf(tree) + leaf;
        weight += arrays.support[global];
        total += arrays.support[global] * double{arrays.payload_of(global)[0]};
      }
      return total / weight;
    };
    struct Part {
      std::size_t split, end, leaf;
    };
    std::vector<Part> parts{{0, splits, 0}};
    double gain = 0;
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      if (part.split == part.end) continue;
      const Split split = arrays.split(tree, part.split);
      const std::size_t middle = part.leaf + split.right - part.split;
      const std::size_t last = part.leaf + part.end - part.split + 1;
      for (const std::size_t row : outside) {
        const std::size_t leaf = ids.leaf(tree, row);
        if (split.feature != feature || leaf < part.leaf || leaf >= last) continue;
        const double child = leaf < middle ? mean(part.leaf, middle) : mean(middle, last);
        gain += (child - mean(part.leaf, last)) * (data.targets[row] - mean(0, splits + 1));
      }
      parts.push_back({part.split + 1, split.right, part.leaf});
      parts.push_back({split.right, part.end, middle});
    }
    if (!outside.empty()) sum += gain / static_cast<double>(outside.size());
  }
  return sum / static_cast<double>(forest.trees());
}

TEST(UnbiasedImportance, FollowsItsFormula) {
  const Dataset data = one_informative(false, 60);
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 5;
  options.report.leaf_ids = true;
  options.report.unbiased_importance = true;
  const FitResult result = fit(data.view(), options);
  const auto& found = result.forest.info().importances.at("unbiased");
  for (std::uint32_t f = 0; f < 3; ++f) {
    const double expected = unbiased_by_hand(result.forest, result.report.leaf_ids, data, f);
    EXPECT_NEAR(found[f], expected, 1e-4 * (1 + std::abs(expected)));
  }
}

TEST(UnbiasedImportance, IgnoresAnOffsetOfTheTarget) {
  Dataset data = one_informative(false, 200);
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 20;
  options.report.unbiased_importance = true;
  const auto plain = fit(data.view(), options).forest.info().importances.at("unbiased");
  for (double& target : data.targets) target += 1024;
  const auto moved = fit(data.view(), options).forest.info().importances.at("unbiased");
  for (std::size_t f = 0; f < plain.size(); ++f)
    EXPECT_NEAR(moved[f], plain[f], 0.01 * (1 + std::abs(plain[f])));
}

INSTANTIATE_TEST_SUITE_P(Tasks, Importance, testing::Bool(), [](const auto& tested) {
  return tested.param ? std::string("classes") : std::string("numbers");
});

}  // namespace
}  // namespace coppice
