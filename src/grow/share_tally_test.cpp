// Counted shares against sums that are computed anew.
#include "grow/share_tally.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "grow/test_growth.h"

namespace coppice {
namespace {

std::vector<float> random_shares(std::size_t classes, std::mt19937& random) {
  std::vector<float> shares(classes);
  const std::size_t spoken = 1 + random() % classes;  // of few classes, or of many
  for (std::size_t n = 0; n < spoken; ++n)
    shares[random() % classes] = 1 + static_cast<float>(random() % 100);
  float total = 0;
  for (const float share : shares) total += share;
  for (float& share : shares) share /= total;
  return shares;
}

// A tree is a leaf of some rows and one of the others; each is replaced now and then, by any
// worker.
TEST(ShareTally, CountsWhatWasSaidLastWhoeverIsTold) {
  constexpr std::size_t kRows = 50, kRounds = 40;
  std::mt19937 random(1);
  for (const std::size_t classes : {1u, 2u, 8u, 26u, 40u, 70u})
    for (const std::size_t trees : {1u, 3u, 256u}) {
      std::vector<ShareTally> workers(3, ShareTally(kRows, classes, trees));
      const auto unit = static_cast<float>(workers[0].unit());
      EXPECT_EQ(workers[0].unit(), 65535 / trees);
      std::vector<std::vector<float>> said(2 * trees);
      for (std::size_t round = 0; round < kRounds; ++round)
        for (std::size_t leaf = 0; leaf < 2 * trees; ++leaf) {
          if (round > 0 && random() % 4 > 0) continue;
          std::vector<SampleId> inside, outside;
          for (SampleId row = leaf % 2; row < kRows; row += 2)
            (row % 3 > 0 ? inside : outside).push_back(row);
          std::vector<float> next = random_shares(classes, random);
          workers[random() % 3].replace({inside, outside}, said[leaf], next);
          said[leaf] = std::move(next);
        }
      constexpr std::size_t kFirst = 7, kLast = 44;
      std::vector<float> sums((kLast - kFirst) * classes);
      ShareTally::read(workers, kFirst, kLast, 0.5f, sums);
      for (std::size_t row = kFirst; row < kLast; ++row)
        for (std::size_t c = 0; c < classes; ++c) {
          float counts = 0;
          for (std::size_t tree = 0; tree < trees; ++tree)
            counts += std::floor(said[2 * tree + row % 2][c] * unit + 0.5f);
          ASSERT_EQ(sums[(row - kFirst) * classes + c], 0.5f / unit * counts);
        }
    }
}

TEST(ShareTally, FollowsATreeThatGrowsByLevels) {
  constexpr std::size_t kRows = 200, kOutputs = SpreadLeaf::kOutputs;
  const CountingColumn column = counting_column(kRows);
  Bag bag;
  bag.draws.resize(kRows);
  for (SampleId row = 0; row < kRows; ++row) {
    bag.draws[row] = row % 5 > 0;
    (row % 5 > 0 ? bag.inside : bag.outside).push_back(row);
  }
  TreeGrower grower(column.columns, bag, {}, RandomStream(1));
  HalvingSplitter splitter;
  std::vector<ShareTally> tally(1, ShareTally(kRows, kOutputs, 1));
  while (true) {
    grower.fit_new_leaves(SpreadLeaf(), &tally[0]);
    std::vector<float> counted(kRows * kOutputs), said(kRows * kOutputs);
    ShareTally::read(tally, 0, kRows, 1, counted);
    grower.add_votes(TreeGrower::Voters::all, {0, kRows, said, {}});
    for (std::size_t n = 0; n < said.size(); ++n) ASSERT_NEAR(counted[n], said[n], 1e-5);
    if (grower.finished()) break;
    grower.grow_one_level(splitter, {});
  }
  EXPECT_GT(grower.leaves(), 100u);
}

}  // namespace
}  // namespace coppice
