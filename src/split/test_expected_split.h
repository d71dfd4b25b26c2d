// What a search should have found, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "split/best_split.h"

namespace coppice {

struct ExpectedSplit {
  std::uint32_t feature = 0;
  float threshold = 0;
  double cost = std::numeric_limits<double>::max();
  std::uint32_t samples_left = 0;
  bool found = false;
};

inline void expect_found(BestSplit& best, const ExpectedSplit& expected) {
  ASSERT_EQ(best.boundary.found(), expected.found);
  if (!expected.found) return;
  const ChosenSplit& split = best.finish();
  EXPECT_EQ(split.feature, expected.feature);
  EXPECT_EQ(split.threshold, expected.threshold);
  EXPECT_EQ(best.boundary.cost, expected.cost);
  EXPECT_EQ(best.boundary.samples_left, expected.samples_left);
}

}  // namespace coppice
