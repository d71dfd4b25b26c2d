// Shares of classes against values computed by hand.
#include "leaf/class_histogram.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(ClassHistogramLeaf, SharesFollowWeightsAndDraws) {
  const std::vector<std::uint32_t> labels{0, 1, 1, 2};
  const FixedPointWeights weights{{4, 1, 1, 9}, 0.5};
  const ClassHistogramLeaf model(labels, 3, weights);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 2, 2, 1};
  std::vector<float> payload(model.payload_size());
  EXPECT_EQ(model.fit({rows, draws.data()}, {}, payload), 4);  // (4 + 2 + 2) units of 0.5
  EXPECT_EQ(payload, (std::vector<float>{0.5f, 0.5f, 0}));
}

TEST(ClassHistogramLeaf, OneClassHasAllOfIt) {
  const std::vector<std::uint32_t> labels{2, 2, 0};
  const FixedPointWeights weights{{3, 1, 5}, 0.5};
  const ClassHistogramLeaf model(labels, 3, weights);
  const std::vector<SampleId> rows{0, 1};
  const std::vector<std::uint16_t> draws{1, 2, 1};
  std::vector<float> payload(3, 9);
  EXPECT_EQ(model.fit({rows, draws.data()}, {}, payload), 2.5f);  // (3 + 2) units of 0.5
  EXPECT_EQ(payload, (std::vector<float>{0, 0, 1}));
}

// Whatever it says must be what fit() says.
TEST(ClassHistogramLeaf, PureLeavesAreInStock) {
  const std::vector<std::uint32_t> labels{2, 2, 0, 2};
  const FixedPointWeights weights{{3, 1, 5, 0}, 0.5};
  const ClassHistogramLeaf model(labels, 3, weights);
  EXPECT_EQ(model.stock_size(), 3u);
  const std::vector<std::uint16_t> draws{1, 2, 1, 1};
  const std::vector<SampleId> pure{0, 1}, mixed{0, 2}, weightless{1, 3};
  const auto stocked = model.stocked({pure, draws.data()});
  ASSERT_TRUE(stocked);
  std::vector<float> payload(3);
  EXPECT_EQ(stocked->support, model.fit({pure, draws.data()}, {}, payload));
  EXPECT_EQ(payload[stocked->payload], 1);
  EXPECT_FALSE(model.stocked({mixed, draws.data()}));
  EXPECT_FALSE(model.stocked({weightless, draws.data()}));
  EXPECT_EQ(ClassHistogramLeaf(labels, 3, weights, 1).stock_size(), 0u);
}

TEST(ClassHistogramLeaf, ThePriorAddsSamplesToEveryClass) {
  const std::vector<std::uint32_t> labels{0, 1, 1};
  const FixedPointWeights weights{{2, 2, 2}, 0.5};
  const ClassHistogramLeaf model(labels, 3, weights, 1);
  const std::vector<SampleId> rows{0, 1, 2};
  const std::vector<std::uint16_t> draws{1, 1, 1};
  std::vector<float> payload(3);
  model.fit({rows, draws.data()}, {}, payload);
  EXPECT_EQ(payload, (std::vector<float>{2 / 6.0f, 3 / 6.0f, 1 / 6.0f}));
}

TEST(ClassHistogramLeaf, IgnoresWhatItInherits) {
  const std::vector<std::uint32_t> labels{1};
  const FixedPointWeights weights{{1}, 1};
  const ClassHistogramLeaf model(labels, 2, weights);
  const std::vector<SampleId> rows{0};
  const std::vector<std::uint16_t> draws{1};
  const std::vector<float> inherited{0.3f, 0.7f};
  std::vector<float> payload(2);
  model.fit({rows, draws.data()}, inherited, payload);
  EXPECT_EQ(payload, (std::vector<float>{0, 1}));
}

}  // namespace
}  // namespace coppice
