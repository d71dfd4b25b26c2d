// A table of leaves by hand, and a large one against the definition.
#include "coppice/leaf_ids.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random_stream.h"
#include "coppice/error.h"

namespace coppice {
namespace {

// Four trees by five rows.
LeafIds small_table() {
  const std::uint32_t leaves[4][5] = {
      {0, 0, 1, 1, 0}, {2, 2, 2, 0, 1}, {0, 1, 0, 1, 0}, {3, 3, 0, 3, 0}};
  LeafIds ids(5, 4);
  for (std::size_t tree = 0; tree < 4; ++tree) {
    for (std::size_t row = 0; row < 5; ++row) {
      ids.set(tree, row, leaves[tree][row], (tree + row) % 2 == 0);
    }
  }
  return ids;
}

TEST(LeafIds, RemembersLeafAndBag) {
  const LeafIds ids = small_table();
  EXPECT_EQ(ids.leaf(3, 1), 3u);
  EXPECT_TRUE(ids.out_of_bag(3, 1));
  EXPECT_FALSE(ids.out_of_bag(3, 2));
}

TEST(LeafIds, KeepTreesDropsTheLast) {
  LeafIds ids = small_table();
  ids.keep_trees(2);
  EXPECT_EQ(ids.trees(), 2u);
  EXPECT_EQ(proximity(ids, 0, 1), 1);
}

TEST(Proximity, ByHand) {
  const LeafIds ids = small_table();
  EXPECT_EQ(proximity(ids, 0, 0), 1);
  EXPECT_EQ(proximity(ids, 0, 1), 0.75);
  EXPECT_EQ(proximity(ids, 1, 0), 0.75);
  EXPECT_EQ(proximity(ids, 0, 2), 0.5);
  EXPECT_EQ(proximity(ids, 0, 3), 0.25);
  EXPECT_EQ(proximity(ids, 0, 4), 0.5);
}

TEST(Nearest, TiesGoToTheLowerRow) {
  const auto found = nearest(small_table(), 0, 3);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].row, 1u);
  EXPECT_EQ(found[1].row, 2u);
  EXPECT_EQ(found[2].row, 4u);
  EXPECT_EQ(found[0].proximity, 0.75);
  EXPECT_EQ(found[2].proximity, 0.5);
}

TEST(Nearest, GivesNoMoreThanThereAre) {
  EXPECT_EQ(nearest(small_table(), 2, 100).size(), 4u);
  EXPECT_TRUE(nearest(small_table(), 2, 0).empty());
  EXPECT_TRUE(nearest(LeafIds(1, 3), 0, 5).empty());
}

TEST(Nearest, AgreesWithTheDefinition) {
  constexpr std::size_t kRows = 200, kTrees = 30, kCount = 25;
  LeafIds ids(kRows, kTrees);
  RandomStream random(1);
  for (std::size_t tree = 0; tree < kTrees; ++tree) {
    for (std::size_t row = 0; row < kRows; ++row) {
      ids.set(tree, row, random.below(6), random.below(3) == 0);
    }
  }
  for (const std::size_t row : {0u, 17u, 199u}) {
    std::vector<Neighbour> expected;
    for (std::size_t other = 0; other < kRows; ++other) {
      if (other != row) expected.push_back({other, proximity(ids, row, other)});
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](auto& a, auto& b) { return a.proximity > b.proximity; });
    const auto found = nearest(ids, row, kCount);
    ASSERT_EQ(found.size(), kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_EQ(found[i].row, expected[i].row);
      EXPECT_EQ(found[i].proximity, expected[i].proximity);
    }
  }
}

TEST(Proximity, RefusesRowsThatDoNotExist) {
  EXPECT_THROW(proximity(small_table(), 0, 5), Error);
  EXPECT_THROW(nearest(small_table(), 5, 1), Error);
}

}  // namespace
}  // namespace coppice
