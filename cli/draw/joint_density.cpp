// See joint_density.h.
#include "draw/joint_density.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "infer/leaf_answer.h"

namespace coppice {
namespace {

constexpr Colour kLight{0.70f, 0.82f, 0.93f}, kDark{0.03f, 0.19f, 0.42f};

// White to dark blue; half of the largest density is not far from the darkest.
Colour colour_of(double share) {
  const double level = std::sqrt(std::clamp(share, 0.0, 1.0));
  return level < 0.4 ? mixed(kWhite, kLight, level / 0.4)
                     : mixed(kLight, kDark, (level - 0.4) / 0.6);
}

void draw_rows(const Dataset& rows, Axes& axes, const Colour& colour) {
  for (std::size_t row = 0; row < rows.rows; row += drawn_step(rows.rows))
    axes.disc(double{rows.columns[0][row]}, double{rows.columns[1][row]}, 1.6, colour, 0.5);
}

}  // namespace

Window window_of_density(const Forest& forest) {
  constexpr double kDeviations = 3;
  const ForestArrays& arrays = forest.arrays();
  std::vector<double> ends[2];
  for (std::size_t leaf = 0; leaf < arrays.leaves(); ++leaf)
    for (std::size_t k = 0; k < 2; ++k) {
      const auto payload = arrays.payload_of(leaf);
      const double mean = double{payload[k]};
      const double reach = kDeviations * std::sqrt(double{payload[outputs_of(forest) + k]});
      ends[k].push_back(mean - reach);
      ends[k].push_back(mean + reach);
    }
  return {range_of(std::span<const double>(ends[0]), 0.0),
          range_of(std::span<const double>(ends[1]), 0.0)};
}

void draw_joint_density(const JointDensityPlot& plot, Axes& axes) {
  axes.set_ranges(plot.window.x, plot.window.y);
  const auto width = static_cast<std::size_t>(std::lround(axes.area().width)),
             height = static_cast<std::size_t>(std::lround(axes.area().height));
  Dataset points;
  points.schema = plot.model.forest().info().schema;
  points.rows = width * height;
  points.columns.resize(2);
  const Window& window = plot.window;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      points.columns[0].push_back(
          static_cast<float>(window.x.low + window.x.length() * (double(x) + 0.5) / double(width)));
      points.columns[1].push_back(static_cast<float>(
          window.y.high - window.y.length() * (double(y) + 0.5) / double(height)));
    }
  const std::vector<double> logs = plot.model.log_density(points.view());
  const double largest = *std::max_element(logs.begin(), logs.end());
  Picture picture(width, height, kWhite);
  for (std::size_t i = 0; i < logs.size(); ++i)
    picture.at(i % width, i / width) = colour_of(portable_exp(logs[i] - largest));
  axes.image(std::move(picture));
  if (plot.rows != nullptr) draw_rows(*plot.rows, axes, kGreen);
  axes.finish();
}

void draw_draws(const JointDensityPlot& plot, std::size_t count, Axes& axes) {
  axes.set_ranges(plot.window.x, plot.window.y);
  const std::vector<float> drawn = plot.model.sample(count, 1);
  Dataset rows;
  rows.rows = count;
  rows.columns.resize(2);
  for (std::size_t i = 0; i < drawn.size(); ++i) rows.columns[i % 2].push_back(drawn[i]);
  draw_rows(rows, axes, kDark);
  axes.finish();
}

void draw_slice(const DensityModel& model, double at, Axes& axes) {
  constexpr std::size_t kPoints = 601;
  const Conditional given = model.condition(std::vector<float>{static_cast<float>(at), kMissing});
  const Conditional::Range range = given.range(1);
  std::vector<double> places;
  for (std::size_t i = 0; i < kPoints; ++i)
    places.push_back(range.lower + (range.upper - range.lower) * double(i) / (kPoints - 1));
  const std::vector<double> density = given.density(1, places);
  const std::vector<Mode> modes = find_modes(places, density);
  axes.set_ranges({range.lower, range.upper},
                  {0, 1.08 * *std::max_element(density.begin(), density.end())});
  std::vector<Spot> curve;
  for (std::size_t i = 0; i < kPoints; ++i) curve.push_back({places[i], density[i]});
  axes.curve(curve, {kDark, 2});
  for (const Mode& mode : modes) axes.disc(mode.value, mode.density, 4, kGreen);
  axes.finish();
}

}  // namespace coppice
