// Quantile sketches against sorted samples.
#include "leaf/quantile.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(QuantileLeafModel, PointsAreSamplesAtTheirLevels) {
  const FixedPointTargets targets(std::vector<double>{5, 1, 4, 2, 3, 8, 7, 6}, 1);
  const FixedPointWeights weights{std::vector<std::uint32_t>(8, 1), 1};
  const QuantileLeafModel model(targets, weights, 4);
  const std::vector<SampleId> rows{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<std::uint16_t> draws(8, 1);
  std::vector<float> payload(model.payload_size());
  ASSERT_EQ(payload.size(), 6u);
  model.fit({rows, draws.data()}, {}, payload);
  // Levels 1/8, 3/8, 5/8, 7/8 of 1 ... 8.
  EXPECT_EQ(std::vector<float>(payload.begin() + 2, payload.end()),
            (std::vector<float>{1, 3, 5, 7}));
  EXPECT_NEAR(payload[0], 4.5, 1e-6);
}

TEST(QuantileLeafModel, WeightsAndDrawsCount) {
  const FixedPointTargets targets(std::vector<double>{1, 2, 3}, 1);
  const FixedPointWeights weights{{1, 3, 2}, 1};
  const QuantileLeafModel model(targets, weights, 5);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 1, 3};
  std::vector<float> payload(model.payload_size());
  model.fit({rows, draws.data()}, {}, payload);
  // Shares 0.1, 0.3, 0.6 at levels 0.1, 0.3, 0.5, 0.7, 0.9.
  EXPECT_EQ(std::vector<float>(payload.begin() + 2, payload.end()),
            (std::vector<float>{1, 2, 3, 3, 3}));
}

}  // namespace
}  // namespace coppice
