// Gini and entropy against values computed by hand.
#include "objective/class_impurity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace coppice {
namespace {

const std::vector<std::uint32_t> kLabels{0, 0, 1, 2};

template <class O>
double cost_of(std::vector<std::uint32_t> counts) {
  return O{kLabels, counts.size()}.cost(counts.data());
}

TEST(Gini, IsTheSizeTimesTheIndex) {
  EXPECT_EQ(cost_of<GiniImpurity>({5, 0}), 0);
  EXPECT_EQ(cost_of<GiniImpurity>({1, 1}), 2 * 0.5);
  EXPECT_DOUBLE_EQ(cost_of<GiniImpurity>({2, 3, 5}), 10 * (1 - 0.04 - 0.09 - 0.25));
}

TEST(Entropy, IsTheSizeTimesTheBits) {
  EXPECT_EQ(cost_of<EntropyImpurity>({5, 0}), 0);
  EXPECT_EQ(cost_of<EntropyImpurity>({1, 1}), 2);
  EXPECT_EQ(cost_of<EntropyImpurity>({4, 4, 4, 4}), 16 * 2);
  const double bits = -0.2 * std::log2(0.2) - 0.3 * std::log2(0.3) - 0.5 * std::log2(0.5);
  EXPECT_NEAR(cost_of<EntropyImpurity>({2, 3, 5}), 10 * bits, 1e-5);
}

TEST(ClassImpurity, NothingCostsNothing) {
  EXPECT_EQ(cost_of<GiniImpurity>({0, 0, 0}), 0);
  EXPECT_EQ(cost_of<EntropyImpurity>({0, 0, 0}), 0);
}

TEST(ClassImpurity, CountsWeightsByLabel) {
  const GiniImpurity gini{kLabels, 3};
  std::vector<std::uint32_t> counts(3);
  for (std::uint32_t row = 0; row < 4; ++row) gini.add(counts.data(), gini.item(row, row + 1));
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1 + 2, 3, 4}));
}

TEST(ClassImpurity, SamplesOfOneLabelAreAlike) {
  const GiniImpurity gini{kLabels, 3};
  EXPECT_TRUE(gini.alike(gini.item(0, 1), gini.item(1, 7)));
  EXPECT_FALSE(gini.alike(gini.item(1, 1), gini.item(2, 1)));
}

TEST(ClassImpurity, MeanIsTheShares) {
  const EntropyImpurity entropy{kLabels, 3};
  const std::vector<std::uint32_t> counts{1, 0, 3};
  std::vector<double> shares(3);
  entropy.mean(counts.data(), shares.data());
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0, 0.75}));
}

// Totals just below 2^32, which nothing may overflow.
TEST(ClassImpurity, LargeWeightsKeepTheirMeaning) {
  const std::uint32_t half = 1u << 30;
  EXPECT_DOUBLE_EQ(cost_of<GiniImpurity>({half, half}), double{half});
  EXPECT_DOUBLE_EQ(cost_of<EntropyImpurity>({half, half}), 2.0 * half);
  const GiniImpurity gini{kLabels, 2};
  const std::vector<std::uint32_t> parent{half, half}, left{half, 0};
  std::vector<std::uint32_t> scratch(RunningSplit<GiniImpurity>::scratch_size(gini));
  const RunningSplit<GiniImpurity>::Start start(gini, parent);
  RunningSplit<GiniImpurity> running(start, scratch);
  EXPECT_DOUBLE_EQ(running.children_cost(), double{half});
  running.move(left.data());
  EXPECT_EQ(running.children_cost(), 0);
}

}  // namespace
}  // namespace coppice
