// The weights of stage-wise classification against values worked out by hand.
#include "tasks/margin_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/random_stream.h"
#include "base/test_wide_loops.h"

namespace coppice {
namespace {

constexpr std::array kMargins{-1.0, -0.5, 0.0, 0.2, 1.0 / 3, 0.5, 0.8, 1.0};

// |l'| of three times the margin, from the closed forms, to the digits given.
TEST(MarginLoss, WeightsAreTheKnownOnes) {
  struct Known {
    MarginLoss loss;
    std::array<double, 8> weights;
    double within;
  };
  const std::vector<Known> table{
      {MarginLoss::logit, {.953, .818, .5, .354, .269, .182, .083, .047}, 6e-4},
      {MarginLoss::hinge, {1, 1, 1, 1, 0, 0, 0, 0}, 0},
      {MarginLoss::exponential, {20.1, 4.48, 1, .549, .368, .223, .091, .050}, 2e-2},
      {MarginLoss::savage, {.010, .172, .5, .165, .050, .009, .0003, 0}, 6e-4},
      {MarginLoss::tangent, {.660, 1.764, 2.547, .584, 0, .197, .187, .150}, 6e-4}};
  for (const Known& known : table)
    for (std::size_t i = 0; i < kMargins.size(); ++i)
      EXPECT_NEAR(margin_loss(known.loss, 3 * kMargins[i]).weight, known.weights[i], known.within)
          << static_cast<int>(known.loss) << " at " << kMargins[i];
}

TEST(MarginLoss, WeightsAreTheSlopesOfTheLosses) {
  constexpr double kStep = 1e-6;
  for (const MarginLoss loss : {MarginLoss::logit, MarginLoss::hinge, MarginLoss::exponential,
                                MarginLoss::savage, MarginLoss::tangent})
    for (double m = -3.05; m < 3.1; m += 0.1) {
      const double slope =
          (margin_loss(loss, m + kStep).value - margin_loss(loss, m - kStep).value) / 2 / kStep;
      EXPECT_NEAR(margin_loss(loss, m).weight, std::abs(slope), 1e-5)
          << static_cast<int>(loss) << m;
    }
}

TEST(MarginLoss, MarginIsAgainstTheBestOfTheOthers) {
  const std::vector<double> three{0.2, 0.5, 0.3}, one{1.0};
  EXPECT_DOUBLE_EQ(margin_of(std::span<const double>(three), 0), 0.2 - 0.5);
  EXPECT_DOUBLE_EQ(margin_of(std::span<const double>(three), 1), 0.5 - 0.3);
  EXPECT_DOUBLE_EQ(margin_of(std::span<const double>(one), 0), 1.0);
  RandomStream random(1);
  for (std::size_t classes = 2; classes < 30; ++classes) {
    std::vector<float> scores(classes);
    for (float& score : scores) score = static_cast<float>(random.uniform());
    for (std::uint32_t label = 0; label < classes; ++label) {
      std::vector<float> others = scores;
      others.erase(others.begin() + label);
      const double other = *std::max_element(others.begin(), others.end());
      EXPECT_EQ(margin_of(std::span<const float>(scores), label), scores[label] - other);
    }
  }
}

// Four rows of two classes, votes of one tree.
struct Rows {
  std::vector<std::uint32_t> labels{0, 0, 1, 1};
  FixedPointWeights given{{1, 1, 1, 3}, 1};
  WorkingWeights weights{given, 4, WorkingWeights::kFine};
  Votes votes{{0.9f, 0.1f, 0.4f, 0.6f, 0.5f, 0.5f, 0.0f, 1.0f}, {1, 1, 1, 1}};
};

TEST(MarginReweighting, UnitsAreInProportionToTheFormula) {
  Rows rows;
  MarginReweighting loss(rows.labels, {.loss = MarginLoss::logit, .prior = {}}, rows.weights);
  const double mean_loss = loss.retarget(rows.votes, 1);
  const std::array margins{0.8, -0.2, 0.0, 1.0};
  std::array<double, 4> expected{};
  double losses = 0;
  for (std::size_t row = 0; row < 4; ++row) {
    expected[row] = rows.given.units[row] / (1 + std::exp(3 * margins[row]));
    losses += rows.given.units[row] * std::log1p(std::exp(-3 * margins[row])) / 6;
  }
  EXPECT_NEAR(mean_loss, losses, 1e-6);
  for (std::size_t row = 0; row < 4; ++row)
    EXPECT_NEAR(rows.weights.units()[row], 4096 * expected[row] / expected[1], 0.6);
}

class ManyRows : public BothLoops {};
INSTANTIATE_TEST_SUITE_P(Loops, ManyRows, testing::Bool(), loops_name);

// Every row has the margin that it would have by itself, with and without a prior of nothing.
TEST_P(ManyRows, HaveMarginsOneByOne) {
  constexpr std::size_t kRows = 3000;
  const FixedPointWeights given{std::vector<std::uint32_t>(kRows, 1), 1};
  for (const std::uint32_t classes : {2u, 7u, 8u, 26u}) {
    RandomStream random(classes);
    std::vector<std::uint32_t> labels;
    Votes votes;
    double mean = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      labels.push_back(random.below(classes));
      for (std::uint32_t c = 0; c < classes; ++c)
        votes.sums.push_back(static_cast<float>(random.uniform()));
      const auto scores = std::span<const float>(votes.sums).last(classes);
      mean += margin_loss(MarginLoss::hinge, 3 * margin_of(scores, labels.back())).value / kRows;
    }
    for (const std::size_t prior : {0u, classes}) {
      WorkingWeights weights(given, kRows, WorkingWeights::kFine);
      MarginReweighting loss(
          labels, {.loss = MarginLoss::hinge, .prior = std::vector<double>(prior)}, weights);
      EXPECT_NEAR(loss.retarget(votes, 2), mean, 1e-9) << classes;
    }
  }
}

TEST(MarginReweighting, ShrinkageKeepsSomeOfTheOldWeights) {
  Rows rows;
  MarginReweighting loss(
      rows.labels, {.loss = MarginLoss::exponential, .shrinkage = 0.25, .prior = {}}, rows.weights);
  loss.retarget(rows.votes, 1);
  const std::array margins{0.8, -0.2, 0.0, 1.0};
  double mean = 0;
  for (std::size_t row = 0; row < 4; ++row)
    mean += rows.given.units[row] * std::exp(-3 * margins[row]) / 6;
  std::array<double, 4> expected{};
  for (std::size_t row = 0; row < 4; ++row)
    expected[row] = rows.given.units[row] * (0.25 * std::exp(-3 * margins[row]) / mean + 0.75);
  const double heaviest = expected[3];
  for (std::size_t row = 0; row < 4; ++row)
    EXPECT_NEAR(rows.weights.units()[row], 4096 * expected[row] / heaviest, 0.6);
}

TEST(MarginReweighting, IsTheSameForAnyNumberOfWorkers) {
  constexpr std::size_t kRows = 9000, kClasses = 3;
  RandomStream random(5);
  std::vector<std::uint32_t> labels;
  Votes votes;
  for (std::size_t row = 0; row < kRows; ++row) {
    labels.push_back(random.below(kClasses));
    for (std::size_t c = 0; c < kClasses; ++c)
      votes.sums.push_back(static_cast<float>(random.uniform()));
  }
  const FixedPointWeights given{std::vector<std::uint32_t>(kRows, 1), 1};
  const auto units = [&](std::size_t workers, double& mean) {
    WorkingWeights weights(given, kRows, WorkingWeights::kFine);
    MarginReweighting loss(labels, {.prior = {}}, weights);
    mean = loss.retarget(votes, workers);
    return std::vector(weights.units().begin(), weights.units().end());
  };
  double alone = 0, together = 0;
  EXPECT_EQ(units(1, alone), units(3, together));
  EXPECT_EQ(alone, together);
}

// The hinge is done with every row: nothing is left to normalise.
TEST(MarginReweighting, WhereNoRowIsLeftAllCountAsTheyAreGiven) {
  Rows rows;
  MarginReweighting loss(rows.labels, {.loss = MarginLoss::hinge, .prior = {}}, rows.weights);
  rows.votes.sums = {1, 0, 1, 0, 0, 1, 0, 1};
  EXPECT_EQ(loss.retarget(rows.votes, 1), 0);
  EXPECT_EQ(std::vector(rows.weights.units().begin(), rows.weights.units().end()),
            (std::vector<std::uint32_t>{1365, 1365, 1365, 4096}));
}

TEST(WorkingWeights, NoRowThatMayBeDrawnIsWithoutWeightAndNoBagTooHeavy) {
  const FixedPointWeights given{{1, 0, 5}, 1};
  WorkingWeights weights(given, std::size_t{1} << 28, WorkingWeights::kFine);
  weights.set(std::vector{0.0, 1.0, 1.0});
  EXPECT_EQ(weights.units()[0], 1u);
  EXPECT_EQ(weights.units()[1], 0u);
  EXPECT_LE(std::uint64_t{weights.units()[2]} << 28, kMaxTotalWeight);
}

// c = (right + mean) / (votes + 1): row 0 was never out of a bag.
TEST(OutOfBagReweighting, RowsThatTreesGetWrongWeighMore) {
  Rows rows;
  rows.given.units = {1, 1, 1, 1};
  rows.votes = {{0, 0, 1, 1, 0, 3, 0, 0}, {0, 2, 3, 1}};
  OutOfBagReweighting loss(rows.labels, rows.weights);
  const double mean = 4.0 / 6;
  EXPECT_NEAR(loss.retarget(rows.votes, 1), 1 - mean, 1e-12);
  const std::array right{0.0, 1.0, 3.0, 0.0}, trees{0.0, 2.0, 3.0, 1.0};
  const double heaviest = 1 - mean / 2;
  for (std::size_t row = 0; row < 4; ++row)
    EXPECT_NEAR(rows.weights.units()[row],
                4096 * (1 - (right[row] + mean) / (trees[row] + 1)) / heaviest, 0.6);
}

TEST(OutOfBagReweighting, WhereAllIsRightAllCountAlike) {
  Rows rows;
  rows.given.units = {1, 1, 1, 1};
  rows.votes = {{2, 0, 2, 0, 0, 2, 0, 2}, {2, 2, 2, 2}};
  OutOfBagReweighting loss(rows.labels, rows.weights);
  EXPECT_EQ(loss.retarget(rows.votes, 1), 0);
  for (const std::uint32_t units : rows.weights.units()) EXPECT_EQ(units, rows.weights.units()[0]);
}

}  // namespace
}  // namespace coppice
