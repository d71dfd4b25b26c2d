// Sentences about splits.
#include "model/describe.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/test_forests.h"

namespace coppice {
namespace {

std::string sentence(std::uint32_t code, std::uint32_t threshold,
                     const std::vector<std::uint32_t>& words = {}) {
  TreeArrays tree;
  tree.right = {1};
  tree.threshold = {threshold};
  tree.code = {code | SplitCode::kRightIsLeaf};
  tree.category_words = words;
  tree.support = {1, 1};
  tree.payload = {1, 0, 0, 0, 1, 0};
  ForestBuilder builder(3);
  builder.append(tree);
  const Forest forest(builder.finish(), test::small_info(PayloadKind::class_histogram));
  return split_sentence(forest, 0, 0);
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Describe, NumericSplits) {
  EXPECT_EQ(sentence(0, bits(0.8f)), "width < 0.8");
  EXPECT_EQ(sentence(SplitCode::kMissingLeft, bits(0.1f + 0.2f)), "width < 0.3 or missing");
  EXPECT_EQ(sentence(0, bits(0.33333334f)), "width < 0.33333334");
  EXPECT_EQ(sentence(0, bits(std::numeric_limits<float>::infinity())), "width < inf");
}

TEST(Describe, CategorySplits) {
  const std::uint32_t sex = 1u | 1u << SplitCode::kKindShift;
  const std::uint32_t county = 3u | 1u << SplitCode::kKindShift;
  EXPECT_EQ(sentence(sex, 0, {3}), "sex in {F, M}");
  EXPECT_EQ(sentence(sex | SplitCode::kMissingLeft, 0, {2}), "sex in {M} or missing");
  EXPECT_EQ(sentence(sex, 0, {0}), "sex in {}");
  EXPECT_EQ(sentence(county, 1, {9, 1u << 31, 1}), "county in {c31, c32}");
}

}  // namespace
}  // namespace coppice
