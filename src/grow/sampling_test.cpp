// Bags hold what they should, and every row has the same chance.
#include "grow/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "data/fixed_point.h"

namespace coppice {
namespace {

std::size_t drawn(const Bag& bag) {
  return std::accumulate(bag.draws.begin(), bag.draws.end(), std::size_t{0});
}

TEST(Sampling, CountsFollowTheShare) {
  EXPECT_EQ(samples_drawn({Bagging::with_replacement, 1}, 10), 10u);
  EXPECT_EQ(samples_drawn({Bagging::with_replacement, 2.5}, 10), 25u);
  EXPECT_EQ(samples_drawn({Bagging::without_replacement, 0.25}, 10), 3u);  // rounded
  EXPECT_EQ(samples_drawn({Bagging::without_replacement, 0.001}, 10), 1u);
  EXPECT_EQ(samples_drawn({Bagging::none, 0.5}, 10), 10u);
}

TEST(Sampling, BagsAreConsistent) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    std::vector<std::uint32_t> weights(1 + random.below(50));
    for (std::uint32_t& weight : weights) weight = random.below(3);
    weights[0] = 1;
    const auto eligible = static_cast<std::size_t>(
        std::count_if(weights.begin(), weights.end(), [](std::uint32_t w) { return w > 0; }));
    const SamplingOptions options{static_cast<Bagging>(random.below(3)), 0.6};
    const Bag bag = draw_bag(weights, options, random.child(0));
    EXPECT_EQ(drawn(bag), samples_drawn(options, eligible));
    EXPECT_EQ(bag.inside.size() + bag.outside.size(), weights.size());
    EXPECT_TRUE(std::is_sorted(bag.inside.begin(), bag.inside.end()));
    EXPECT_TRUE(std::is_sorted(bag.outside.begin(), bag.outside.end()));
    for (const SampleId row : bag.inside) {
      EXPECT_GT(bag.draws[row], 0);
      EXPECT_GT(weights[row], 0u);
      if (options.bagging != Bagging::with_replacement) {
        EXPECT_EQ(bag.draws[row], 1);
      }
    }
    for (const SampleId row : bag.outside) EXPECT_EQ(bag.draws[row], 0);
  }
}

// Each count within five standard deviations of its expectation.
TEST(Sampling, RowsAreEquallyLikely) {
  constexpr int kBags = 20'000;
  const std::vector<std::uint32_t> weights{1, 5, 1, 0,
                                           9, 1, 1, 2};  // weights do not matter, 0 does
  for (const Bagging bagging : {Bagging::with_replacement, Bagging::without_replacement}) {
    std::vector<double> counts(weights.size());
    for (int i = 0; i < kBags; ++i) {
      const Bag bag = draw_bag(weights, {bagging, 3.0 / 7}, RandomStream(1).child(i));
      for (std::size_t row = 0; row < weights.size(); ++row) counts[row] += bag.draws[row];
    }
    const double expected = kBags * 3.0 / 7;
    for (std::size_t row = 0; row < weights.size(); ++row)
      EXPECT_NEAR(counts[row], weights[row] > 0 ? expected : 0, 5 * std::sqrt(expected));
  }
}

// A bootstrap of n out of n leaves out a share of (1 - 1/n)^n.
TEST(Sampling, BootstrapLeavesOutAThird) {
  const std::vector<std::uint32_t> weights(1000, 1);
  double outside = 0;
  for (int i = 0; i < 100; ++i)
    outside += static_cast<double>(
        draw_bag(weights, {Bagging::with_replacement, 1}, RandomStream(2).child(i)).outside.size());
  EXPECT_NEAR(outside / 100'000, std::pow(1 - 1e-3, 1000), 0.005);
}

// One row weighs almost everything and is drawn often: the total must stay below its limit.
TEST(Sampling, TotalWeightIsBounded) {
  std::vector<std::uint32_t> weights(4, 1);
  weights[2] = 1u << 28;
  for (int i = 0; i < 200; ++i) {
    const Bag bag = draw_bag(weights, {Bagging::with_replacement, 20}, RandomStream(3).child(i));
    std::uint64_t total = 0;
    for (std::size_t row = 0; row < 4; ++row) total += std::uint64_t{weights[row]} * bag.draws[row];
    EXPECT_LE(total, kMaxTotalWeight);
    EXPECT_GT(bag.draws[2], 0);
  }
}

// 30 rows of class 0, 6 of class 2, 12 of class 5, one without weight.
TEST(Sampling, ClassesAreDrawnEquallyOften) {
  std::vector<std::uint32_t> weights(49, 1), classes;
  weights[48] = 0;
  for (const auto& [label, count] : {std::pair{0u, 30}, {2u, 6}, {5u, 12}, {2u, 1}})
    classes.insert(classes.end(), static_cast<std::size_t>(count), label);
  double outside_of_rare = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    for (const auto& [bagging, share, each] :
         {std::tuple{Bagging::with_replacement, 1.0, 6}, {Bagging::without_replacement, 0.5, 3}}) {
      const Bag bag = draw_bag(weights, {bagging, share}, RandomStream(4).child(i), classes);
      std::map<std::uint32_t, int> drawn;
      for (std::size_t row = 0; row < 49; ++row)
        if (bag.draws[row] > 0) drawn[classes[row]] += bag.draws[row];
      EXPECT_EQ(drawn, (std::map<std::uint32_t, int>{{0, each}, {2, each}, {5, each}}));
      EXPECT_EQ(bag.draws[48], 0);
      if (bagging != Bagging::with_replacement) continue;
      for (const SampleId row : bag.outside) outside_of_rare += classes[row] == 2 && row != 48;
    }
  }
  // A bootstrap of six rows leaves each out with probability (5/6)^6.
  EXPECT_NEAR(outside_of_rare / (400 * 6), 0.335, 0.03);
}

TEST(Sampling, NoBaggingTakesEveryRowOnce) {
  const Bag bag =
      draw_bag(std::vector<std::uint32_t>{1, 0, 4}, {Bagging::none, 0.1}, RandomStream(1));
  EXPECT_EQ(bag.draws, (LargeVector<std::uint16_t>{1, 0, 1}));
}

// 30,000 draws: the share of a row is within four deviations of its weight's.
TEST(Sampling, ByWeightRowsAreDrawnInProportion) {
  std::vector<std::uint32_t> weights(300, 1);
  weights[0] = 0, weights[1] = 700;
  SamplingOptions options;
  options.max_samples = 30000.0 / 299;
  const Bag bag = draw_bag_by_weight(weights, options, RandomStream(3));
  EXPECT_EQ(bag.draws[0], 0);
  const double share = 700.0 / 998, drawn = 30000;
  EXPECT_NEAR(bag.draws[1], drawn * share, 4 * std::sqrt(drawn * share * (1 - share)));
  std::uint64_t total = 0;
  for (const std::uint16_t draws : bag.draws) total += draws;
  EXPECT_EQ(total, 30000u);
  EXPECT_EQ(bag.inside.size() + bag.outside.size(), 300u);
}

}  // namespace
}  // namespace coppice
