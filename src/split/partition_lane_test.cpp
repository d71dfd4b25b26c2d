// Rows are sent where std::stable_partition sends them, by the values of one lane.
#include "split/partition_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random_stream.h"
#include "base/test_wide_loops.h"

namespace coppice {
namespace {

class PartitionLaneTest : public BothLoops {};
INSTANTIATE_TEST_SUITE_P(Loops, PartitionLaneTest, testing::Bool(), loops_name);

// Rows of a larger array, of which those before and behind the node must stay as they are.
TEST_P(PartitionLaneTest, AgreesWithTheLibrary) {
  constexpr std::size_t kBefore = 3, kBehind = 9;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  RandomStream random(1);
  std::vector<SampleId> right;  // as the last node left it
  for (std::size_t count = 1; count < 90; ++count) {
    std::vector<SampleId> all(kBefore + count + kBehind);
    std::iota(all.begin(), all.end(), 100u);
    std::vector<Lanes<float>> values(count);
    for (Lanes<float>& row : values)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        row.set(lane, random.below(20) == 0 ? kInfinity : static_cast<float>(random.below(7)) - 3);
    const std::size_t lane = random.below(kLanes);
    const float cut = static_cast<float>(random.below(9)) - 4;  // at times beyond all of them

    std::vector<SampleId> expected = all;
    const auto begin = expected.begin() + kBefore;
    const auto middle = std::stable_partition(
        begin, begin + static_cast<std::ptrdiff_t>(count),
        [&](SampleId row) { return values[row - 100 - kBefore][lane] < cut; });
    const std::size_t left =
        partition_by_lane(std::span(all).subspan(kBefore, count), right, values.data(), lane, cut);
    EXPECT_EQ(left, static_cast<std::size_t>(middle - begin));
    EXPECT_EQ(all, expected);
  }
}

}  // namespace
}  // namespace coppice
