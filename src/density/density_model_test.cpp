// A density integrates to 1, its draws are distributed as it says, and its conditionals are ratios
// of what it says: each against sums over grids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/portable_math.h"
#include "coppice/density.h"
#include "coppice/error.h"
#include "coppice/fit.h"
#include "density/test_points.h"

namespace coppice {
namespace {

FitOptions small_options(WeakLearnerKind learner = WeakLearnerKind::axis,
                         Normalisation normalisation = Normalisation::leaf) {
  FitOptions options = density_options();
  options.forest.trees = 10;
  options.growth.min_samples_leaf = 6;
  options.split.learners = {{learner, 1}};
  std::get<Density>(options.task).normalisation = normalisation;
  return options;
}

double integral_on_grid(const DensityModel& model, double reach, std::size_t steps) {
  const Dataset grid = test::grid_points(reach, steps);
  const double cell = 2 * reach / static_cast<double>(steps);
  double sum = 0;
  for (const double log : model.log_density(grid.view())) sum += std::exp(log);
  return sum * cell * cell;
}

struct LearnerCase {
  const char* name;
  WeakLearnerKind learner;
  Normalisation normalisation;
};
void PrintTo(const LearnerCase& row, std::ostream* out) { *out << row.name; }

class Integral : public testing::TestWithParam<LearnerCase> {};

TEST_P(Integral, IsOne) {
  const Dataset data = test::s_shape(1000, 1);
  const FitResult result =
      fit(data.view(), small_options(GetParam().learner, GetParam().normalisation));
  EXPECT_GT(result.report.leaves, 3 * result.report.trees);
  EXPECT_NEAR(integral_on_grid(DensityModel(result.forest), 5, 1000), 1, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Learners, Integral,
    testing::Values(LearnerCase{"axis", WeakLearnerKind::axis, Normalisation::leaf},
                    LearnerCase{"axis_tree", WeakLearnerKind::axis, Normalisation::tree},
                    LearnerCase{"difference", WeakLearnerKind::difference, Normalisation::leaf},
                    LearnerCase{"oblique", WeakLearnerKind::oblique, Normalisation::leaf},
                    LearnerCase{"oblique_tree", WeakLearnerKind::oblique, Normalisation::tree},
                    LearnerCase{"conic", WeakLearnerKind::conic, Normalisation::leaf},
                    LearnerCase{"pca", WeakLearnerKind::principal, Normalisation::leaf}),
    [](const auto& tested) { return tested.param.name; });

// The mean of p / q over draws from a Gaussian q.
TEST(DensityModel, IntegratesToOneInMoreDimensions) {
  for (const std::size_t features : {3, 6}) {
    const Dataset data = test::two_clouds(3000, features, 2);
    FitOptions options = small_options();
    options.growth.max_depth = 5;
    const FitResult result = fit(data.view(), options);
    const std::size_t points = features > 3 ? 1 << 21 : 1 << 18;
    const test::Proposal proposal(features, points, 1.35);
    const std::vector<double> logs = DensityModel(result.forest).log_density(proposal.data.view());
    double sum = 0;
    for (std::size_t i = 0; i < points; ++i) sum += std::exp(logs[i] - proposal.log_q[i]);
    EXPECT_NEAR(sum / static_cast<double>(points), 1, 1e-3);
  }
}

TEST(DensityModel, DrawsAreDistributedAsTheDensity) {
  const Dataset data = test::s_shape(1000, 3);
  for (const WeakLearnerKind learner : {WeakLearnerKind::axis, WeakLearnerKind::oblique}) {
    const FitResult result = fit(data.view(), small_options(learner));
    const DensityModel model(result.forest);
    const std::size_t count = 400;
    const std::vector<float> drawn = model.sample(count, 7);
    EXPECT_EQ(drawn, model.sample(count, 7, {.threads = 1}));
    const std::vector<float> expected = test::draw_from_grid(model, count, 9);
    EXPECT_GT(test::energy_test(drawn, expected, 99), 0.01);
    // The test has power: the same points squeezed are found out.
    std::vector<float> squeezed = drawn;
    for (float& x : squeezed) x *= 0.7f;
    EXPECT_LT(test::energy_test(squeezed, expected, 99), 0.02);
  }
}

TEST(DensityModel, DrawsStayWithinTheirCells) {
  // A leaf of which the cell holds next to nothing: a Gaussian that is far from it.
  const FitResult result = fit(test::s_shape(500, 3).view(), small_options());
  const DensityModel model(result.forest);
  const std::vector<float> drawn = model.sample(2000, 1);
  Dataset data = test::rows_of(drawn, 2);
  for (const double log : model.log_density(data.view())) EXPECT_GT(log, -30);
}

TEST(DensityModel, ConditionalsAreJointOverMarginal) {
  const FitResult result = fit(test::s_shape(1000, 1).view(), small_options());
  const DensityModel model(result.forest);
  for (const float x : {-0.8f, 0.0f, 0.4f}) {
    const Conditional given = model.condition(std::vector<float>{x, kMissing});
    // By the joint alone, on a line of fixed x.
    std::vector<float> line;
    std::vector<double> at;
    const std::size_t steps = 20000;
    for (std::size_t i = 0; i < steps; ++i) {
      at.push_back(-6 + 12 * (static_cast<double>(i) + 0.5) / steps);
      line.push_back(x);
      line.push_back(static_cast<float>(at.back()));
    }
    const std::vector<double> joint = model.log_density(test::rows_of(line, 2).view());
    double marginal = 0, mean = 0;
    for (std::size_t i = 0; i < steps; ++i) marginal += std::exp(joint[i]) * 12 / steps;
    for (std::size_t i = 0; i < steps; ++i) mean += at[i] * std::exp(joint[i]) * 12 / steps;
    EXPECT_NEAR(given.log_known(), std::log(marginal), 1e-3);
    EXPECT_NEAR(given.moments().mean[0], mean / marginal, 1e-2);
    double sum = 0;
    const std::vector<double> density = given.density(1, at);
    for (std::size_t i = 0; i < steps; ++i) {
      sum += density[i] * 12 / steps;
      if (i % 100 == 0) {
        EXPECT_NEAR(density[i], std::exp(joint[i]) / marginal, 2e-3);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-3);
    const Dataset missing = test::rows_of(std::vector<float>{x, kMissing}, 2);
    EXPECT_NEAR(model.log_density(missing.view())[0], given.log_known(), 1e-9);
  }
}

// Of six features, of which four are integrated out: along the curve, the mass of those is
// interpolated; point by point it is not.
TEST(DensityModel, CurvesOfSeveralFeaturesAreJointOverMarginal) {
  FitOptions options = small_options();
  options.forest.trees = 4;
  const FitResult result = fit(test::two_clouds(2000, 6, 3).view(), options);
  const DensityModel model(result.forest);
  const std::vector<float> row{0.5f, kMissing, kMissing, kMissing, kMissing, kMissing};
  const Conditional given = model.condition(row);
  for (const std::uint32_t feature : {1u, 4u}) {
    const Conditional::Range range = given.range(feature);
    constexpr std::size_t kSteps = 400;
    std::vector<double> at;
    for (std::size_t i = 0; i < kSteps; ++i)
      at.push_back(range.lower + (range.upper - range.lower) * (double(i) + 0.5) / kSteps);
    const std::vector<double> density = given.density(feature, at);
    double sum = 0, most = 0;
    for (const double value : density) {
      sum += value * (range.upper - range.lower) / kSteps;
      most = std::max(most, value);
    }
    EXPECT_NEAR(sum, 1, 0.01);
    for (std::size_t i = 0; i < kSteps; i += 13) {
      std::vector<float> both = row;
      both[feature] = static_cast<float>(at[i]);
      const double joint = model.condition(both).log_known();
      EXPECT_NEAR(density[i], std::exp(joint - given.log_known()), 0.01 * most);
    }
  }
}

TEST(DensityModel, ConditionalDrawsHaveItsMean) {
  const Dataset data = test::two_clouds(2000, 3, 1);
  const FitResult result = fit(data.view(), small_options());
  const Conditional given =
      DensityModel(result.forest).condition(std::vector<float>{1.0f, kMissing, kMissing});
  const std::vector<float> drawn = given.sample(4000, 3);
  const Conditional::Range range = given.range(2);
  std::vector<double> at;
  const std::size_t steps = 400;
  const double step = (range.upper - range.lower) / steps;
  for (std::size_t i = 0; i < steps; ++i)
    at.push_back(range.lower + step * (static_cast<double>(i) + 0.5));
  const std::vector<double> density = given.density(2, at);
  double sum = 0, mean = 0, sampled = 0;
  for (std::size_t i = 0; i < steps; ++i)
    sum += density[i] * step, mean += at[i] * density[i] * step;
  for (std::size_t row = 0; row < 4000; ++row) {
    EXPECT_EQ(drawn[3 * row], 1.0f);
    sampled += double{drawn[3 * row + 2]} / 4000;
  }
  EXPECT_NEAR(sum, 1, 5e-3);
  EXPECT_NEAR(sampled, mean, 0.08);
}

// Criminisi et al. 2012, fig. 5.14.
TEST(DensityModel, HasThreeModesInTheMiddleOfTheS) {
  const FitResult result = fit(test::s_shape(3000, 1).view(), density_options());
  const Conditional given =
      DensityModel(result.forest).condition(std::vector<float>{0.0f, kMissing});
  std::vector<double> at;
  for (int i = 0; i <= 400; ++i) at.push_back(-3 + 6 * i / 400.0);
  const std::vector<Mode> modes = find_modes(at, given.density(1, at));
  ASSERT_EQ(modes.size(), 3u);
  std::vector<double> places{modes[0].value, modes[1].value, modes[2].value};
  std::sort(places.begin(), places.end());
  EXPECT_NEAR(places[0], -2, 0.15);
  EXPECT_NEAR(places[1], 0, 0.15);
  EXPECT_NEAR(places[2], 2, 0.15);
}

TEST(DensityModel, RefusesOtherForests) {
  Dataset data = test::s_shape(50, 1);
  data.schema.targets = {"y"};
  data.targets.assign(50, 1.0);
  data.targets[0] = 2;
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 1;
  const FitResult result = fit(data.view(), options);
  EXPECT_THROW(DensityModel{result.forest}, Error);
}

TEST(Modes, ThatDoNotStandOutAreLeftOut) {
  const std::vector<double> at{0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(find_modes(at, std::vector<double>{0, 1, 0.97, 1.1, 0, 0.5, 0}).size(), 2u);
  EXPECT_EQ(find_modes(at, std::vector<double>{3, 2, 1, 0, 1, 2, 3}).size(), 2u);
  EXPECT_EQ(find_modes(at, std::vector<double>(7, 0.0)).size(), 0u);
}

}  // namespace
}  // namespace coppice
