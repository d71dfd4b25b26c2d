// Codes against counting thresholds one by one.
#include "infer/threshold_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "infer/row_keys.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

ForestInfo numbers(std::size_t features) {
  ForestInfo info = test::small_info(PayloadKind::class_histogram);
  info.importances.clear();
  info.schema.features.clear();
  for (std::size_t f = 0; f < features; ++f)
    info.schema.features.push_back({"f" + std::to_string(f), FeatureKind::numeric});
  return info;
}

TEST(ThresholdCodes, CompareLikeTheirThresholds) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::Dice dice(seed);
    const std::size_t features = 1 + dice.below(9);
    ForestBuilder builder(3);
    for (int tree = 0; tree < 5; ++tree)
      builder.append(test::random_tree(dice, numbers(features), dice.below(60), 7));
    const Forest forest(builder.finish(), numbers(features));
    const ForestArrays& arrays = forest.arrays();
    std::vector<std::uint16_t> of_splits;
    const ThresholdCodes codes(forest, of_splits);
    ASSERT_EQ(codes.features(), features);
    ASSERT_EQ(of_splits.size(), arrays.splits());
    for (std::size_t split = 0; split < arrays.splits(); ++split) {
      const auto table = codes.table(arrays.code[split] & SplitCode::kFeatureMask);
      ASSERT_TRUE(std::has_single_bit(table.size() + 1));
      const float threshold = std::bit_cast<float>(arrays.threshold[split]);
      for (const float value : {threshold, threshold + 0.25f, threshold - 0.25f, -1e30f, 1e30f}) {
        const std::uint32_t key = number_key(value);
        const auto code = std::count_if(table.begin(), table.end(),
                                        [&](std::uint32_t other) { return other <= key; });
        EXPECT_EQ(code >= of_splits[split], value >= threshold);
      }
    }
  }
}

TEST(ThresholdCodes, TooManySplitsDoNotFit) {
  const auto most = static_cast<std::uint32_t>(ThresholdCodes::kMostThresholds);
  EXPECT_TRUE(ThresholdCodes::fit(test::chain(most, true).arrays(), 1));
  EXPECT_FALSE(ThresholdCodes::fit(test::chain(most + 1, true).arrays(), 1));
}

}  // namespace
}  // namespace coppice
