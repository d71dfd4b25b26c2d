// Draws without replacement: everything once, and as often as its weight says.
#include "split/feature_urn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace coppice {
namespace {

std::vector<std::uint32_t> draw_all(FeatureUrn& urn, RandomStream random) {
  urn.put_back();
  std::vector<std::uint32_t> drawn(urn.left());
  urn.draw(random, drawn);
  return drawn;
}

// In parts, too, and with the same stream.
TEST(FeatureUrn, DrawsTheSameSeveralAtATime) {
  const std::vector<std::uint32_t> weights{3, 1, 4, 1, 5, 9};
  for (FeatureUrn urn : {FeatureUrn({0, 1, 2, 3, 4, 5}), FeatureUrn({0, 1, 2, 3, 4, 5}, weights)}) {
    const std::vector<std::uint32_t> all = draw_all(urn, RandomStream(3));
    urn.put_back();
    RandomStream random(3);
    std::vector<std::uint32_t> parts(all.size());
    urn.draw(random, std::span(parts).first(1));
    urn.draw(random, std::span(parts).subspan(1, 3));
    EXPECT_EQ(urn.left(), 2u);
    urn.draw(random, std::span(parts).subspan(4));
    EXPECT_EQ(parts, all);
  }
}

TEST(FeatureUrn, EveryFeatureIsDrawnOnce) {
  const std::vector<std::uint32_t> features{2, 5, 7, 11, 13}, weights(14, 3);
  for (FeatureUrn urn : {FeatureUrn(features), FeatureUrn(features, weights)})
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::vector<std::uint32_t> drawn = draw_all(urn, RandomStream(seed));
      std::sort(drawn.begin(), drawn.end());
      EXPECT_EQ(drawn, features);
    }
}

TEST(FeatureUrn, ForgetsWhatWasPutBack) {
  const std::vector<std::uint32_t> weights{1, 2, 3, 4};
  for (FeatureUrn urn : {FeatureUrn({0, 1, 2, 3}), FeatureUrn({0, 1, 2, 3}, weights)}) {
    const std::vector<std::uint32_t> first = draw_all(urn, RandomStream(1));
    draw_all(urn, RandomStream(2));
    EXPECT_EQ(draw_all(urn, RandomStream(1)), first);
  }
}

TEST(FeatureUrn, FirstDrawsFollowTheWeights) {
  const std::vector<std::uint32_t> weights{6, 0, 3, 1};
  FeatureUrn urn({0, 1, 2, 3}, weights);
  EXPECT_EQ(urn.features(), (std::vector<std::uint32_t>{0, 2, 3}));
  std::array<int, 4> first{}, second_after_0{};
  constexpr int kDraws = 40'000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::vector<std::uint32_t> drawn = draw_all(urn, RandomStream(7).child(i));
    ++first[drawn[0]];
    if (drawn[0] == 0) ++second_after_0[drawn[1]];
  }
  EXPECT_EQ(first[1], 0);
  EXPECT_NEAR(first[0] / double{kDraws}, 0.6, 0.01);
  EXPECT_NEAR(first[2] / double{kDraws}, 0.3, 0.01);
  EXPECT_NEAR(second_after_0[2] / double(first[0]), 0.75, 0.015);
}

TEST(UrnWeights, KeepRatiosAndNeverVanish) {
  const std::vector<std::uint32_t> units = urn_weights(std::vector<double>{3, 1, 0, 1e-12});
  EXPECT_NEAR(static_cast<double>(units[0]) / units[1], 3, 1e-6);
  EXPECT_EQ(units[2], 0u);
  EXPECT_EQ(units[3], 1u);
}

}  // namespace
}  // namespace coppice
