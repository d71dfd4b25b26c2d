// The table of targets and features behind the combined variance.
#include "objective/feature_variance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice {
namespace {

Dataset small_table() {
  Dataset data;
  data.schema.features = {{"x"}, {"colour", FeatureKind::categorical, {"red", "blue"}}, {"z"}};
  data.schema.targets = {"y"};
  data.rows = 4;
  data.columns = {{10, 20, kMissing, 14}, {0, 1, 1, 0}, {1, 1, 1, 1}};
  data.targets = {-1, 3, 1, 100};
  return data;
}

TEST(TargetsAndFeatures, AreScaledOverTheRowsThatHaveAWeight) {
  const std::vector<std::uint32_t> weights{1, 2, 1, 0};
  const TargetsAndFeatures all = targets_and_features(small_table().view(), weights, 0.5);
  ASSERT_EQ(all.columns, 3u);  // the category is left out
  const double x = std::sqrt(0.5 / 2);
  const std::vector<double> expected{0, 0, 0, 1, x, 0, 0.5, x / 2, 0, 1, 0.4 * x, 0};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(all.values[i], expected[i], 1e-12) << i;
}

TEST(FeatureVariance, TargetsAloneDecideWhatIsAlike) {
  const FixedPointTargets combined(std::vector<double>{1, 0, 1, 5, 2, 0}, 2);
  const FixedPointTargets truth(std::vector<double>{1, 1, 2}, 1);
  const FeatureVariance objective{{combined}, truth};
  EXPECT_TRUE(objective.alike(objective.item(0, 1), objective.item(1, 1)));
  EXPECT_FALSE(objective.alike(objective.item(0, 1), objective.item(2, 1)));
}

}  // namespace
}  // namespace coppice
