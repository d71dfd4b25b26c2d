#include "split/narrow_bins.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random_stream.h"
#include "objective/class_impurity.h"

namespace coppice {
namespace {

// Samples of a node in bins, one of which is filled with what the others leave of it.
TEST(NarrowBins, TheRestOfANodeIsWhatItsSamplesWouldBe) {
  NarrowBins added, rest;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed);
    const std::uint32_t classes = 2 + random.below(31), bins = 2 + random.below(100);
    const std::uint32_t common = random.below(bins);
    std::vector<std::uint32_t> node(classes);
    added.begin(bins, classes), rest.begin(bins, classes);
    for (std::uint32_t i = random.below(500); i > 0; --i) {
      const ClassCounts::Item item{random.below(classes), 1 + random.below(5)};
      const std::uint32_t bin = random.below(bins);
      added.add(bin, item);
      if (bin != common) rest.add(bin, item);
      node[item.label] += item.weight;
    }
    rest.add_rest(common, node);
    std::uint32_t total = 0;
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      ASSERT_EQ(rest.weight(bin), added.weight(bin)) << bin;
      total += rest.weight(bin);
    }
    EXPECT_EQ(total, std::accumulate(node.begin(), node.end(), 0u));
  }
}

TEST(NarrowBins, SuitWhatTheyHaveRoomFor) {
  EXPECT_TRUE(NarrowBins::suit(32, kNarrowWeight - 1));
  EXPECT_FALSE(NarrowBins::suit(33, 10));
  EXPECT_FALSE(NarrowBins::suit(2, kNarrowWeight));
}

}  // namespace
}  // namespace coppice
