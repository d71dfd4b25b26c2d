// Random cuts separate samples, mean the same by code and by value, and are uniform.
#include "split/random_cuts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

CodedColumns columns_of(const std::vector<float>& values) {
  Dataset data;
  data.rows = values.size();
  data.schema.features = {{"x", FeatureKind::numeric}};
  data.columns = {values};
  return CodedColumns(data.view(), 0, 1);
}

NodeCodes all_codes(const CodedColumns& columns) {
  std::vector<SampleId> rows(columns.rows());
  for (SampleId row = 0; row < rows.size(); ++row) rows[row] = row;
  NodeCodes codes;
  codes.gather(columns.column(0), rows);
  return codes;
}

TEST(RandomCuts, EveryCutSeparatesAndMeansItsThreshold) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    std::vector<float> values(2 + random.below(20));
    for (float& value : values) value = static_cast<float>(random.below(10)) / 3;
    if (random.below(4) == 0) values[0] = kInfinity;
    if (random.below(4) == 0) values[1] = -kInfinity;
    if (std::set<float>(values.begin(), values.end()).size() < 2) continue;
    const CodedColumns columns = columns_of(values);
    const NodeCodes node = all_codes(columns);
    RandomCuts cuts;
    std::uint32_t last = 0;
    for (const auto& cut : cuts.between_values(columns.column(0), node, 5, random)) {
      EXPECT_GT(cut.first_right, last);
      last = cut.first_right;
      std::size_t left = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(node.codes[i] < cut.first_right, values[i] < cut.threshold);
        left += values[i] < cut.threshold;
      }
      EXPECT_GT(left, 0u);
      EXPECT_LT(left, values.size());
    }
  }
}

TEST(RandomCuts, ThresholdsAreUniformBetweenTheExtremes) {
  const CodedColumns columns = columns_of({0, 1, 2, 3, 8, 10});
  const NodeCodes node = all_codes(columns);
  RandomCuts cuts;
  std::vector<double> counts(10);
  constexpr int kDraws = 50'000;
  for (int i = 0; i < kDraws; ++i)
    for (const auto& cut :
         cuts.between_values(columns.column(0), node, 1, RandomStream(7).child(i)))
      ++counts[static_cast<std::size_t>(std::min(9.0f, cut.threshold))];
  for (const double count : counts) EXPECT_NEAR(count, kDraws / 10.0, 5 * std::sqrt(kDraws / 10.0));
}

TEST(RandomCuts, NeighbouringFloatsAreSeparatedToo) {
  const float low = 1, high = std::nextafter(low, 2.0f);
  const CodedColumns columns = columns_of({low, high});
  RandomCuts cuts;
  for (int i = 0; i < 100; ++i) {
    const auto found =
        cuts.between_values(columns.column(0), all_codes(columns), 1, RandomStream(3).child(i));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first_right, 1u);
    EXPECT_EQ(found[0].threshold, high);
  }
}

TEST(RandomCuts, CategoriesFallIntoGroupsOfWhichNoneIsEmpty) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    const std::size_t categories = 2 + random.below(12);
    RandomCuts cuts;
    const auto groups = cuts.between_categories(categories, 1 + random.below(4), random);
    ASSERT_EQ(groups.size(), categories);
    const std::set<std::uint32_t> used(groups.begin(), groups.end());
    EXPECT_EQ(used.size(), cuts.category_groups());
    EXPECT_EQ(*used.rbegin() + 1, cuts.category_groups());
    EXPECT_GE(used.size(), 2u);
  }
}

TEST(RandomCuts, EveryCategoryIsAsLikelyToGoLeft) {
  RandomCuts cuts;
  std::vector<double> left(5);
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    const auto groups = cuts.between_categories(5, 1, RandomStream(5).child(i));
    for (std::size_t c = 0; c < 5; ++c) left[c] += groups[c] == 0;
  }
  for (const double count : left) EXPECT_NEAR(count, kDraws / 2.0, 5 * std::sqrt(kDraws / 4.0));
}

}  // namespace
}  // namespace coppice
