// Counted shares against sums that are computed anew.
#include "grow/share_tally.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "grow/test_growth.h"

namespace coppice {
namespace {

std::vector<std::uint32_t> random_weights(std::size_t classes, std::mt19937& random) {
  std::vector<std::uint32_t> weights(classes);
  const std::size_t spoken = 1 + random() % classes;  // of few classes, or of many
  for (std::size_t n = 0; n < spoken; ++n) weights[random() % classes] = 1 + random() % 100;
  return weights;
}

struct ToldLeaf {
  std::vector<SampleId> inside, outside;
  std::vector<std::uint32_t> weights;

  ShareTally::Leaf told() const { return {{inside, outside}, weights}; }
};

ToldLeaf leaf_of(const std::vector<SampleId>& rows, std::size_t classes, std::mt19937& random) {
  ToldLeaf leaf{{}, {}, random_weights(classes, random)};
  for (const SampleId row : rows) (row % 3 > 0 ? leaf.inside : leaf.outside).push_back(row);
  return leaf;
}

// Levels of a complete tree, of which the leaves of the last have rows of their own; the weights of
// a node are those of its children.
using ToldLevels = std::vector<std::vector<ToldLeaf>>;

constexpr std::size_t kRows = 50, kLevels = 6;

ToldLevels random_tree(std::size_t number, std::size_t classes, std::mt19937& random) {
  constexpr std::size_t kLeaves = std::size_t{1} << (kLevels - 1);
  ToldLevels levels(kLevels);
  for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    std::vector<SampleId> rows;
    for (SampleId row = 0; row < kRows; ++row)
      if ((row * 7 + number) % kLeaves == leaf) rows.push_back(row);
    levels.back().push_back(leaf_of(rows, classes, random));
  }
  for (std::size_t depth = kLevels - 1; depth-- > 0;)
    for (std::size_t node = 0; node < std::size_t{1} << depth; ++node) {
      ToldLeaf parent = levels[depth + 1][2 * node];
      const ToldLeaf& right = levels[depth + 1][2 * node + 1];
      parent.inside.insert(parent.inside.end(), right.inside.begin(), right.inside.end());
      parent.outside.insert(parent.outside.end(), right.outside.begin(), right.outside.end());
      for (std::size_t c = 0; c < classes; ++c) parent.weights[c] += right.weights[c];
      levels[depth].push_back(std::move(parent));
    }
  return levels;
}

void tell(ShareTally& tally, const std::vector<ToldLeaf>& level) {
  if (level.size() == 1) return tally.plant(level[0].told());
  for (std::size_t node = 0; node < level.size(); node += 2)
    tally.split(level[node].told(), level[node + 1].told());
}

// Adds what the leaves say of the rows, in whole numbers.
void add_rounded(const std::vector<ToldLeaf>& level, float prior, std::uint32_t unit,
                 std::vector<std::uint32_t>& counts) {
  for (const ToldLeaf& leaf : level) {
    const std::size_t classes = leaf.weights.size();
    float total = static_cast<float>(classes) * prior;
    for (const std::uint32_t weight : leaf.weights) total += static_cast<float>(weight);
    for (const auto* const rows : {&leaf.inside, &leaf.outside})
      for (const SampleId row : *rows)
        for (std::size_t c = 0; c < classes; ++c)
          counts[row * classes + c] += static_cast<std::uint32_t>(std::floor(
              (static_cast<float>(leaf.weights[c]) + prior) * (static_cast<float>(unit) / total) +
              0.5f));
  }
}

// Trees are split level by level, by any worker; what they have said before must be gone. A tree
// that announces few rows is added at once, whatever it then says.
void expect_counts(std::size_t classes, std::size_t trees, float prior, std::mt19937& random) {
  std::vector<ShareTally> workers(3, ShareTally(kRows, classes, trees, double{prior}));
  const std::uint32_t unit = workers[0].unit();
  EXPECT_EQ(unit, 65535 / trees);
  std::vector<ToldLevels> forest;
  for (std::size_t tree = 0; tree < trees; ++tree)
    forest.push_back(random_tree(tree, classes, random));
  for (std::size_t depth = 0; depth < kLevels; ++depth) {
    std::vector<std::uint32_t> counts(kRows * classes);
    for (const ToldLevels& tree : forest) {
      ShareTally& worker = workers[random() % workers.size()];
      worker.begin_tree(random() % 2 * kRows);
      tell(worker, tree[depth]);
      add_rounded(tree[depth], prior, unit, counts);
    }
    for (ShareTally& worker : workers) worker.settle();
    for (const auto& [first, last] : {std::pair{0u, 0u}, std::pair{7u, 44u}, std::pair{44u, 50u}}) {
      std::vector<float> sums((last - first) * classes + 1, -1);
      ShareTally::read(workers, first, last, 0.5f, sums);
      EXPECT_EQ(sums.back(), -1);  // nothing is written behind the last row
      for (std::size_t n = 0; n + 1 < sums.size(); ++n)
        ASSERT_EQ(sums[n], 0.5f / static_cast<float>(unit) *
                               static_cast<float>(counts[first * classes + n]));
    }
  }
}

TEST(ShareTally, CountsWhatWasSaidLastWhoeverIsTold) {
  std::mt19937 random(1);
  for (const float prior : {0.0f, 0.5f})
    for (const std::size_t classes : {1u, 2u, 8u, 10u, 26u, 40u, 70u})
      for (const std::size_t trees : {1u, 3u, 20u, 256u}) {
        SCOPED_TRACE(testing::Message() << classes << " classes, " << trees << " trees");
        expect_counts(classes, trees, prior, random);
      }
}

TEST(ShareTally, FollowsATreeThatGrowsByLevels) {
  constexpr std::size_t kManyRows = 200, kOutputs = SpreadLeaf::kOutputs;
  const CountingColumn column = counting_column(kManyRows);
  Bag bag;
  bag.draws.resize(kManyRows);
  for (SampleId row = 0; row < kManyRows; ++row) {
    bag.draws[row] = row % 5 > 0;
    (row % 5 > 0 ? bag.inside : bag.outside).push_back(row);
  }
  TreeGrower grower(column.columns, bag, {}, RandomStream(1));
  HalvingSplitter splitter;
  std::vector<ShareTally> tally(1, ShareTally(kManyRows, kOutputs, 1));
  while (true) {
    grower.tell_of_new_leaves(SpreadLeaf(), tally[0]);
    tally[0].settle();
    std::vector<float> counted(kManyRows * kOutputs), said(kManyRows * kOutputs);
    ShareTally::read(tally, 0, kManyRows, 1, counted);
    grower.fit_all_leaves(SpreadLeaf());
    grower.add_votes(TreeGrower::Voters::all, {0, kManyRows, said, {}});
    for (std::size_t n = 0; n < said.size(); ++n) ASSERT_NEAR(counted[n], said[n], 1e-5);
    if (grower.finished()) break;
    grower.grow_one_level(splitter, {});
  }
  EXPECT_GT(grower.leaves(), 100u);
}

}  // namespace
}  // namespace coppice
