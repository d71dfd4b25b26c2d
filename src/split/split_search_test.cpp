// The search with a toy objective: a cost that can be computed by hand, and ties on purpose.
#include "split/split_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "split/axis_aligned.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Wants both sides to have the same sign throughout: cost = min(positive, negative weight).
struct SignObjective {
  struct Item {
    std::int64_t positive, negative;
    std::uint32_t weight;
  };
  using Sum = std::int64_t;

  std::span<const int> signs;

  std::size_t statistics_size() const { return 2; }
  Item item(std::uint32_t row, std::uint32_t weight) const {
    return {signs[row] > 0 ? weight : 0, signs[row] > 0 ? 0 : weight, weight};
  }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.positive;
    sums[1] += item.negative;
  }
  std::uint64_t weight(const Sum* sums) const {
    return static_cast<std::uint64_t>(sums[0] + sums[1]);
  }
  double cost(const Sum* sums) const { return static_cast<double>(std::min(sums[0], sums[1])); }
  bool alike(const Item& a, const Item& b) const { return (a.positive > 0) == (b.positive > 0); }
  std::size_t mean_size() const { return 1; }
  void mean(const Sum* sums, double* point) const {
    *point = static_cast<double>(sums[0]) / static_cast<double>(sums[0] + sums[1]);
  }
};
static_assert(Objective<SignObjective>);

struct Problem {
  std::vector<std::vector<float>> columns;
  std::vector<int> signs;
  std::size_t categories = 0;  // of every column; 0: numbers
  SearchLimits limits = {};
  std::vector<SampleId> node = {};  // empty: all rows
  std::uint32_t bins = 0;
  std::uint16_t draws = 1;  // of every row

  std::optional<ChosenSplit> best_split(RandomStream random = RandomStream(1)) const {
    Dataset data;
    data.rows = signs.size();
    for (std::size_t f = 0; f < columns.size(); ++f) {
      Feature feature{std::to_string(f), FeatureKind::numeric};
      if (categories > 0) feature.kind = FeatureKind::categorical;
      for (std::size_t c = 0; c < categories; ++c) feature.categories.push_back(std::to_string(c));
      data.schema.features.push_back(feature);
      data.columns.push_back(columns[f]);
    }
    const CodedColumns coded(data.view(), bins, 1);
    const std::vector<std::uint32_t> weights(signs.size(), 1);
    const auto features = static_cast<std::uint32_t>(columns.size());
    SplitSearch<SignObjective> search(coded, SignObjective{signs}, weights,
                                      std::make_unique<AxisAligned>(features, features), limits);
    std::vector<SampleId> rows = node;
    if (node.empty()) rows.resize(signs.size()), std::iota(rows.begin(), rows.end(), 0u);
    const std::vector<std::uint16_t> drawn(signs.size(), draws);
    search.begin_tree({rows, drawn.data()});
    const ChosenSplit* const found = search.best_split(rows, random);
    return found ? std::optional(*found) : std::nullopt;
  }
};

TEST(SplitSearch, FindsTheThresholdInTheMiddle) {
  const auto split = Problem{{{4, 1, 3, 2}}, {1, -1, 1, -1}}.best_split();
  ASSERT_TRUE(split);
  EXPECT_EQ(split->threshold, 2.5f);
  EXPECT_EQ(split->cut, 2u);
  EXPECT_EQ(split->gain, 2);
  EXPECT_EQ(split->node_weight, 4);
  EXPECT_TRUE(split->left_categories.empty());
}

TEST(SplitSearch, FindsTheFeatureThatSeparates) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem{{{1, 2, 1, 2}, {1, 1, 2, 2}, {5, 5, 5, 5}}, {-1, -1, 1, 1}};
    const auto split = problem.best_split(RandomStream(seed));
    ASSERT_TRUE(split);
    EXPECT_EQ(split->feature, 1u);
  }
}

// Every cut of the node costs 1; between 1 and 5 lie values of other rows of the data.
TEST(SplitSearch, EqualCostsGoToTheWiderGap) {
  Problem problem{{{0, 1, 5, 6, 2, 3, 4}}, {-1, 1, -1, -1, 1, 1, 1}};
  problem.node = {0, 1, 2, 3};
  const auto split = problem.best_split();
  ASSERT_TRUE(split);
  EXPECT_EQ(split->gain, 0);
  EXPECT_EQ(split->threshold, 3);
  EXPECT_EQ(split->cut, 5u);  // of the node's rows, those below 5 are on the left
}

TEST(SplitSearch, FullTiesKeepTheFirst) {
  const auto split = Problem{{{1, 2, 3, 9, 10}}, {1, -1, 1, -1, 1}}.best_split();
  ASSERT_TRUE(split);  // all gaps are one rank
  EXPECT_EQ(split->threshold, 1.5f);
}

TEST(SplitSearch, PureNodesAreNotSplit) {
  EXPECT_FALSE((Problem{{{1, 2, 3}}, {1, 1, 1}}.best_split()));
}

TEST(SplitSearch, ConstantFeaturesCannotSplit) {
  EXPECT_FALSE((Problem{{{2, 2, 2}}, {1, -1, 1}}.best_split()));
  EXPECT_FALSE((Problem{{{kMissing, kMissing}}, {1, -1}}.best_split()));
}

TEST(SplitSearch, ChildrenKeepTheirLeastSize) {
  Problem problem{{{1, 2, 3, 4}}, {-1, 1, 1, 1}};
  EXPECT_EQ(problem.best_split()->threshold, 1.5f);
  problem.limits.min_child_samples = 2;
  EXPECT_EQ(problem.best_split()->threshold, 2.5f);
  problem.limits.min_child_samples = 3;
  EXPECT_FALSE(problem.best_split());
}

TEST(SplitSearch, SmallNodesAreNotSplit) {
  Problem problem{{{1, 2, 3, 4}}, {-1, 1, 1, 1}};
  problem.limits.min_split_samples = 4;
  EXPECT_TRUE(problem.best_split());
  problem.limits.min_split_samples = 5;
  EXPECT_FALSE(problem.best_split());
  problem.limits.max_node_samples = 3;  // the whole node counts, not the part that is searched
  EXPECT_FALSE(problem.best_split());
  problem.limits.min_split_samples = 4;
  EXPECT_TRUE(problem.best_split());
}

TEST(SplitSearch, RowsDrawnTwiceCountTwice) {
  Problem problem{{{1, 2, 3}}, {-1, 1, 1}};
  problem.limits.min_split_samples = 6;
  EXPECT_FALSE(problem.best_split());
  problem.draws = 2;
  ASSERT_TRUE(problem.best_split());
  EXPECT_EQ(problem.best_split()->gain, 2);
  EXPECT_EQ(problem.best_split()->node_weight, 6);
}

// Seven values in bins of two and more: a cut tears no bin.
TEST(SplitSearch, NodesOfManyRowsAreSearchedByBins) {
  Problem problem{{{1, 2, 3, 4, 5, 6, 7}}, {-1, 1, 1, 1, 1, 1, 1}};
  problem.bins = 3;
  problem.limits.exact_rows = 7;
  EXPECT_EQ(problem.best_split()->threshold, 1.5f);
  problem.limits.exact_rows = 6;
  const auto split = problem.best_split();
  ASSERT_TRUE(split);
  EXPECT_TRUE(split->threshold == 3.5f || split->threshold == 5.5f) << split->threshold;
}

TEST(SplitSearch, MissingValuesGoWhereTheyBelong) {
  const auto left = Problem{{{1, 2, 3, 4, kMissing}}, {-1, -1, 1, 1, -1}}.best_split();
  EXPECT_TRUE(left->missing_left);
  EXPECT_EQ(left->threshold, 2.5f);
  const auto right = Problem{{{1, 2, 3, 4, kMissing}}, {-1, -1, 1, 1, 1}}.best_split();
  EXPECT_FALSE(right->missing_left);
  EXPECT_EQ(right->gain, 2);
}

TEST(SplitSearch, MissingValuesMayStandAlone) {
  for (const float largest : {4.0f, kInfinity}) {
    const auto split =
        Problem{{{1, largest, kMissing, kMissing, 3}}, {-1, -1, 1, 1, -1}}.best_split();
    ASSERT_TRUE(split);
    EXPECT_EQ(split->gain, 2);
    EXPECT_TRUE(split->missing_left);
    EXPECT_EQ(split->threshold, -kInfinity);  // no number is below it
    EXPECT_EQ(split->cut, 0u);
  }
}

TEST(SplitSearch, UnseenMissingValuesGoWithTheLargerChild) {
  EXPECT_TRUE((Problem{{{1, 2, 3, 4}}, {-1, -1, -1, 1}}.best_split()->missing_left));
  EXPECT_FALSE((Problem{{{1, 2, 3, 4}}, {-1, 1, 1, 1}}.best_split()->missing_left));
  EXPECT_TRUE((Problem{{{1, 2, 3, 4}}, {-1, -1, 1, 1}}.best_split()->missing_left));
}

TEST(SplitSearch, InfinitiesAreValues) {
  const auto low = Problem{{{-kInfinity, 0, 1}}, {-1, 1, 1}}.best_split();
  EXPECT_EQ(low->threshold, 0);  // half way would be minus infinity, which separates nothing
  const auto high = Problem{{{0, 1, kInfinity}}, {-1, -1, 1}}.best_split();
  EXPECT_EQ(high->threshold, kInfinity);
  EXPECT_EQ(high->cut, 2u);
}

TEST(SplitSearch, NeighbouringFloatsAreSeparated) {
  const float one = 1, next = std::nextafter(one, 2.0f);
  EXPECT_EQ((Problem{{{one, next}}, {-1, 1}}.best_split()->threshold), next);
}

TEST(SplitSearch, CategoriesFormASet) {
  const Problem problem{{{0, 1, 2, 3, 33, 33}}, {-1, 1, -1, 1, 1, 1}, 40};
  const auto split = problem.best_split();
  ASSERT_TRUE(split);
  EXPECT_EQ(split->gain, 2);
  ASSERT_EQ(split->left_categories.size(), 2u);
  const bool negative_left = split->left_categories[0] & 1;
  for (const std::uint32_t c : {0u, 2u})
    EXPECT_EQ(split->left_categories[0] >> c & 1, negative_left);
  for (const std::uint32_t c : {1u, 3u})
    EXPECT_NE(split->left_categories[0] >> c & 1, negative_left);
  EXPECT_NE(split->left_categories[1] >> 1 & 1, negative_left);
  // Categories that the node lacks go with the missing values, and bits beyond the last are clear.
  EXPECT_EQ(split->left_categories[0] >> 20 & 1, split->missing_left);
  EXPECT_EQ(split->left_categories[1] >> 8, 0u);
}

TEST(SplitSearch, LargeNodesAreSearchedOnASubset) {
  Problem problem{{std::vector<float>(1000)}, std::vector<int>(1000)};
  for (int i = 0; i < 1000; ++i) {
    problem.columns[0][static_cast<std::size_t>(i)] = static_cast<float>(i);
    problem.signs[static_cast<std::size_t>(i)] = i < 400 ? -1 : 1;
  }
  problem.limits.max_node_samples = 50;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto split = problem.best_split(RandomStream(seed));
    ASSERT_TRUE(split);
    EXPECT_NEAR(split->threshold, 400, 80);  // as far as 50 samples can tell
    EXPECT_NEAR(split->node_weight, 1000, 1e-9);
    EXPECT_NEAR(split->gain, 400, 150);
  }
}

TEST(SplitSearch, RandomThresholdsLieBetweenTheExtremes) {
  Problem problem{{{0, 10, 20, 30}}, {-1, 1, -1, 1}};
  problem.limits.random_thresholds = 1;
  std::set<int> gaps;  // between which values it was cut
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto split = problem.best_split(RandomStream(seed));
    ASSERT_TRUE(split);
    EXPECT_GT(split->threshold, 0);
    EXPECT_LE(split->threshold, 30);
    gaps.insert(static_cast<int>(std::ceil(split->threshold / 10)));
  }
  EXPECT_EQ(gaps, (std::set<int>{1, 2, 3}));
}

}  // namespace
}  // namespace coppice
