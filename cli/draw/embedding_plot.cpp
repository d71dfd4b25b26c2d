// See embedding_plot.h.
#include "draw/embedding_plot.h"

#include <algorithm>
#include <cmath>

namespace coppice {
namespace {

// Colours of the rows: classes by the palette, numbers by rank, so that outliers do not matter.
std::vector<Colour> ranked_colours(const std::vector<double>& values) {
  std::vector<double> sorted;
  for (const double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  std::vector<Colour> colours;
  for (const double value : values) {
    const auto below = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
    const double most = std::max<double>(1, static_cast<double>(sorted.size()) - 1);
    colours.push_back(std::isfinite(value) ? sequential_colour(static_cast<double>(below) / most)
                                           : kGrey);
  }
  return colours;
}

std::vector<Colour> colours_of(const EmbeddingPlot& plot, std::size_t rows) {
  std::vector<double> values(rows);
  if (plot.colours && !plot.colours->labels.empty()) {
    std::vector<Colour> colours;
    for (const std::uint32_t label : plot.colours->labels)
      colours.push_back(label == kNoLabel ? kGrey : class_colour(label));
    return colours;
  }
  for (std::size_t row = 0; row < rows; ++row)
    values[row] =
        plot.colours ? plot.colours->targets[row] : plot.coordinates[row * plot.dimensions];
  return ranked_colours(values);
}

}  // namespace

void draw_embedding(const EmbeddingPlot& plot, Axes& axes) {
  const std::size_t rows = plot.coordinates.size() / plot.dimensions;
  std::vector<double> x(rows), y(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    x[row] = plot.coordinates[row * plot.dimensions];
    y[row] = plot.dimensions > 1 ? plot.coordinates[row * plot.dimensions + 1]
                                 : static_cast<double>(row + 1);
  }
  const std::vector<Colour> colours = colours_of(plot, rows);
  axes.make_square();
  axes.set_ranges(range_of(std::span<const double>(x), 0.05),
                  range_of(std::span<const double>(y), 0.05));
  for (std::size_t row = 0; row < rows; row += drawn_step(rows))
    axes.disc(x[row], y[row], 2.2, colours[row], 0.8);
  axes.finish();
}

void draw_eigenvalues(std::span<const double> values, std::size_t intrinsic_dimension, Axes& axes) {
  const double most = values.empty() ? 1 : std::max(values.back(), 1e-9);
  axes.set_ranges({-0.5, static_cast<double>(values.size()) - 0.5}, {0, 1.05 * most});
  const auto place = static_cast<double>(intrinsic_dimension);
  if (intrinsic_dimension > 0)
    axes.curve({{place, 0}, {place, 1.05 * most}}, {kGreen, 1.5, 1, true});
  std::vector<Spot> line;
  for (std::size_t n = 0; n < values.size(); ++n)
    line.push_back({static_cast<double>(n), values[n]});
  axes.curve(line, {kBlue, 1.5});
  for (const Spot& spot : line) axes.disc(spot.x, spot.y, 3, kBlue);
  axes.finish();
}

}  // namespace coppice
