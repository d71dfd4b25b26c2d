// What Criminisi, Shotton and Konukoglu (2012, chapter 3) say of the posterior of classification
// forests, as numbers on generated rows. A depth D of the paper is max_depth = D - 1; its rho is
// the number of candidates of a node.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "coppice/toy_data.h"

namespace coppice {
namespace {

// --- Data and forests ----------------------------------------------------------------------------

// Two classes in the plane, told apart by the first feature alone: class 0 left of the gap and
// crowded at its edge, class 1 right of it and thin there (figure 3.9).
constexpr double kGapFrom = 0.4, kGapTo = 0.6;
constexpr double kGap = kGapTo - kGapFrom, kMiddle = (kGapFrom + kGapTo) / 2;

Dataset two_classes_with_gap() {
  constexpr std::size_t kRows = 60;
  RandomStream random(7);
  Dataset data;
  data.schema = {{{"x1"}, {"x2"}}, {"class"}, {"left", "right"}};
  data.rows = kRows;
  data.columns.assign(2, std::vector<float>(kRows));
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool right = row % 2 == 1;
    const double u = row < 2 ? 0 : random.uniform();  // the first row of each class touches the gap
    const double x = right ? kGapTo + 0.4 * std::sqrt(u) : kGapFrom - 0.4 * u * u;
    data.labels.push_back(right);
    data.columns[0][row] = static_cast<float>(x);
    data.columns[1][row] = static_cast<float>(random.uniform());
  }
  return data;
}

// Randomised node optimisation (2.3.6): all rows in every tree, rho random thresholds.
FitOptions randomised(std::uint32_t trees, std::uint32_t depth, std::uint32_t rho) {
  FitOptions options;
  options.task = Classification{EntropyObjective{}, {}, {}};
  options.forest.trees = trees;
  options.sampling.bagging = Bagging::none;
  options.split.thresholds = RandomThresholds{rho};
  options.split.max_features = AllFeatures{};
  options.growth.max_depth = depth - 1;
  options.report.out_of_bag = false;
  return options;
}

// Only vertical lines, as 3.4 assumes: the second feature is left out.
Dataset along_the_first_feature(Dataset data) {
  data.schema.features.resize(1);
  data.columns.resize(1);
  return data;
}

Predictions posterior_at(const Forest& forest, const std::vector<float>& rows) {
  return Predictor(forest).predict_rows(rows);
}

double entropy_in_bits(std::span<const double> p) {
  double bits = 0;
  for (const double share : p) bits -= share > 0 ? share * std::log2(share) : 0;
  return bits;
}

// Of the row, given what the forest says of it.
double entropy_of(const Predictions& said, std::size_t row) {
  return entropy_in_bits(std::span(said.mean).subspan(row * said.outputs, said.outputs));
}

double mean_entropy(const Predictions& said) {
  double sum = 0;
  for (std::size_t row = 0; row < said.rows; ++row) sum += entropy_of(said, row);
  return sum / static_cast<double>(said.rows);
}

// Where p(right | x) crosses one half, the optimal separation of 3.4, for forests of one feature.
double equal_posterior(const Forest& forest) {
  double low = 0, high = 1;
  for (int halving = 0; halving < 40; ++halving) {
    const double x = (low + high) / 2;
    (posterior_at(forest, {static_cast<float>(x)}).mean[1] < 0.5 ? low : high) = x;
  }
  return low;
}

// --- 3.4: maximum margin -------------------------------------------------------------------------

// Of a forest of T trees it is the median of T uniform thresholds: a standard deviation of
// gap / (2 sqrt(T)), which T = 4000 makes 0.8 % of the gap.
TEST(MaximumMargin, IsReachedByManyTreesWithManyCandidates) {
  const Dataset data = along_the_first_feature(two_classes_with_gap());
  for (const std::uint64_t seed : {1, 2, 3}) {
    FitOptions options = randomised(4000, 2, 500);
    options.forest.seed = seed;
    EXPECT_NEAR(equal_posterior(fit(data.view(), options).forest), kMiddle, 0.02 * kGap);
  }
}

TEST(MaximumMargin, IsMissedWithTwoCandidates) {
  const Dataset data = along_the_first_feature(two_classes_with_gap());
  const Forest forest = fit(data.view(), randomised(4000, 2, 2)).forest;
  EXPECT_GT(std::abs(equal_posterior(forest) - kMiddle), 0.1 * kGap);
}

TEST(MaximumMargin, IsMissedByBagging) {
  const Dataset data = along_the_first_feature(two_classes_with_gap());
  FitOptions options = randomised(4000, 2, 500);
  options.sampling.bagging = Bagging::with_replacement;
  options.sampling.max_samples = 0.25;
  const Forest forest = fit(data.view(), options).forest;
  // Class 1 is thin at the gap, so that a bag often lacks the rows at its edge.
  EXPECT_GT(equal_posterior(forest), kMiddle + 0.1 * kGap);
}

// Equation 3.2: p(right | x) = (x - gap's left end) / gap. The deviation is that of an empirical
// distribution of T = 4000 thresholds: above 1.95 / sqrt(T) = 0.031 once in a thousand forests.
TEST(Posterior, IsALinearRampInTheGap) {
  const Dataset data = along_the_first_feature(two_classes_with_gap());
  const Forest forest = fit(data.view(), randomised(4000, 2, 500)).forest;
  for (int percent = 0; percent <= 100; percent += 5) {
    const double x = kGapFrom + kGap * percent / 100.0;
    const double right = posterior_at(forest, {static_cast<float>(x)}).mean[1];
    EXPECT_NEAR(right, percent / 100.0, 0.031) << "at " << percent << " % of the gap";
  }
}

// --- 3.3.1: the size of the forest ---------------------------------------------------------------

TEST(ForestSize, OneTreeIsSureEverywhereAndManyAreNot) {
  const Dataset data = two_classes_with_gap();
  const std::vector<float> in_the_gap{static_cast<float>(kMiddle), 0.5f};
  const Forest one = fit(data.view(), randomised(1, 2, 500)).forest;
  const Forest many = fit(data.view(), randomised(200, 2, 500)).forest;
  EXPECT_EQ(mean_entropy(posterior_at(one, in_the_gap)), 0);
  EXPECT_GT(mean_entropy(posterior_at(many, in_the_gap)), 0.9);
}

// --- 3.3.3: depth; 2.3.5: ensembles --------------------------------------------------------------

constexpr ToyOptions kFourArms{
    .shape = ToyShape::spirals, .rows = 400, .classes = 4, .noise = 0.05};

TEST(Depth, DeeperTreesAreMoreConfident) {
  const Dataset data = generate(kFourArms);
  double before = 2;
  for (const std::uint32_t depth : {2, 4, 6, 10, 15}) {
    const Forest forest = fit(data.view(), randomised(100, depth, 10)).forest;
    const double entropy = mean_entropy(Predictor(forest).predict(data.view()));
    EXPECT_LT(entropy, before - 0.03) << "D = " << depth;
    before = entropy;
  }
}

TEST(Ensemble, TheProductIsSharperThanTheMean) {
  const Dataset data = generate(kFourArms);
  FitOptions options = randomised(50, 6, 10);
  const Forest mean = fit(data.view(), options).forest;
  options.forest.ensemble = Ensemble::product;
  const Forest product = fit(data.view(), options).forest;
  const Predictions by_mean = Predictor(mean).predict(data.view());
  const Predictions by_product = Predictor(product).predict(data.view());
  std::size_t sharper = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    sharper += entropy_of(by_product, row) <= entropy_of(by_mean, row);
  EXPECT_GT(sharper, data.rows * 95 / 100);
  EXPECT_LT(mean_entropy(by_product), 0.5 * mean_entropy(by_mean));
}

// --- 3.3.4: the weak learner ---------------------------------------------------------------------

// Mean entropy on a circle around the rows, which lie within a radius of about 1.3.
double entropy_at_radius(const Forest& forest, double radius) {
  std::vector<float> circle;
  for (int degree = 0; degree < 360; degree += 3) {
    const double angle = degree * std::numbers::pi / 180;
    circle.push_back(static_cast<float>(radius * std::cos(angle)));
    circle.push_back(static_cast<float>(radius * std::sin(angle)));
  }
  return mean_entropy(posterior_at(forest, circle));
}

// Figure 3.6: T = 200, D = 3 on four clouds.
Forest around_four_clouds(WeakLearnerKind kind) {
  const Dataset data =
      generate({.shape = ToyShape::corners, .rows = 120, .classes = 4, .noise = 0.12});
  FitOptions options = randomised(200, 3, 25);
  options.split.learners = {{kind, 1}};
  if (kind != WeakLearnerKind::axis) options.split.candidates = 20;
  return fit(data.view(), options).forest;
}

TEST(WeakLearner, AxisAlignedForestsAreOverconfidentInTheCorners) {
  const Forest axis = around_four_clouds(WeakLearnerKind::axis);
  const Forest conic = around_four_clouds(WeakLearnerKind::conic);
  for (const float far : {5.0f, 50.0f}) {
    const std::vector<float> corners{far, far, -far, far, -far, -far, far, -far};
    EXPECT_LT(mean_entropy(posterior_at(axis, corners)), 0.1);
    EXPECT_GT(mean_entropy(posterior_at(conic, corners)), 0.5);
  }
}

TEST(WeakLearner, EntropyOfConicsRisesWithTheDistance) {
  const Forest conic = around_four_clouds(WeakLearnerKind::conic);
  double before = entropy_at_radius(conic, 1);
  for (const double radius : {2.0, 3.0, 4.0, 6.0}) {
    const double entropy = entropy_at_radius(conic, radius);
    EXPECT_GT(entropy, before) << "radius " << radius;
    before = entropy;
  }
}

}  // namespace
}  // namespace coppice
