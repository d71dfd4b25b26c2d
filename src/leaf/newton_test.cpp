// Newton's step of a leaf, worked out by hand.
#include "leaf/newton.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace coppice {
namespace {

TEST(NewtonLeaf, StepsAreSlopeOverCurvature) {
  const std::vector<std::uint32_t> labels{0, 2, 0};
  const std::vector<float> p{0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f, 0, 0, 1};
  const FixedPointWeights weights{{2, 4, 1}, 0.5};
  const std::array<std::uint16_t, 3> draws{3, 1, 0};
  const std::array<SampleId, 2> rows{0, 1};
  const NewtonLeaf model(labels, p, weights, {.rate = 0.3, .ridge = 1, .first = {1, 2, 3}});
  std::array<float, 3> payload{};
  const float support = model.fit({rows, draws.data()}, {}, payload);
  EXPECT_FLOAT_EQ(support, 3 + 2);
  // Weights 3 and 2: gradients 3 (1 - 1/2) - 2 / 2, - 5 / 4, - 3 / 4 + 2 (1 - 1/4).
  EXPECT_FLOAT_EQ(payload[0], static_cast<float>(0.2 * 0.5 / (5 * 0.25 + 1)));
  EXPECT_FLOAT_EQ(payload[1], static_cast<float>(0.2 * -1.25 / (5 * 0.1875 + 1)));
  EXPECT_FLOAT_EQ(payload[2], static_cast<float>(0.2 * 0.75 / (5 * 0.1875 + 1)));
  const std::array<float, 3> before = payload;
  model.finish(1, payload);
  EXPECT_EQ(payload, before);
  model.finish(0, payload);
  EXPECT_FLOAT_EQ(payload[1], before[1] + 2);
}

}  // namespace
}  // namespace coppice
