// See label_picture.h.
#include "label_picture.h"

#include <fmt/format.h>

#include "coppice/error.h"
#include "draw/label_plot.h"
#include "terminal.h"

namespace coppice {

Drawing propagated_labels(const PlotRequest& request) {
  if (request.rows == nullptr)
    throw Error(ErrorKind::invalid_option, "--what labels shows rows; name a DATA file");
  const std::size_t trees = request.forest().trees();
  if (request.tree > trees)
    throw Error(ErrorKind::invalid_option,
                fmt::format("--tree: there is no tree {}; the model has {}", request.tree,
                            plural(trees, "tree", "trees")));
  constexpr double kSide = 560, kBelow = 40;
  const Schema& schema = request.forest().info().schema;
  Drawing drawing{kSide, kSide + kBelow, "labels of rows", {}};
  Axes axes(drawing, {4, 2, kSide - 8, kSide - 4},
            {request.tree > 0 ? fmt::format("labels by tree {}", request.tree) : "labels",
             "given ones have a border", schema.features[0].name, schema.features[1].name});
  LabelPlot plot{*request.predictor, *request.rows, window_around(*request.rows, request.margin)};
  if (request.tree > 0) plot.tree = request.tree - 1;
  draw_labels(plot, axes);
  draw_legend(drawing, {46, kSide + 2, kSide - 60, kBelow}, class_keys(schema));
  return drawing;
}

}  // namespace coppice
