// Proposals several at a time are those that a learner makes one by one.
#include "split/proposals.h"

#include <gtest/gtest.h>

#include <vector>

#include "split/axis_aligned.h"
#include "split/mixed_learner.h"

namespace coppice {
namespace {

constexpr std::uint32_t kFeatures = 20;

std::vector<std::uint32_t> one_by_one(WeakLearner& learner, std::size_t count) {
  learner.begin({}, RandomStream(5));
  std::vector<std::uint32_t> features;
  Projection proposal;
  while (features.size() < count && learner.propose(proposal)) features.push_back(proposal.feature);
  return features;
}

// So many that are announced; then one at a time.
std::vector<std::uint32_t> dealt(WeakLearner& learner, std::size_t announced, std::size_t count) {
  learner.begin({}, RandomStream(5));
  std::vector<std::uint32_t> features;
  Projection proposal;
  Proposals proposals;
  proposals.clear();
  while (features.size() < count &&
         proposals.next(learner, features.size() < announced ? announced - features.size() : 1,
                        proposal))
    features.push_back(proposal.feature);
  return features;
}

TEST(Proposals, AreThoseOfTheLearner) {
  for (const std::size_t announced : {1, 7, 8, 9, 19, 20}) {
    AxisAligned learner(kFeatures, announced);
    const std::vector<std::uint32_t> all = one_by_one(learner, 100);
    ASSERT_EQ(all.size(), kFeatures);
    EXPECT_EQ(dealt(learner, announced, 100), all) << announced;
    EXPECT_EQ(dealt(learner, announced, announced), one_by_one(learner, announced)) << announced;
  }
}

TEST(Proposals, OfLearnersThatProposeOneAtATime) {
  std::vector<MixedLearner::Part> parts;
  parts.push_back({std::make_unique<AxisAligned>(kFeatures, 5), 1});
  parts.push_back({std::make_unique<AxisAligned>(kFeatures, 5), 2});
  MixedLearner learner(std::move(parts), 5);
  EXPECT_EQ(dealt(learner, 5, 5), one_by_one(learner, 5));
}

}  // namespace
}  // namespace coppice
