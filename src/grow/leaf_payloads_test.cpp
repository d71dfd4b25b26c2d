// Payloads of leaves that share rows and of those that do not, by a model that has some in stock.
#include "grow/leaf_payloads.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace coppice {
namespace {

// A leaf says which row it begins with, and adds what it inherits; leaves of rows 0 and 1 alone are
// in stock.
class FirstRowLeaf final : public LeafModel {
 public:
  std::size_t payload_size() const override { return 2; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override {
    payload[0] += static_cast<float>(leaf.rows.front());
    payload[1] += inherited.empty() ? 0 : inherited[0];
    return static_cast<float>(leaf.rows.size());
  }
  std::size_t stock_size() const override { return 2; }
  std::optional<Stocked> stocked(const NodeSamples& leaf) const override {
    if (leaf.rows.front() > 1) return std::nullopt;
    return Stocked{leaf.rows.front(), static_cast<float>(leaf.rows.size())};
  }
};

class LeafPayloadsTest : public testing::Test {
 protected:
  LeafPayloadsTest() { payloads.begin(model); }
  std::int32_t fit(std::span<const SampleId> rows, std::int32_t inherited = LeafPayloads::kNone) {
    return payloads.fit(model, {rows, nullptr}, inherited);
  }
  void expect(std::int32_t number, float first, float second, float support) {
    EXPECT_EQ(payloads[number][0], first);
    EXPECT_EQ(payloads[number][1], second);
    EXPECT_EQ(payloads.support(number), support);
  }

  FirstRowLeaf model;
  LeafPayloads payloads;
  static constexpr std::array<SampleId, 2> kOnes{1, 1}, kSevens{7, 7};
  static constexpr std::array<SampleId, 1> kOne{1}, kNought{0}, kEight{8};
};

TEST_F(LeafPayloadsTest, StockedLeavesShareARowButNotTheirSupport) {
  const auto pair = fit(kOnes), nought = fit(kNought), single = fit(kOne);
  EXPECT_EQ(payloads.row(pair), payloads.row(single));
  EXPECT_NE(payloads.row(pair), payloads.row(nought));
  EXPECT_EQ(payloads.rows(), 2u);
  expect(pair, 1, 0, 2), expect(single, 1, 0, 1), expect(nought, 0, 0, 1);
}

TEST_F(LeafPayloadsTest, OthersHaveRowsOfTheirOwnThatAreUsedAgainOnceFree) {
  const auto seven = fit(kSevens), eight = fit(kEight, seven);
  EXPECT_NE(payloads.row(seven), payloads.row(eight));
  expect(eight, 8, 7, 1);
  payloads.free(seven);
  const auto again = fit(kEight, eight);
  EXPECT_EQ(payloads.row(again), payloads.row(seven));
  expect(again, 8, 8, 1);
  EXPECT_EQ(payloads.rows(), 2u);
}

TEST_F(LeafPayloadsTest, ASharedRowIsNeverFree) {
  const auto one = fit(kOne);
  payloads.free(one);
  const auto seven = fit(kSevens);
  EXPECT_NE(payloads.row(seven), payloads.row(one));
  expect(fit(kOnes), 1, 0, 2);
}

}  // namespace
}  // namespace coppice
