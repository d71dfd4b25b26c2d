// What every weak learner owes to the search; see split/weak_learner.h.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/property/cases.h"

namespace coppice {
namespace {

using test::LearnerCase;

class LearnerProperty : public testing::TestWithParam<LearnerCase> {
 protected:
  // The features proposed for node `number`, as far as the learner wants to be asked.
  static std::vector<std::uint32_t> proposals(WeakLearner& learner, std::uint64_t number) {
    learner.begin({}, RandomStream(number));
    std::vector<std::uint32_t> features;
    for (std::size_t i = 0; i < learner.candidates(); ++i)
      if (Projection projection; learner.propose(projection))
        features.push_back(projection.feature);
    return features;
  }
};

TEST_P(LearnerProperty, ProposalsOfANodeDiffer) {
  for (std::uint32_t features = 1; features <= 12; ++features)
    for (std::size_t candidates = 1; candidates <= features; ++candidates) {
      const auto learner = GetParam().make(features, candidates);
      for (std::uint64_t node = 0; node < 50; ++node) {
        const auto proposed = proposals(*learner, node);
        EXPECT_EQ(proposed.size(), candidates);
        const std::set<std::uint32_t> distinct(proposed.begin(), proposed.end());
        EXPECT_EQ(distinct.size(), candidates);
        EXPECT_LT(*distinct.rbegin(), features);
      }
    }
}

TEST_P(LearnerProperty, EndsWhenNothingIsLeft) {
  const auto learner = GetParam().make(3, 3);
  learner->begin({}, RandomStream(1));
  Projection projection;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(learner->propose(projection));
  EXPECT_FALSE(learner->propose(projection));
}

TEST_P(LearnerProperty, NamesTheFeaturesItProposes) {
  const auto learner = GetParam().make(12, 5);
  std::set<std::uint32_t> proposed;
  for (std::uint64_t node = 0; node < 200; ++node)
    for (const std::uint32_t feature : proposals(*learner, node)) proposed.insert(feature);
  const std::vector<std::uint32_t> named = learner->features();
  EXPECT_EQ(std::set<std::uint32_t>(named.begin(), named.end()), proposed);
  EXPECT_EQ(named.size(), proposed.size());
}

// Depends on the node's stream only, not on nodes seen before.
TEST_P(LearnerProperty, ForgetsThePreviousNode) {
  const auto used = GetParam().make(10, 4);
  for (std::uint64_t node = 0; node < 1000; ++node) {
    const auto fresh = GetParam().make(10, 4);
    EXPECT_EQ(proposals(*used, node), proposals(*fresh, node));
  }
}

// Chi-square of the counts of every feature at every place; limits at five standard deviations.
TEST_P(LearnerProperty, AllFeaturesAreEquallyLikely) {
  constexpr std::uint32_t kFeatures = 7;
  constexpr std::size_t kCandidates = 3;
  constexpr std::uint64_t kNodes = 70'000;
  const auto learner = GetParam().make(kFeatures, kCandidates);
  std::vector<std::vector<double>> counts(kCandidates, std::vector<double>(kFeatures));
  for (std::uint64_t node = 0; node < kNodes; ++node) {
    const auto proposed = proposals(*learner, node);
    for (std::size_t place = 0; place < kCandidates; ++place) ++counts[place][proposed[place]];
  }
  const double expected = static_cast<double>(kNodes) / kFeatures, freedom = kFeatures - 1;
  for (const std::vector<double>& of_place : counts) {
    double chi_square = 0;
    for (const double count : of_place)
      chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, LearnerProperty, testing::ValuesIn(test::learner_cases()),
                         test::kByName);

}  // namespace
}  // namespace coppice
