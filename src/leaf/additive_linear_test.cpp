// Linear corrections: added up along a path they are one fit, and robust ones pass outliers over.
#include "leaf/additive_linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

// y = 1 + 2 a - 3 b + noise.
struct Problem {
  Dataset data;
  std::vector<std::uint16_t> draws;
  std::vector<SampleId> rows;

  explicit Problem(std::size_t count, double noise) : draws(count, 1), rows(count) {
    RandomStream random(5);
    std::iota(rows.begin(), rows.end(), 0u);
    data.rows = count;
    data.schema.targets = {"y"};
    for (const char* const name : {"a", "b"})
      data.schema.features.push_back({name, FeatureKind::numeric});
    data.columns.resize(2);
    for (std::size_t row = 0; row < count; ++row) {
      const double a = random.uniform(), b = random.uniform();
      data.columns[0].push_back(static_cast<float>(a));
      data.columns[1].push_back(static_cast<float>(b));
      data.targets.push_back(1 + 2 * a - 3 * b + noise * (random.uniform() - 0.5));
    }
  }
  NodeSamples first(std::size_t count) const {
    return {std::span(rows).first(count), draws.data()};
  }
};

// A leaf model with what it borrows; targets are not scaled.
struct Model {
  const Problem& problem;
  FixedPointWeights weights;
  StandardScale scale{std::vector<double>{0.0, 0.0}, 1};
  FixedPointTargets residuals;
  AdditiveLinearLeaf leaf;

  Model(const Problem& of, const AdditiveRule& rule, double ridge = 0)
      : problem(of),
        weights(fixed_point_weights(std::vector<double>(of.data.rows, 1), of.data.rows)),
        residuals(of.data.targets, 1, weights.most_total),
        leaf(problem.data.view(), residuals, weights, rule, {2, 1, ridge, false}, scale) {}

  std::vector<float> fit(const NodeSamples& samples, std::span<const float> inherited = {}) const {
    std::vector<float> payload(leaf.payload_size());
    leaf.fit(samples, inherited, payload);
    return payload;
  }
  double says(SampleId row, std::span<const float> payload) const {
    std::vector<float> sum(1);
    leaf.add_vote(row, payload, 1, sum);
    return double{sum[0]};
  }
  // What is left when the leaf has spoken.
  void look_again(std::span<const float> payload) {
    std::vector<double> left(problem.data.targets);
    for (SampleId row = 0; row < left.size(); ++row) left[row] -= says(row, payload);
    residuals = FixedPointTargets(left, 1, weights.most_total);
  }
};

TEST(AdditiveLinear, APathOfFitsIsOneFit) {
  const Problem problem(60, 1.0);
  Model stages(problem, {});
  const std::vector<float> root = stages.fit(problem.first(60));
  stages.look_again(root);
  const std::vector<float> child = stages.fit(problem.first(25), root);
  const Model at_once(problem, {});
  const std::vector<float> direct = at_once.fit(problem.first(25));
  for (SampleId row = 0; row < 60; ++row)
    EXPECT_NEAR(stages.says(row, child), at_once.says(row, direct), 1e-4) << "row " << row;
  EXPECT_NEAR(double{child[1]}, double{direct[1]}, 1e-4);  // variance
}

TEST(AdditiveLinear, ARateTakesAShareOfTheCorrection) {
  const Problem problem(40, 0.0);
  const Model half(problem, {.first_rate = 0.5});
  const std::vector<float> payload = half.fit(problem.first(40));
  for (SampleId row = 0; row < 40; ++row)
    EXPECT_NEAR(half.says(row, payload), problem.data.targets[row] / 2, 1e-5);
  EXPECT_NEAR(double{payload[1]}, 0, 1e-8);
}

TEST(AdditiveLinear, RobustCorrectionsPassOutliersOver) {
  Problem problem(80, 0.0);
  const std::vector<double> truth = problem.data.targets;
  for (std::size_t row = 0; row < 80; row += 10) problem.data.targets[row] += 100;
  const auto worst = [&](const AdditiveRule& rule) {
    Model model(problem, rule);
    std::vector<float> payload = model.fit(problem.first(80));
    for (int stage = 0; stage < 30; ++stage) {
      model.look_again(payload);
      payload = model.fit(problem.first(80), payload);
    }
    double most = 0;
    for (SampleId row = 0; row < 80; ++row)
      most = std::max(most, std::abs(model.says(row, payload) - truth[row]));
    return most;
  };
  EXPECT_GT(worst({.correction = Correction::mean}), 5);
  EXPECT_LT(worst({.correction = Correction::median}), 0.05);
  EXPECT_LT(worst({.correction = Correction::huber, .delta = 0.1}), 0.5);
}

TEST(AdditiveLinear, FinishedPayloadsSpeakOfTheData) {
  const Problem problem(50, 0.5);
  Model model(problem, {});
  std::vector<float> payload = model.fit(problem.first(50));
  const double before = model.says(7, payload), variance = double{payload[1]};
  model.scale.centre = {1000};
  model.scale.deviation = {20};
  model.leaf.finish(0, payload);
  EXPECT_NEAR(model.says(7, payload), 1000 + 20 * before, 1e-3);
  EXPECT_NEAR(double{payload[1]}, 400 * variance, 1e-6 * 400);
}

}  // namespace
}  // namespace coppice
