// What the user chose against what the inner loops get.
#include "tasks/task.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(FeaturesPerNode, FollowsTheChoice) {
  const TaskChoice classes = Classification{}, numbers = Regression{};
  EXPECT_EQ(features_per_node(DefaultFeatures{}, classes, 17), 4u);
  EXPECT_EQ(features_per_node(DefaultFeatures{}, numbers, 17), 5u);
  EXPECT_EQ(features_per_node(SqrtFeatures{}, numbers, 16), 4u);
  EXPECT_EQ(features_per_node(Log2Features{}, classes, 16), 4u);
  EXPECT_EQ(features_per_node(Log2Features{}, classes, 31), 4u);
  EXPECT_EQ(features_per_node(AllFeatures{}, classes, 17), 17u);
  EXPECT_EQ(features_per_node(FeatureFraction{0.5}, classes, 17), 8u);
  EXPECT_EQ(features_per_node(FeatureCount{3}, classes, 17), 3u);
}

TEST(FeaturesPerNode, IsAtLeastOneAndAtMostAll) {
  for (const FeatureChoice& choice :
       {FeatureChoice(DefaultFeatures{}), FeatureChoice(Log2Features{}),
        FeatureChoice(FeatureFraction{0.01}), FeatureChoice(FeatureCount{9})})
    EXPECT_EQ(features_per_node(choice, Regression{}, 1), 1u);
}

class RowWeights : public testing::Test {
 protected:
  RowWeights() {
    data_.rows = 6;
    data_.schema.classes = {"a", "b", "c", "never"};
    data_.labels = {0, 0, 0, 1, 1, 2};
  }
  std::vector<double> weights(const Classification& task) const {
    return row_weights(task, data_.view());
  }
  Dataset data_;
};

TEST_F(RowWeights, AreOneByDefault) {
  EXPECT_EQ(weights({}), std::vector<double>(6, 1));
  EXPECT_EQ(row_weights(Regression{}, data_.view()), std::vector<double>(6, 1));
}

TEST_F(RowWeights, BalancedClassesWeighTheSameInTotal) {
  EXPECT_EQ(weights({{}, BalancedClassWeights{}}),
            (std::vector<double>{6 / (3.0 * 3), 6 / (3.0 * 3), 6 / (3.0 * 3), 1, 1, 2}));
}

TEST_F(RowWeights, GivenClassWeightsMultiplySampleWeights) {
  data_.weights = {1, 2, 0, 1, 0.5f, 4};
  EXPECT_EQ(weights({{}, GivenClassWeights{{{"b", 3.0}, {"c", 0.0}}}}),
            (std::vector<double>{1, 2, 0, 3, 1.5, 0}));
}

}  // namespace
}  // namespace coppice
