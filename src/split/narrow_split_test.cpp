// Counts of 16 bits against those of 32: the same costs, and bars that hide nothing.
#include "split/narrow_split.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/random_stream.h"
#include "objective/class_impurity.h"

namespace coppice {
namespace {

template <std::size_t kVectors>
class Groups {
 public:
  // Of a node whose weight is below `most`.
  Groups(std::size_t classes, std::uint32_t most, RandomStream random)
      : parent(classes), narrow_(kCount * kWidth) {
    for (std::uint32_t left = most - 1; left > 0;) {
      const std::uint32_t weight = 1 + random.below(std::min(left, 1 + most / kCount));
      const std::uint32_t c = random.below(static_cast<std::uint32_t>(classes));
      std::int16_t& count = narrow_[random.below(kCount) * kWidth + c];
      count = static_cast<std::int16_t>(count + weight);
      parent[c] += weight;
      left -= weight;
    }
  }
  const std::int16_t* narrow(std::size_t group) const { return narrow_.data() + group * kWidth; }
  std::vector<std::uint32_t> wide(std::size_t group) const {
    return {narrow(group), narrow(group) + parent.size()};
  }

  static constexpr std::uint32_t kCount = 20;
  std::vector<std::uint32_t> parent;

 private:
  static constexpr std::size_t kWidth = kNarrowClasses<kVectors>;
  std::vector<std::int16_t> narrow_;
};

template <std::size_t kVectors>
void expect_the_same(std::size_t classes, std::uint32_t most, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const Groups<kVectors> groups(classes, most, RandomStream(seed));
  const GiniImpurity gini{{{}, classes}};
  std::vector<std::uint32_t> scratch(RunningSplit<GiniImpurity>::scratch_size(gini));
  const RunningSplit<GiniImpurity>::Start start(gini, groups.parent);
  RunningSplit<GiniImpurity> wide(start, scratch);
  NarrowSplit<GiniRule, kVectors> narrow(groups.parent);
  std::vector<double> bars{std::numeric_limits<double>::max()};
  for (std::size_t g = 0; g < groups.kCount; ++g) {
    ASSERT_EQ(narrow.move(groups.narrow(g)), wide.move(groups.wide(g).data()));
    ASSERT_EQ(narrow.children_cost(), wide.children_cost());
    bars.push_back(wide.children_cost());
    for (const double bar : bars) {
      narrow.set_bar(bar);
      ASSERT_TRUE(narrow.may_clear_bar() || narrow.children_cost() > bar);
    }
  }
}

TEST(NarrowSplit, CostsTheSame) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::uint32_t most : {3u, 300u, kNarrowWeight}) {
      expect_the_same<1>(2 + seed % 7, most, seed);
      expect_the_same<2>(9 + seed % 8, most, seed);
      expect_the_same<4>(17 + seed % 16, most, seed);
      if (HasFatalFailure()) return;
    }
}

// The largest square that there can be.
TEST(NarrowSplit, HoldsAPureNodeOfTheLargestWeight) {
  const std::vector<std::uint32_t> parent{0, kNarrowWeight - 1};
  NarrowSplit<GiniRule, 1> split(parent);
  const std::int16_t all[8] = {0, static_cast<std::int16_t>(kNarrowWeight - 1)};
  EXPECT_EQ(split.move(all), kNarrowWeight - 1);
  EXPECT_EQ(split.children_cost(), 0);
}

}  // namespace
}  // namespace coppice
