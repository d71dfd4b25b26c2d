// Every row has a random stream of its own: more rows, more noise or more noise features leave the
// rest of the data as it was.
#include "coppice/toy_data.h"

#include <array>
#include <cmath>
#include <string>

#include "base/portable_math.h"
#include "base/random_stream.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr std::uint32_t kMostClasses = 26;  // a ... z

struct Point {
  std::array<double, 10> x{};
  double y = 0;  // regression only
};

// What noise is added to, and the standard deviation that noise 1 means.
enum class NoiseOn { features, target };
struct Shape {
  std::size_t features;
  bool has_classes;
  NoiseOn noise_on;
  double size;
};

Shape shape_of(ToyShape shape) {
  switch (shape) {
    case ToyShape::blobs:
    case ToyShape::spirals:
    case ToyShape::rings:
    case ToyShape::moons:
    case ToyShape::corners:
    case ToyShape::bars:
    case ToyShape::pairs:
    case ToyShape::arms:
      return {2, true, NoiseOn::features, 1};  // the (outer) radius
    case ToyShape::friedman1:
      return {10, false, NoiseOn::target, 5};  // about the standard deviation of the target
    case ToyShape::friedman2:
      return {4, false, NoiseOn::target, 375};
    case ToyShape::friedman3:
      return {4, false, NoiseOn::target, 0.3};
    case ToyShape::two_piece_line:
    case ToyShape::line:
    case ToyShape::parabola:
    case ToyShape::parabola_and_line:
    case ToyShape::three_pieces:
    case ToyShape::sine_with_gap:
    case ToyShape::sideways_s:
      return {1, false, NoiseOn::target, 1};
    case ToyShape::s_curve:
      return {3, false, NoiseOn::features, 1};  // the radius of the bends
    case ToyShape::swiss_roll:
    case ToyShape::fir_tree:
      return {3, false, NoiseOn::features, 4.5 * kPi};  // the outer radius
  }
  throw Error(ErrorKind::invalid_option, "unknown shape of toy data");
}

// Rounds to the 24 bits of a float (Veltkamp). Not by a cast to float and back: GCC 12 drops such
// a pair when it vectorises straight-line code for AVX.
double rounded_to_float(double x) {
  const double scaled = x * 0x20000001p0;
  return scaled - (scaled - x);
}

// A value that a float column holds exactly, so that targets are the formula of what is stored.
double uniform_float(RandomStream& random, double low, double high) {
  return rounded_to_float(low + (high - low) * random.uniform());
}

Point on_circle(double radius, double angle) {
  return {{radius * portable_cos(angle), radius * portable_sin(angle)}};
}

double turned(std::size_t label, std::uint32_t classes) {
  return 2 * kPi * static_cast<double>(label) / classes;
}

// One full turn from the centre to radius 1; the root makes the density about even.
Point on_spiral(RandomStream& random, std::size_t label, std::uint32_t classes) {
  const double radius = std::sqrt(random.uniform());
  return on_circle(radius, 2 * kPi * radius + turned(label, classes));
}

// Radii from 0.2 to 1, three quarters of a turn each.
Point on_arm(RandomStream& random, std::size_t label, std::uint32_t classes) {
  const double radius = std::sqrt(0.04 + 0.96 * random.uniform());
  return on_circle(radius, 1.5 * kPi * radius + turned(label, classes));
}

// Radii 1/classes, 2/classes ... 1.
Point on_ring(RandomStream& random, std::size_t label, std::uint32_t classes) {
  return on_circle(static_cast<double>(label + 1) / classes, 2 * kPi * random.uniform());
}

// The upper half of a circle, and the lower half of one whose centre is (1, 1/2).
Point on_moon(RandomStream& random, std::size_t label) {
  const Point upper = on_circle(1, kPi * random.uniform());
  if (label == 0) return upper;
  return {{1 - upper.x[0], 0.5 - upper.x[1]}};
}

// Bars 1 high: x1 in [0, 0.2) and [0.4, 1), so that the middle of the gap is 0.3.
Point in_bar(RandomStream& random, std::size_t label) {
  const double x = label == 0 ? uniform_float(random, 0, 0.2) : uniform_float(random, 0.4, 1);
  return {{x, uniform_float(random, 0, 1)}};
}

// Pairs on a circle; the two of a pair are half a radius apart, across the radius.
Point in_pair(std::size_t label, std::uint32_t classes) {
  const double angle = turned(label / 2, (classes + 1) / 2);
  const double aside = label % 2 == 0 ? 0.25 : -0.25;
  return {{portable_cos(angle) - aside * portable_sin(angle),
           portable_sin(angle) + aside * portable_cos(angle)}};
}

// y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5; x6 ... x10 do not matter.
Point friedman1(RandomStream& random) {
  Point point;
  for (double& value : point.x) value = uniform_float(random, 0, 1);
  const auto& x = point.x;
  point.y = 10 * portable_sin(kPi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] +
            5 * x[4];
  return point;
}

// Resistance, frequency, inductance and capacity of an alternating current circuit.
Point circuit(RandomStream& random) {
  // From the high end, so that the resistance is never 0.
  return {{uniform_float(random, 100, 0), uniform_float(random, 40 * kPi, 560 * kPi),
           uniform_float(random, 0, 1), uniform_float(random, 1, 11)}};
}

double reactance(const Point& p) { return p.x[1] * p.x[2] - 1 / (p.x[1] * p.x[3]); }

// Impedance: y = sqrt(x1^2 + (x2 x3 - 1 / (x2 x4))^2)
Point friedman2(RandomStream& random) {
  Point point = circuit(random);
  point.y = std::sqrt(point.x[0] * point.x[0] + reactance(point) * reactance(point));
  return point;
}

// Phase: y = atan((x2 x3 - 1 / (x2 x4)) / x1)
Point friedman3(RandomStream& random) {
  Point point = circuit(random);
  point.y = portable_atan(reactance(point) / point.x[0]);
  return point;
}

// y = 2 x for x in [0, 0.4) and y = 1 - x for x in [0.6, 1).
Point on_two_piece_line(RandomStream& random) {
  const bool left = random.below(2) == 0;
  const double x = left ? uniform_float(random, 0, 0.4) : uniform_float(random, 0.6, 1);
  return {{x}, left ? 2 * x : 1 - x};
}

// y = 1/4 + x/2 for x in [1/4, 3/4).
Point on_line(RandomStream& random) {
  const double x = uniform_float(random, 0.25, 0.75);
  return {{x}, 0.25 + x / 2};
}

// y = 4 x (1 - x) for x in [0, 1).
Point on_parabola(RandomStream& random) {
  const double x = uniform_float(random, 0, 1);
  return {{x}, 4 * x * (1 - x)};
}

// y = 16 x (1/2 - x) for x in [0, 0.5) and y = x - 0.4 for x in [0.7, 1).
Point on_parabola_and_line(RandomStream& random) {
  const bool left = random.below(2) == 0;
  const double x = left ? uniform_float(random, 0, 0.5) : uniform_float(random, 0.7, 1);
  return {{x}, left ? 16 * x * (0.5 - x) : x - 0.4};
}

// y = 0.2 + x, y = 1.2 - x and y = x - 0.3 for x in [0, 0.2), [0.4, 0.6) and [0.8, 1).
Point on_three_pieces(RandomStream& random) {
  const auto piece = random.below(3);
  const double first = piece == 0 ? 0 : piece == 1 ? 0.4 : 0.8;
  const double x = uniform_float(random, first, first + 0.2);
  return {{x}, piece == 0 ? 0.2 + x : piece == 1 ? 1.2 - x : x - 0.3};
}

// y = (1 + sin(2 pi x)) / 2 for x in [0, 0.3) and [0.7, 1).
Point on_sine_with_gap(RandomStream& random) {
  const bool left = random.below(2) == 0;
  const double x = left ? uniform_float(random, 0, 0.3) : uniform_float(random, 0.7, 1);
  return {{x}, (1 + portable_sin(2 * kPi * x)) / 2};
}

// x = y + 0.35 sin(2 pi y) for y in [0, 1): around x = 1/2 three y have the same x.
Point on_sideways_s(RandomStream& random) {
  const double y = random.uniform();
  return {{y + 0.35 * portable_sin(2 * kPi * y)}, y};
}

// Two three-quarter bends, 2 wide; y is the angle, from -3/2 pi to 3/2 pi.
Point on_s_curve(RandomStream& random) {
  const double t = 3 * kPi * (random.uniform() - 0.5);
  const double height = portable_cos(t) - 1;
  return {{portable_sin(t), 2 * random.uniform(), t < 0 ? -height : height}, t};
}

// One and a half turns, 21 wide; y is angle and radius, from 3/2 pi to 9/2 pi.
Point on_swiss_roll(RandomStream& random) {
  const double t = 1.5 * kPi * (1 + 2 * random.uniform());
  return {{t * portable_cos(t), 21 * random.uniform(), t * portable_sin(t)}, t};
}

// The roll with its inner turns above the outer ones: from the side a tree (Criminisi 2012, fig.
// 6.7).
Point on_fir_tree(RandomStream& random) {
  Point point = on_swiss_roll(random);
  point.x[1] = point.x[1] / 2 + 2 * (4.5 * kPi - point.y);
  return point;
}

Point draw(ToyShape shape, RandomStream random, std::size_t label, std::uint32_t classes) {
  switch (shape) {
    case ToyShape::blobs:
      return on_circle(1, turned(label, classes));
    case ToyShape::spirals:
      return on_spiral(random, label, classes);
    case ToyShape::arms:
      return on_arm(random, label, classes);
    case ToyShape::rings:
      return on_ring(random, label, classes);
    case ToyShape::moons:
      return on_moon(random, label);
    case ToyShape::corners:
      return on_circle(1, kPi / 4 + turned(label, classes));
    case ToyShape::bars:
      return in_bar(random, label);
    case ToyShape::pairs:
      return in_pair(label, classes);
    case ToyShape::friedman1:
      return friedman1(random);
    case ToyShape::friedman2:
      return friedman2(random);
    case ToyShape::friedman3:
      return friedman3(random);
    case ToyShape::two_piece_line:
      return on_two_piece_line(random);
    case ToyShape::line:
      return on_line(random);
    case ToyShape::parabola:
      return on_parabola(random);
    case ToyShape::parabola_and_line:
      return on_parabola_and_line(random);
    case ToyShape::three_pieces:
      return on_three_pieces(random);
    case ToyShape::sine_with_gap:
      return on_sine_with_gap(random);
    case ToyShape::sideways_s:
      return on_sideways_s(random);
    case ToyShape::s_curve:
      return on_s_curve(random);
    case ToyShape::swiss_roll:
      return on_swiss_roll(random);
    case ToyShape::fir_tree:
      return on_fir_tree(random);
  }
  return {};
}

void check(const ToyOptions& options) {
  if (options.rows == 0) {
    throw Error(ErrorKind::invalid_option, "toy data: rows is 0; ask for at least 1 row");
  }
  if (!(options.noise >= 0) || std::isinf(options.noise)) {
    throw Error(ErrorKind::invalid_option,
                "toy data: noise must be a finite number that is not negative");
  }
  if (options.classes < 2 || options.classes > kMostClasses) {
    throw Error(ErrorKind::invalid_option, "toy data: classes is " +
                                               std::to_string(options.classes) +
                                               "; choose a number from 2 to 26");
  }
}

Feature numbered(char letter, std::size_t number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return {name};
}

Schema schema_of(const Shape& shape, const ToyOptions& options, std::uint32_t classes) {
  Schema schema;
  for (std::size_t i = 1; i <= shape.features; ++i) schema.features.push_back(numbered('x', i));
  for (std::size_t i = 1; i <= options.noise_features; ++i) {
    schema.features.push_back(numbered('n', i));
  }
  schema.targets = {shape.has_classes ? "label" : "y"};
  for (std::uint32_t i = 0; shape.has_classes && i < classes; ++i) {
    schema.classes.push_back(std::string(1, static_cast<char>('a' + i)));
  }
  return schema;
}

}  // namespace

Dataset generate(const ToyOptions& options) {
  check(options);
  const Shape shape = shape_of(options.shape);
  const bool two = options.shape == ToyShape::moons || options.shape == ToyShape::bars;
  const std::uint32_t classes = two ? 2 : options.classes;
  Dataset data;
  data.schema = schema_of(shape, options, classes);
  data.rows = options.rows;
  data.columns.assign(data.schema.features.size(), std::vector<float>(options.rows));
  const double deviation = options.noise * shape.size;
  const RandomStream root(options.seed);
  for (std::size_t row = 0; row < options.rows; ++row) {
    const RandomStream stream = root.child(row);
    const std::size_t label = row % classes;
    Point point = draw(options.shape, stream.child(0), label, classes);
    RandomStream noise = stream.child(1);
    if (shape.noise_on == NoiseOn::target) point.y += deviation * standard_normal(noise);
    for (std::size_t f = 0; f < shape.features; ++f) {
      if (shape.noise_on == NoiseOn::features) point.x[f] += deviation * standard_normal(noise);
      data.columns[f][row] = static_cast<float>(point.x[f]);
    }
    RandomStream pure_noise = stream.child(2);
    for (std::size_t f = shape.features; f < data.columns.size(); ++f) {
      data.columns[f][row] = static_cast<float>(standard_normal(pure_noise));
    }
    const bool known = options.labels == 0 || row < options.labels;
    if (shape.has_classes) data.labels.push_back(known ? std::uint32_t(label) : kNoLabel);
    if (!shape.has_classes) data.targets.push_back(known ? point.y : double{kMissing});
  }
  return data;
}

}  // namespace coppice
