// Shapes against their formulas, written once more with the standard library.
#include "coppice/toy_data.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "coppice/error.h"

namespace coppice {
namespace {

constexpr double kPi = 3.14159265358979323846;

constexpr ToyShape kAllShapes[] = {ToyShape::blobs,        ToyShape::spirals,
                                   ToyShape::moons,        ToyShape::rings,
                                   ToyShape::friedman1,    ToyShape::friedman2,
                                   ToyShape::friedman3,    ToyShape::two_piece_line,
                                   ToyShape::s_curve,      ToyShape::swiss_roll,
                                   ToyShape::corners,      ToyShape::bars,
                                   ToyShape::pairs,        ToyShape::line,
                                   ToyShape::parabola,     ToyShape::parabola_and_line,
                                   ToyShape::three_pieces, ToyShape::sine_with_gap,
                                   ToyShape::sideways_s,   ToyShape::arms,
                                   ToyShape::fir_tree};

Dataset clean(ToyShape shape, std::size_t rows = 2000, std::uint32_t classes = 2) {
  return generate({.shape = shape, .rows = rows, .classes = classes, .noise = 0});
}

double at(const Dataset& data, std::size_t feature, std::size_t row) {
  return static_cast<double>(data.columns.at(feature).at(row));
}

double radius(const Dataset& data, std::size_t row) {
  return std::hypot(at(data, 0, row), at(data, 1, row));
}

double deviation_of(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(ToyData, EveryShapeHasTheRightForm) {
  for (const ToyShape shape : kAllShapes) {
    const Dataset data = generate({.shape = shape, .rows = 7, .classes = 3, .noise_features = 2});
    EXPECT_EQ(data.rows, 7u);
    ASSERT_EQ(data.columns.size(), data.schema.features.size());
    for (const auto& column : data.columns) EXPECT_EQ(column.size(), 7u);
    EXPECT_EQ(data.schema.features[0].name, "x1");
    EXPECT_EQ(data.schema.features.back().name, "n2");
    EXPECT_EQ(data.schema.targets.size(), 1u);
    const bool classification = !data.schema.classes.empty();
    EXPECT_EQ(data.schema.targets[0], classification ? "label" : "y");
    EXPECT_EQ(data.labels.size(), classification ? 7u : 0u);
    EXPECT_EQ(data.targets.size(), classification ? 0u : 7u);
  }
}

TEST(ToyData, BlobsLieAroundCentresOnACircle) {
  const Dataset data =
      generate({.shape = ToyShape::blobs, .rows = 30000, .classes = 3, .noise = 0.2});
  EXPECT_EQ(data.schema.classes, (std::vector<std::string>{"a", "b", "c"}));
  for (std::uint32_t label = 0; label < 3; ++label) {
    std::vector<double> across, up;
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (data.labels[row] != label) continue;
      across.push_back(at(data, 0, row) - std::cos(2 * kPi * label / 3));
      up.push_back(at(data, 1, row) - std::sin(2 * kPi * label / 3));
    }
    ASSERT_EQ(across.size(), 10000u);
    double mean_across = 0, mean_up = 0;
    for (const double value : across) mean_across += value / 10000;
    for (const double value : up) mean_up += value / 10000;
    EXPECT_NEAR(mean_across, 0, 0.01);
    EXPECT_NEAR(mean_up, 0, 0.01);
    EXPECT_NEAR(deviation_of(across), 0.2, 0.007);
    EXPECT_NEAR(deviation_of(up), 0.2, 0.007);
  }
}

TEST(ToyData, SpiralsTurnOnceAndInterleave) {
  const Dataset data = clean(ToyShape::spirals, 3000, 3);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double r = radius(data, row);
    EXPECT_LE(r, 1.000001);
    const double angle = 2 * kPi * (r + data.labels[row] / 3.0);
    EXPECT_NEAR(at(data, 0, row), r * std::cos(angle), 1e-5);
    EXPECT_NEAR(at(data, 1, row), r * std::sin(angle), 1e-5);
  }
}

TEST(ToyData, MoonsAreTwoHalfCircles) {
  const Dataset data = clean(ToyShape::moons, 1000, 5);
  EXPECT_EQ(data.schema.classes.size(), 2u);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double x = at(data, 0, row), y = at(data, 1, row);
    const bool upper = data.labels[row] == 0;
    EXPECT_NEAR(upper ? std::hypot(x, y) : std::hypot(x - 1, y - 0.5), 1, 1e-6);
    EXPECT_TRUE(upper ? y >= 0 : y <= 0.5);
  }
}

TEST(ToyData, RingsAreConcentric) {
  const Dataset data = clean(ToyShape::rings, 400, 4);
  for (std::size_t row = 0; row < data.rows; ++row) {
    EXPECT_NEAR(radius(data, row), (data.labels[row] + 1) / 4.0, 1e-6);
  }
}

TEST(ToyData, Friedman1) {
  const Dataset data = clean(ToyShape::friedman1);
  ASSERT_EQ(data.columns.size(), 10u);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto x = [&](std::size_t i) { return at(data, i - 1, row); };
    const double y =
        10 * std::sin(kPi * x(1) * x(2)) + 20 * std::pow(x(3) - 0.5, 2) + 10 * x(4) + 5 * x(5);
    EXPECT_NEAR(data.targets[row], y, 1e-12);
  }
  EXPECT_NEAR(deviation_of(data.targets), 5, 0.3);
}

TEST(ToyData, Friedman2And3) {
  const Dataset impedance = clean(ToyShape::friedman2), phase = clean(ToyShape::friedman3);
  ASSERT_EQ(impedance.columns.size(), 4u);
  for (std::size_t row = 0; row < impedance.rows; ++row) {
    const auto x = [&](std::size_t i) { return at(impedance, i - 1, row); };
    EXPECT_GT(x(1), 0);
    EXPECT_LE(x(1), 100);
    EXPECT_GE(x(2), 125.66);
    EXPECT_LE(x(2), 1759.3);
    EXPECT_GE(x(4), 1);
    EXPECT_LE(x(4), 11);
    const double reactance = x(2) * x(3) - 1 / (x(2) * x(4));
    EXPECT_NEAR(impedance.targets[row], std::hypot(x(1), reactance), 1e-9);
    EXPECT_NEAR(phase.targets[row], std::atan(reactance / x(1)), 1e-12);
  }
  EXPECT_NEAR(deviation_of(impedance.targets), 375, 30);
  EXPECT_NEAR(deviation_of(phase.targets), 0.3, 0.05);
}

TEST(ToyData, TwoPieceLineHasAGap) {
  const Dataset data = clean(ToyShape::two_piece_line);
  std::size_t left = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double x = at(data, 0, row);
    EXPECT_TRUE((x >= 0 && x <= 0.4000001) || (x >= 0.5999999 && x <= 1)) << x;
    EXPECT_NEAR(data.targets[row], x < 0.5 ? 2 * x : 1 - x, 1e-12);
    left += x < 0.5;
  }
  EXPECT_NEAR(static_cast<double>(left) / 2000, 0.5, 0.06);
}

TEST(ToyData, CornersPairsAndBars) {
  const Dataset corners = clean(ToyShape::corners, 40, 4), pairs = clean(ToyShape::pairs, 40, 4),
                bars = clean(ToyShape::bars, 400, 4);
  for (std::size_t row = 0; row < 40; ++row) {
    const std::uint32_t label = corners.labels[row];
    const bool right = label == 0 || label == 3, top = label < 2;
    EXPECT_NEAR(at(corners, 0, row), right ? std::sqrt(0.5) : -std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(at(corners, 1, row), top ? std::sqrt(0.5) : -std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(at(pairs, 0, row), label < 2 ? 1 : -1, 1e-6);
    EXPECT_NEAR(at(pairs, 1, row), label == 0 || label == 3 ? 0.25 : -0.25, 1e-6);
  }
  EXPECT_EQ(bars.schema.classes.size(), 2u);
  for (std::size_t row = 0; row < bars.rows; ++row) {
    EXPECT_EQ(bars.labels[row] == 0, at(bars, 0, row) <= 0.2000001);
    EXPECT_TRUE(bars.labels[row] == 0 || at(bars, 0, row) >= 0.3999999);
    EXPECT_LE(at(bars, 1, row), 1);
  }
}

TEST(ToyData, CurvesFollowTheirFormulas) {
  const auto check = [](ToyShape shape, auto formula, auto inside) {
    const Dataset data = clean(shape, 500);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double x = at(data, 0, row);
      EXPECT_TRUE(inside(x)) << x;
      EXPECT_NEAR(data.targets[row], formula(x), 1e-12);
    }
  };
  const auto within = [](double x, double low, double high) {
    return x >= low - 1e-6 && x <= high + 1e-6;
  };
  check(
      ToyShape::line, [](double x) { return 0.25 + x / 2; },
      [&](double x) { return within(x, 0.25, 0.75); });
  check(
      ToyShape::parabola, [](double x) { return 1 - 4 * (x - 0.5) * (x - 0.5); },
      [&](double x) { return within(x, 0, 1); });
  check(
      ToyShape::parabola_and_line,
      [](double x) { return x < 0.6 ? 1 - 16 * (x - 0.25) * (x - 0.25) : x - 0.4; },
      [&](double x) { return within(x, 0, 0.5) || within(x, 0.7, 1); });
  check(
      ToyShape::three_pieces,
      [](double x) { return x < 0.3   ? 0.2 + x
                            : x < 0.7 ? 1.2 - x
                                      : x - 0.3; },
      [&](double x) { return within(x, 0, 0.2) || within(x, 0.4, 0.6) || within(x, 0.8, 1); });
  check(
      ToyShape::sine_with_gap, [](double x) { return 0.5 + std::sin(2 * kPi * x) / 2; },
      [&](double x) { return within(x, 0, 0.3) || within(x, 0.7, 1); });
  const Dataset s = clean(ToyShape::sideways_s, 500);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const double y = s.targets[row];
    EXPECT_NEAR(at(s, 0, row), y + 0.35 * std::sin(2 * kPi * y), 1e-6);
  }
}

TEST(ToyData, SheetsAreParametrisedByTheirTarget) {
  const Dataset curve = clean(ToyShape::s_curve), roll = clean(ToyShape::swiss_roll);
  for (std::size_t row = 0; row < curve.rows; ++row) {
    const double t = curve.targets[row];
    EXPECT_LE(std::abs(t), 1.5 * kPi + 1e-9);
    EXPECT_NEAR(at(curve, 0, row), std::sin(t), 1e-6);
    EXPECT_NEAR(at(curve, 2, row), (t < 0 ? -1 : 1) * (std::cos(t) - 1), 1e-6);
    const double s = roll.targets[row];
    EXPECT_GE(s, 1.5 * kPi);
    EXPECT_LE(s, 4.5 * kPi);
    EXPECT_NEAR(at(roll, 0, row), s * std::cos(s), 1e-5);
    EXPECT_NEAR(at(roll, 2, row), s * std::sin(s), 1e-5);
  }
}

TEST(ToyData, TheFirTreeIsARollWithItsInnerTurnsAbove) {
  const Dataset roll = clean(ToyShape::swiss_roll), tree = clean(ToyShape::fir_tree);
  EXPECT_EQ(tree.columns[0], roll.columns[0]);
  EXPECT_EQ(tree.columns[2], roll.columns[2]);
  EXPECT_EQ(tree.targets, roll.targets);
  for (std::size_t row = 0; row < tree.rows; ++row)
    EXPECT_NEAR(at(tree, 1, row), at(roll, 1, row) / 2 + 2 * (4.5 * kPi - tree.targets[row]), 1e-5);
}

TEST(ToyData, NoiseOnTargetsHasTheDocumentedDeviation) {
  const std::pair<ToyShape, double> scales[] = {{ToyShape::friedman1, 5},
                                                {ToyShape::friedman2, 375},
                                                {ToyShape::friedman3, 0.3},
                                                {ToyShape::two_piece_line, 1}};
  for (const auto& [shape, scale] : scales) {
    const Dataset exact = clean(shape, 20000);
    const Dataset noisy = generate({.shape = shape, .rows = 20000, .noise = 0.5});
    EXPECT_EQ(exact.columns, noisy.columns);
    std::vector<double> errors(exact.rows);
    for (std::size_t row = 0; row < exact.rows; ++row) {
      errors[row] = (noisy.targets[row] - exact.targets[row]) / scale;
    }
    EXPECT_NEAR(deviation_of(errors), 0.5, 0.0125);
  }
}

TEST(ToyData, MoreRowsAndNoiseFeaturesKeepTheRest) {
  for (const ToyShape shape : kAllShapes) {
    const Dataset small = generate({.shape = shape, .rows = 10});
    const Dataset large = generate({.shape = shape, .rows = 50, .noise_features = 3});
    for (std::size_t f = 0; f < small.columns.size(); ++f) {
      for (std::size_t row = 0; row < 10; ++row) EXPECT_EQ(at(small, f, row), at(large, f, row));
    }
    const Dataset other = generate({.shape = shape, .rows = 10, .seed = 2});
    EXPECT_NE(small.columns, other.columns);
  }
}

TEST(ToyData, NoiseFeaturesAreStandardNormal) {
  const Dataset data = generate({.rows = 40000, .noise_features = 1});
  const std::vector<double> values(data.columns[2].begin(), data.columns[2].end());
  EXPECT_NEAR(deviation_of(values), 1, 0.018);
}

// A change of any bit changes what users generate; it belongs into the list of changes.
TEST(ToyData, BitsAreFixed) {
  std::uint64_t digest = 0;
  const auto add = [&](std::uint64_t bits) { digest = digest * 0x9e3779b97f4a7c15 + bits; };
  for (const ToyShape shape : kAllShapes) {
    const Dataset data = generate({.shape = shape, .rows = 500, .classes = 3, .noise_features = 1});
    for (const auto& column : data.columns) {
      for (const float value : column) add(std::bit_cast<std::uint32_t>(value));
    }
    for (const double value : data.targets) add(std::bit_cast<std::uint64_t>(value));
    if (shape == ToyShape::swiss_roll) {
      EXPECT_EQ(digest, 13341015095824614184u);
    }
    if (shape == ToyShape::sideways_s) {
      EXPECT_EQ(digest, 16006964905948070758u);
    }
    if (shape == ToyShape::arms) {
      EXPECT_EQ(digest, 16822482774675927643u);
    }
  }
  EXPECT_EQ(digest, 14673733727539034956u);
}

TEST(ToyData, RefusesSenselessOptions) {
  EXPECT_THROW(generate({.rows = 0}), Error);
  EXPECT_THROW(generate({.classes = 1}), Error);
  EXPECT_THROW(generate({.classes = 27}), Error);
  EXPECT_THROW(generate({.noise = -0.1}), Error);
  EXPECT_THROW(generate({.noise = std::numeric_limits<double>::infinity()}), Error);
  EXPECT_THROW(generate({.noise = std::numeric_limits<double>::quiet_NaN()}), Error);
}

TEST(ToyData, OnlyTheFirstRowsKeepTheirLabels) {
  const Dataset all = generate({.shape = ToyShape::arms, .rows = 40, .classes = 4});
  const Dataset few = generate({.shape = ToyShape::arms, .rows = 40, .classes = 4, .labels = 8});
  EXPECT_EQ(few.columns, all.columns);
  for (std::size_t row = 0; row < 40; ++row)
    EXPECT_EQ(few.labels[row], row < 8 ? all.labels[row] : kNoLabel);
  const Dataset numbers = generate({.shape = ToyShape::line, .rows = 10, .labels = 3});
  for (std::size_t row = 0; row < 10; ++row) EXPECT_EQ(std::isnan(numbers.targets[row]), row >= 3);
}

TEST(ToyData, ArmsKeepAwayFromTheCentre) {
  const Dataset arms = clean(ToyShape::arms, 400, 4);
  for (std::size_t row = 0; row < arms.rows; ++row) {
    const double radius = std::hypot(at(arms, 0, row), at(arms, 1, row));
    EXPECT_GE(radius, 0.2 - 1e-6);
    EXPECT_LE(radius, 1 + 1e-6);
  }
}

}  // namespace
}  // namespace coppice
