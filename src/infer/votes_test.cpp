// Votes of few leaves, added up by hand.
#include "infer/votes.h"

#include <gtest/gtest.h>

#include <vector>

namespace coppice {
namespace {

TEST(Votes, HistogramsAreAveraged) {
  std::vector<double> sums(3), mean(3);
  add_vote(PayloadKind::class_histogram, std::vector<float>{1, 0, 0}, sums);
  add_vote(PayloadKind::class_histogram, std::vector<float>{0.5f, 0.25f, 0.25f}, sums);
  read_out(PayloadKind::class_histogram, sums, 2, mean, {});
  EXPECT_EQ(mean, (std::vector<double>{0.75, 0.125, 0.125}));
}

// Two leaves N(1, 4) and N(5, 0): variance within 2, between 4.
TEST(Votes, VarianceIsThatOfTheMixture) {
  std::vector<double> sums(2), mean(1), variance(1);
  add_vote(PayloadKind::mean_variance, std::vector<float>{1, 4}, sums);
  add_vote(PayloadKind::mean_variance, std::vector<float>{5, 0}, sums);
  read_out(PayloadKind::mean_variance, sums, 2, mean, variance);
  EXPECT_EQ(mean[0], 3);
  EXPECT_EQ(variance[0], 6);
}

TEST(Votes, OutputsAreKeptApart) {
  std::vector<double> sums(4), mean(2), variance(2);
  add_vote(PayloadKind::mean_variance, std::vector<float>{1, 10, 2, 3}, sums);
  read_out(PayloadKind::mean_variance, sums, 1, mean, variance);
  EXPECT_EQ(mean, (std::vector<double>{1, 10}));
  EXPECT_EQ(variance, (std::vector<double>{2, 3}));
}

TEST(Votes, RoundingMakesNoVarianceNegative) {
  std::vector<double> sums(2), mean(1), variance(1);
  for (int i = 0; i < 3; ++i)
    add_vote(PayloadKind::mean_variance, std::vector<float>{16777.21f, 0}, sums);
  read_out(PayloadKind::mean_variance, sums, 3, mean, variance);
  EXPECT_GE(variance[0], 0);
}

TEST(Votes, TiesGoToTheLowerClass) {
  EXPECT_EQ(most_probable(std::vector<double>{0.2, 0.4, 0.4}), 1u);
  EXPECT_EQ(most_probable(std::vector<double>{0.5, 0.5}), 0u);
}

}  // namespace
}  // namespace coppice
