// Means and covariances against values computed by hand.
#include "leaf/covariance.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(CovarianceLeaf, CovarianceOfTwoTargets) {
  const FixedPointTargets targets(std::vector<double>{1, 10, 3, 20, 8, 60}, 2);
  const FixedPointWeights weights{{1, 1, 1}, 1};
  const CovarianceLeaf model(targets, weights);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 1, 1};
  std::vector<float> payload(model.payload_size());
  ASSERT_EQ(payload.size(), 5u);
  EXPECT_EQ(model.fit({rows, draws.data()}, {}, payload), 3);
  EXPECT_NEAR(payload[0], 4, 1e-6);
  EXPECT_NEAR(payload[1], 30, 1e-5);
  EXPECT_NEAR(payload[2], (9 + 1 + 16) / 2.0, 1e-5);
  EXPECT_NEAR(payload[3], (400 + 100 + 900) / 2.0, 1e-3);
  EXPECT_NEAR(payload[4], (3 * 20 + 1 * 10 + 4 * 30) / 2.0, 1e-4);
}

TEST(CovarianceLeaf, VariancesTooSmallForAFloatLeaveNoCovariance) {
  const FixedPointTargets targets(std::vector<double>{0, 0, 1e-24, 1e-19, 2e-24, 2e-19}, 2);
  const FixedPointWeights weights{{1, 1, 1}, 1};
  const CovarianceLeaf model(targets, weights);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 1, 1};
  std::vector<float> payload(model.payload_size());
  model.fit({rows, draws.data()}, {}, payload);
  EXPECT_EQ(payload[2], 0);
  EXPECT_GT(payload[3], 0);
  EXPECT_EQ(payload[4], 0);
}

TEST(CovarianceLeaf, OneSampleHasNoVariance) {
  const FixedPointTargets targets(std::vector<double>{1, 10, 3, 20}, 2);
  const FixedPointWeights weights{{1, 1}, 1};
  const CovarianceLeaf model(targets, weights);
  const SampleId row = 1;
  const std::vector<std::uint16_t> draws{1, 3};
  std::vector<float> payload(5);
  model.fit({{&row, 1}, draws.data()}, {}, payload);
  EXPECT_EQ(payload, (std::vector<float>{3, 20, 0, 0, 0}));
}

}  // namespace
}  // namespace coppice
