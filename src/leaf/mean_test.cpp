// Means and variances against values computed by hand.
#include "leaf/mean.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(MeanLeaf, MeansAndVariancesOfEachTarget) {
  const FixedPointTargets targets(std::vector<double>{1, 10, 3, 20, 5, 60, 1e3, 1e3}, 2);
  const FixedPointWeights weights{{1, 1, 2, 1}, 1};
  const MeanLeaf model(targets, weights);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{2, 1, 1, 1};
  std::vector<float> payload(model.payload_size());
  EXPECT_EQ(model.fit({rows, draws.data()}, {}, payload), 5);
  // Rows 0, 0, 1, 2, 2.
  const double first = (1 + 1 + 3 + 5 + 5) / 5.0, second = (10 + 10 + 20 + 60 + 60) / 5.0;
  EXPECT_NEAR(payload[0], first, 1e-5);
  EXPECT_NEAR(payload[1], second, 1e-5);
  EXPECT_NEAR(payload[2], (4 + 4 + 0 + 4 + 4) / 5.0, 1e-5);
  EXPECT_NEAR(payload[3], (484 + 484 + 144 + 784 + 784) / 5.0, 1e-3);
}

TEST(MeanLeaf, OneSampleHasNoVariance) {
  const FixedPointTargets targets(std::vector<double>{0.1, -7, 123.456}, 1);
  const FixedPointWeights weights{{1, 1, 1}, 1};
  const MeanLeaf model(targets, weights);
  const std::vector<std::uint16_t> draws{1, 1, 1};
  for (SampleId row = 0; row < 3; ++row) {
    std::vector<float> payload(2);
    model.fit({{&row, 1}, draws.data()}, {}, payload);
    EXPECT_EQ(payload[0],
              static_cast<float>(targets.centre(0) +
                                 static_cast<double>(targets.value(row, 0)) * targets.unit(0)));
    EXPECT_EQ(payload[1], 0);
  }
}

// Sums of whole numbers: a leaf far from zero loses no precision.
TEST(MeanLeaf, LargeOffsetsKeepSmallVariances) {
  const FixedPointTargets targets(std::vector<double>{1e9, 1e9 + 2, 1e9 + 4}, 1);
  const FixedPointWeights weights{{1, 1, 1}, 1};
  const MeanLeaf model(targets, weights);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 1, 1};
  std::vector<float> payload(2);
  model.fit({rows, draws.data()}, {}, payload);
  EXPECT_FLOAT_EQ(payload[1], 8.0f / 3);
}

}  // namespace
}  // namespace coppice
