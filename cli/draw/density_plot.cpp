// See density_plot.h.
#include "draw/density_plot.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "infer/leaf_answer.h"

namespace coppice {
namespace {

constexpr double kRootOfTwoPi = 2.50662827463100050;
constexpr double kLeastDeviation = 0.006;  // of the range of y
constexpr Colour kModeColour{0.35f, 0.35f, 0.35f};

// A mixture of 400 trees has few distinct leaves at one x; equal ones are evaluated once.
struct Component {
  Gaussian leaf;
  double share = 0;
};

std::vector<Component> components(std::span<const Gaussian> leaves) {
  std::vector<Gaussian> sorted(leaves.begin(), leaves.end());
  std::sort(sorted.begin(), sorted.end(), [](const Gaussian& a, const Gaussian& b) {
    return a.mean != b.mean ? a.mean < b.mean : a.deviation < b.deviation;
  });
  std::vector<Component> made;
  for (const Gaussian& leaf : sorted) {
    const bool same = !made.empty() && made.back().leaf.mean == leaf.mean &&
                      made.back().leaf.deviation == leaf.deviation;
    if (!same) made.push_back({leaf});
    made.back().share += 1.0 / static_cast<double>(leaves.size());
  }
  return made;
}

double density(std::span<const Component> parts, double y, double least) {
  double sum = 0;
  for (const Component& part : parts) {
    const double deviation = std::max(part.leaf.deviation, least);
    const double distance = (y - part.leaf.mean) / deviation;
    if (std::abs(distance) > 6) continue;
    sum += part.share * portable_exp(-distance * distance / 2) / (deviation * kRootOfTwoPi);
  }
  return sum;
}

// White to dark red. The half-way colour is reached at the density of a uniform distribution over
// a twelfth of the range.
Colour density_colour(double relative) {
  const double level = 1 - portable_exp(-relative / 17);
  constexpr Colour light{0.99f, 0.72f, 0.55f}, dark{0.55f, 0.05f, 0.10f};
  return level < 0.4 ? mixed(kWhite, light, level / 0.4) : mixed(light, dark, (level - 0.4) / 0.6);
}

}  // namespace

std::vector<Gaussian> leaf_gaussians(const Predictor& predictor, std::span<const float> xs) {
  const ForestArrays& arrays = predictor.forest().arrays();
  Dataset points;
  points.schema = predictor.forest().info().schema;
  points.rows = xs.size();
  points.columns.emplace_back(xs.begin(), xs.end());
  const LeafIds leaves = predictor.apply(points.view());
  const PayloadLayout layout = layout_of(predictor.forest());
  LeafAnswer answer;
  std::vector<Gaussian> made;
  for (std::size_t n = 0; n < xs.size(); ++n) {
    for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
      const auto payload = arrays.payload_of(arrays.first_leaf(tree) + leaves.leaf(tree, n));
      read_leaf(
          layout, payload, [&](std::size_t) { return xs[n]; }, answer);
      made.push_back({answer.mean[0], std::sqrt(std::max(0.0, answer.variance[0]))});
    }
  }
  return made;
}

double mixture_density(std::span<const Gaussian> leaves, double y, double least) {
  return density(components(leaves), y, least);
}

void draw_density(const DensityPlot& plot, Axes& axes) {
  axes.set_ranges(plot.x, plot.y);
  const auto width = static_cast<std::size_t>(std::lround(axes.area().width)),
             height = static_cast<std::size_t>(std::lround(axes.area().height));
  const double least = kLeastDeviation * plot.y.length();
  std::vector<float> xs;
  for (std::size_t n = 0; n < width; ++n) {
    xs.push_back(
        static_cast<float>(plot.x.low + plot.x.length() * (double(n) + 0.5) / double(width)));
  }
  const std::vector<Gaussian> leaves = leaf_gaussians(plot.predictor, xs);
  const std::size_t trees = plot.predictor.forest().trees();
  Picture picture(width, height, kWhite);
  std::vector<Spot> mean, mode;
  for (std::size_t x = 0; x < width; ++x) {
    const auto parts = components(std::span(leaves).subspan(x * trees, trees));
    double sum = 0, best = -1;
    for (const Component& part : parts) sum += part.share * part.leaf.mean;
    mean.push_back({double(xs[x]), sum});
    mode.push_back({double(xs[x]), sum});
    for (std::size_t y = 0; y < height; ++y) {
      const double value = plot.y.high - plot.y.length() * (double(y) + 0.5) / double(height);
      const double here = density(parts, value, least);
      picture.at(x, y) = density_colour(here * plot.y.length());
      if (here > best) mode.back().y = value;
      best = std::max(best, here);
    }
  }
  axes.image(std::move(picture));
  const bool known = plot.rows != nullptr && !plot.rows->targets.empty();
  const std::size_t rows = known ? plot.rows->rows : 0;
  for (std::size_t row = 0; row < rows; row += drawn_step(rows)) {
    axes.disc(double(plot.rows->columns[0][row]), plot.rows->targets[row], 1.9, kBlue, 0.55);
  }
  axes.curve(mode, {kModeColour, 1.6, 1, true});
  axes.curve(mean, {kGreen, 2.2});
  axes.finish();
}

std::vector<Key> density_keys() {
  return {{"mean of y given x", kGreen, Key::Mark::line},
          {"mode", kModeColour, Key::Mark::dashes},
          {"rows", kBlue},
          {"p(y|x): the darker, the denser", {0.7f, 0.2f, 0.15f}}};
}

}  // namespace coppice
