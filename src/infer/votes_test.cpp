// Votes of few leaves, combined by hand.
#include "infer/votes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/forest_builder.h"

namespace coppice {
namespace {

struct Combined {
  std::vector<double> mean, variance;
};

// A forest of one leaf per tree.
Forest leaves_of(PayloadKind kind, std::size_t outputs, Ensemble ensemble,
                 const std::vector<std::vector<float>>& payloads) {
  ForestInfo info;
  info.payload_kind = kind;
  info.ensemble = ensemble;
  info.schema.features = {{"x", FeatureKind::numeric}};
  auto& names = predicts_classes(kind) ? info.schema.classes : info.schema.targets;
  for (std::size_t k = 0; k < outputs; ++k) names.push_back("n" + std::to_string(k));
  ForestBuilder builder(payloads[0].size());
  for (const auto& payload : payloads) {
    TreeArrays tree;
    tree.payload = payload;
    tree.support = {1};
    builder.append(tree);
  }
  return Forest(builder.finish(), info);
}

Combined combined(const Forest& forest, float x = 0) {
  const VoteRule rule(forest);
  Combined result{std::vector<double>(rule.outputs()), std::vector<double>(rule.outputs())};
  std::vector<double> weights(rule.outputs());
  const VoteSums sums{result.mean.data(), rule.classes() ? nullptr : result.variance.data(),
                      rule.weighs() ? weights.data() : nullptr};
  const ForestArrays& arrays = forest.arrays();
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
    rule.add(
        arrays.payload_of(arrays.first_leaf(tree)), [x](std::uint32_t) { return x; }, sums);
  rule.read_out(arrays.trees(), sums);
  return result;
}

Combined classes(Ensemble ensemble, const std::vector<std::vector<float>>& payloads) {
  return combined(leaves_of(PayloadKind::class_histogram, payloads[0].size(), ensemble, payloads));
}

Combined numbers(Ensemble ensemble, const std::vector<std::vector<float>>& payloads) {
  return combined(
      leaves_of(PayloadKind::mean_variance, payloads[0].size() / 2, ensemble, payloads));
}

double entropy(const std::vector<double>& probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

TEST(Votes, HistogramsAreAveraged) {
  EXPECT_EQ(classes(Ensemble::mean, {{1, 0, 0}, {0.5f, 0.25f, 0.25f}}).mean,
            (std::vector<double>{0.75, 0.125, 0.125}));
}

TEST(Votes, TheProductIsNormalisedAndSharperThanTheMean) {
  const std::vector<std::vector<float>> payloads{{0.5f, 0.25f, 0.25f}, {0.5f, 0.375f, 0.125f}};
  const std::vector<double> product = classes(Ensemble::product, payloads).mean;
  const double all = 0.25 + 0.25 * 0.375 + 0.25 * 0.125;
  EXPECT_NEAR(product[0], 0.25 / all, 1e-7);
  EXPECT_NEAR(product[1], 0.25 * 0.375 / all, 1e-7);
  EXPECT_LT(entropy(product), entropy(classes(Ensemble::mean, payloads).mean));
}

// Impossible says one leaf, likely say all others.
TEST(Votes, OneLeafAloneHasNoVeto) {
  const std::vector<double> product =
      classes(Ensemble::product, {{1, 0}, {0, 1}, {0, 1}, {0, 1}}).mean;
  EXPECT_GT(product[1], 0.99);
  EXPECT_LT(product[1], 1);
}

TEST(Votes, EveryTreeHasOneVote) {
  EXPECT_EQ(classes(Ensemble::vote,
                    {{0.5f, 0.5f, 0}, {0, 0.25f, 0.75f}, {0.375f, 0.25f, 0.375f}, {0, 1, 0}})
                .mean,
            (std::vector<double>{0.5, 0.25, 0.25}));
}

// Scores (1, 0, -2) + (0.5, 2, 0): softmax of (1.5, 2, -2).
TEST(Votes, ScoresAddUpAndSoftmaxMakesThemProbabilities) {
  const Forest forest =
      leaves_of(PayloadKind::class_scores, 3, Ensemble::sum, {{1, 0, -2}, {0.5f, 2, 0}});
  const std::vector<double> found = combined(forest).mean;
  const double all = std::exp(1.5) + std::exp(2) + std::exp(-2);
  EXPECT_NEAR(found[0], std::exp(1.5) / all, 1e-14);
  EXPECT_NEAR(found[1], std::exp(2) / all, 1e-14);
  EXPECT_NEAR(found[2], std::exp(-2) / all, 1e-14);
}

TEST(Votes, LargeScoresDoNotOverflow) {
  const Forest forest =
      leaves_of(PayloadKind::class_scores, 2, Ensemble::sum, {{3e38f, -3e38f}, {3e38f, 0}});
  EXPECT_EQ(combined(forest).mean, (std::vector<double>{1, 0}));
}

TEST(Votes, SureHistogramsCountMore) {
  const std::vector<double> mean = classes(Ensemble::confidence, {{1, 0}, {0.5f, 0.5f}}).mean;
  EXPECT_NEAR(mean[0], (1 + 0.001 * 0.5) / 1.001, 1e-7);
  EXPECT_NEAR(mean[0] + mean[1], 1, 1e-12);
}

// Two leaves N(1, 4) and N(5, 0): variance within 2, between 4.
TEST(Votes, VarianceIsThatOfTheMixture) {
  const Combined answer = numbers(Ensemble::mean, {{1, 4}, {5, 0}});
  EXPECT_EQ(answer.mean[0], 3);
  EXPECT_EQ(answer.variance[0], 6);
}

// Corrections add up; what is left over of the targets does not.
TEST(Votes, MeansOfASumAddUp) {
  const Combined answer = numbers(Ensemble::sum, {{1, 4}, {5, 0}, {-0.5f, 2}});
  EXPECT_EQ(answer.mean[0], 5.5);
  EXPECT_EQ(answer.variance[0], 2);
}

// N(1, 4) N(5, 1) is proportional to N(4.2, 0.8).
TEST(Votes, GaussiansAreMultiplied) {
  const Combined answer = numbers(Ensemble::product, {{1, 4}, {5, 1}});
  EXPECT_NEAR(answer.mean[0], 4.2, 1e-12);
  EXPECT_NEAR(answer.variance[0], 0.8, 1e-12);
}

// Weights 1/4 and 1: mean 4.2; variance E[v + m^2] - mean^2 = (5 / 4 + 26) / 1.25 - 17.64.
TEST(Votes, PreciseLeavesCountMore) {
  const Combined answer = numbers(Ensemble::confidence, {{1, 4}, {5, 1}});
  EXPECT_NEAR(answer.mean[0], 4.2, 1e-12);
  EXPECT_NEAR(answer.variance[0], 27.25 / 1.25 - 17.64, 1e-12);
}

TEST(Votes, OutputsAreKeptApart) {
  const Combined answer = numbers(Ensemble::mean, {{1, 10, 2, 3}});
  EXPECT_EQ(answer.mean, (std::vector<double>{1, 10}));
  EXPECT_EQ(answer.variance, (std::vector<double>{2, 3}));
}

TEST(Votes, RoundingMakesNoVarianceNegative) {
  EXPECT_GE(numbers(Ensemble::mean, {{16777.21f, 0}, {16777.21f, 0}, {16777.21f, 0}}).variance[0],
            0);
}

// t = ((x - 1) * 2)^1 - 0.5, mean 3 + 4 t; then the second term is not there.
TEST(Votes, LinearLeavesLookAtTheRow) {
  const std::vector<float> payload{3, 0.25f, 0, 1, 1, 2, 0.5f, 0, 0, 0, 0, 0, 4, 100};
  const Forest forest = leaves_of(PayloadKind::linear, 1, Ensemble::mean, {payload});
  EXPECT_EQ(combined(forest, 2).mean[0], 3 + 4 * 1.5);
  EXPECT_EQ(combined(forest, 2).variance[0], 0.25);
  EXPECT_EQ(combined(forest, kMissing).mean[0], 3 - 4 * 0.5);
}

// One term t = x, 1 / n = 0.25, A = 0.5: variance 2 (1 + 0.25 + x^2 / 4).
TEST(Votes, PredictiveVarianceGrowsWithLeverage) {
  const std::vector<float> payload{3, 2, 0, 1, 0, 1, 0, 4, 0.25f, 0.5f};
  const Forest forest = leaves_of(PayloadKind::linear_gaussian, 1, Ensemble::mean, {payload});
  for (const float x : {0.0f, 1.0f, -4.0f})
    EXPECT_NEAR(combined(forest, x).variance[0], 2 * (1.25 + x * x / 4), 1e-12);
}

TEST(Votes, TiesGoToTheLowerClass) {
  EXPECT_EQ(most_probable(std::vector<double>{0.2, 0.4, 0.4}), 1u);
  EXPECT_EQ(most_probable(std::vector<double>{0.5, 0.5}), 0u);
}

}  // namespace
}  // namespace coppice
