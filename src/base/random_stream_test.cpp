// Streams are named by neighbouring numbers (tree 3, tree 4), so it is neighbours that are tested.
// Everything is deterministic; limits lie about five standard errors from the expectation.
#include "base/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coppice {
namespace {

double chi_square(const std::vector<std::size_t>& counts) {
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::size_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

// Chi-square has mean d and variance 2 d for d = cells - 1; too even is as suspect as too uneven.
void expect_uniform(const std::vector<std::size_t>& counts) {
  const double freedom = static_cast<double>(counts.size() - 1);
  EXPECT_NEAR(chi_square(counts), freedom, 5 * std::sqrt(2 * freedom));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sum_a = 0, sum_b = 0, sum_aa = 0, sum_bb = 0, sum_ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
    sum_aa += a[i] * a[i];
    sum_bb += b[i] * b[i];
    sum_ab += a[i] * b[i];
  }
  const double covariance = sum_ab - sum_a * sum_b / n;
  return covariance / std::sqrt((sum_aa - sum_a * sum_a / n) * (sum_bb - sum_b * sum_b / n));
}

std::vector<double> uniforms(RandomStream random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = random.uniform();
  return values;
}

TEST(RandomStream, ValuesAreFixed) {
  // SplitMix64 with seed 0, as its authors publish it.
  RandomStream random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(random.next(), 0x06c45d188009454fu);
}

TEST(RandomStream, SameKeySameStream) {
  RandomStream a = RandomStream(9).child(4), b = RandomStream(9).child(4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(RandomStream, ChildDoesNotDependOnWhatWasDrawn) {
  RandomStream drawn(9);
  for (int i = 0; i < 10; ++i) drawn.next();
  EXPECT_EQ(drawn.child(1).next(), RandomStream(9).child(1).next());
}

TEST(RandomStream, BelowIsUniformWithinOneStream) {
  for (const std::uint32_t bound : {2u, 3u, 10u, 256u, 1000u}) {
    RandomStream random(bound);
    std::vector<std::size_t> counts(bound);
    for (int i = 0; i < 500000; ++i) ++counts.at(random.below(bound));
    expect_uniform(counts);
  }
}

TEST(RandomStream, FirstValuesOfNeighbouringStreamsAreUniform) {
  for (const std::uint32_t bound : {2u, 10u, 256u}) {
    std::vector<std::size_t> of_keys(bound), of_children(bound), of_grandchildren(bound);
    for (std::uint64_t i = 0; i < 300000; ++i) {
      ++of_keys.at(RandomStream(i).below(bound));
      ++of_children.at(RandomStream(1).child(i).below(bound));
      ++of_grandchildren.at(RandomStream(1).child(i / 600).child(i % 600).below(bound));
    }
    expect_uniform(of_keys);
    expect_uniform(of_children);
    expect_uniform(of_grandchildren);
  }
}

TEST(RandomStream, PairsFromNeighbouringStreamsAreUniform) {
  constexpr std::uint32_t kCells = 16;
  std::vector<std::size_t> counts(kCells * kCells);
  for (std::uint64_t i = 0; i < 300000; ++i) {
    RandomStream a = RandomStream(1).child(i), b = RandomStream(1).child(i + 1);
    ++counts.at(a.below(kCells) * kCells + b.below(kCells));
  }
  expect_uniform(counts);
}

TEST(RandomStream, NeighbouringStreamsAreUncorrelated) {
  constexpr std::size_t kCount = 20000;
  const double limit = 5 / std::sqrt(static_cast<double>(kCount));
  for (std::uint64_t i = 0; i < 100; ++i) {
    const RandomStream parent(i);
    const auto a = uniforms(parent.child(i), kCount), b = uniforms(parent.child(i + 1), kCount);
    EXPECT_LT(std::abs(correlation(a, b)), limit) << i;
    EXPECT_LT(std::abs(correlation(uniforms(parent, kCount), a)), limit) << i;
    EXPECT_LT(std::abs(correlation(a, uniforms(RandomStream(i + 1).child(i), kCount))), limit) << i;
  }
}

TEST(RandomStream, SuccessiveValuesAreUncorrelated) {
  constexpr std::size_t kCount = 200000;
  auto values = uniforms(RandomStream(2), kCount + 1);
  const std::vector<double> later(values.begin() + 1, values.end());
  values.pop_back();
  EXPECT_LT(std::abs(correlation(values, later)), 5 / std::sqrt(static_cast<double>(kCount)));
}

// The first value is a bijection of the key: equal keys would show as equal values.
TEST(RandomStream, MillionChildrenDoNotCollide) {
  std::vector<std::uint64_t> firsts;
  for (std::uint64_t tree = 0; tree < 1000; ++tree) {
    const RandomStream parent = RandomStream(1).child(tree);
    for (std::uint64_t node = 0; node < 1000; ++node) firsts.push_back(parent.child(node).next());
  }
  std::sort(firsts.begin(), firsts.end());
  EXPECT_EQ(std::adjacent_find(firsts.begin(), firsts.end()), firsts.end());
}

TEST(RandomStream, UniformHasMeanAndVarianceOfTheUniform) {
  constexpr std::size_t kCount = 1000000;
  double sum = 0, squares = 0;
  for (const double value : uniforms(RandomStream(3), kCount)) {
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    squares += (value - 0.5) * (value - 0.5);
  }
  // Standard errors: sqrt(1/12 / n) and sqrt(1/180 / n).
  EXPECT_NEAR(sum / kCount, 0.5, 0.0015);
  EXPECT_NEAR(squares / kCount, 1.0 / 12, 0.0004);
}

// How many of 64 bits of the first value change with one bit of the key or of the label.
TEST(RandomStream, EveryBitOfKeyAndLabelChangesHalfOfTheBits) {
  constexpr int kTrials = 2000;
  for (int bit = 0; bit < 64; ++bit) {
    double of_key = 0, of_label = 0;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
      const std::uint64_t flipped = i ^ (std::uint64_t{1} << bit);
      of_key += std::popcount(RandomStream(i).next() ^ RandomStream(flipped).next());
      const RandomStream parent(i);
      of_label += std::popcount(parent.child(i).next() ^ parent.child(flipped).next());
    }
    // One trial has variance 16: the standard error is 4 / sqrt(kTrials) = 0.09.
    EXPECT_NEAR(of_key / kTrials, 32, 0.45) << bit;
    EXPECT_NEAR(of_label / kTrials, 32, 0.45) << bit;
  }
}

}  // namespace
}  // namespace coppice
