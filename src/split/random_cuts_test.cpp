// Random cuts separate samples and are uniform.
#include "split/random_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A column of values, and all of them as a node.
class Column {
 public:
  explicit Column(const std::vector<float>& values) : data_(data_of(values)) {
    std::vector<SampleId> rows(values.size());
    std::iota(rows.begin(), rows.end(), 0u);
    node.gather(values.data(), true, rows);
  }
  SearchedColumn searched() const {
    const CodedColumn& column = columns_.column(0);
    return {column, column.code_span(), SearchedColumn::Kind::values};
  }

  NodeValues node;

 private:
  static Dataset data_of(const std::vector<float>& values) {
    Dataset data;
    data.rows = values.size();
    data.schema.features = {{"x", FeatureKind::numeric}};
    data.columns = {values};
    return data;
  }

  const Dataset data_;
  const CodedColumns columns_{data_.view(), 0, 1};
};

TEST(RandomCuts, EveryThresholdSeparates) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    std::vector<float> values(2 + random.below(20));
    for (float& value : values) value = static_cast<float>(random.below(10)) / 3;
    if (random.below(4) == 0) values[0] = kInfinity;
    if (random.below(4) == 0) values[1] = -kInfinity;
    if (random.below(4) == 0) values.push_back(kMissing);
    const Column column(values);
    RandomCuts cuts;
    const auto thresholds = cuts.between_values(column.searched(), column.node, 5, random);
    EXPECT_EQ(thresholds.size(), column.node.varies() ? 5u : 0u);
    EXPECT_TRUE(std::is_sorted(thresholds.begin(), thresholds.end()));
    for (const float threshold : thresholds) {
      const auto below = [=](float value) { return value < threshold; };
      const auto above = [=](float value) { return value >= threshold; };
      EXPECT_TRUE(std::any_of(values.begin(), values.end(), below));
      EXPECT_TRUE(std::any_of(values.begin(), values.end(), above));
    }
  }
}

TEST(RandomCuts, ThresholdsAreUniformBetweenTheExtremes) {
  const Column column({0, 1, 2, 3, 8, 10});
  RandomCuts cuts;
  std::vector<double> counts(10);
  constexpr int kDraws = 50'000;
  for (int i = 0; i < kDraws; ++i)
    for (const float threshold :
         cuts.between_values(column.searched(), column.node, 1, RandomStream(7).child(i)))
      ++counts[static_cast<std::size_t>(std::min(9.0f, threshold))];
  for (const double count : counts) EXPECT_NEAR(count, kDraws / 10.0, 5 * std::sqrt(kDraws / 10.0));
}

TEST(RandomCuts, NeighbouringFloatsAreSeparatedToo) {
  const float low = 1, high = std::nextafter(low, 2.0f);
  const Column column({low, high});
  RandomCuts cuts;
  for (int i = 0; i < 100; ++i) {
    const auto found =
        cuts.between_values(column.searched(), column.node, 1, RandomStream(3).child(i));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], high);
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
