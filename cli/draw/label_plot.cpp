// See label_plot.h.
#include "draw/label_plot.h"

#include <algorithm>
#include <vector>

#include "coppice/semi_supervised.h"

namespace coppice {
namespace {

std::vector<std::uint32_t> labels_of_tree(const LabelPlot& plot, std::size_t tree) {
  const std::vector<float> says = plot.predictor.predict_per_tree(plot.rows.view());
  const std::size_t classes = plot.predictor.forest().info().schema.classes.size();
  const std::size_t trees = plot.predictor.forest().trees();
  std::vector<std::uint32_t> labels;
  for (std::size_t row = 0; row < plot.rows.rows; ++row) {
    const float* const first = says.data() + (row * trees + tree) * classes;
    labels.push_back(static_cast<std::uint32_t>(std::max_element(first, first + classes) - first));
  }
  return labels;
}

}  // namespace

void draw_labels(const LabelPlot& plot, Axes& axes) {
  axes.make_square();
  axes.set_ranges(plot.window.x, plot.window.y);
  const CompletedLabels completed = complete_labels(plot.predictor, plot.rows.view());
  Dataset drawn = plot.rows;
  drawn.labels = plot.tree ? labels_of_tree(plot, *plot.tree) : completed.labels;
  draw_points(drawn, axes);
  for (std::size_t row = 0; row < drawn.rows; ++row)
    if (completed.given[row]) draw_with_border(plot.rows, row, axes);
  axes.finish();
}

}  // namespace coppice
