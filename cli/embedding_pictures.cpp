// See embedding_pictures.h.
#include "embedding_pictures.h"

#include <fmt/format.h>

#include <sstream>

#include "draw/embedding_plot.h"
#include "draw/plane_plot.h"

namespace coppice {
namespace {

constexpr double kWidth = 560;

}  // namespace

std::string mapping_only(const Forest& forest) {
  if (forest.info().facts.contains("laplacian_eigenvalues")) return "";
  return "needs a mapping; make one with coppice embed MODEL DATA --save-mapping MAP";
}

Drawing embedding_picture(const PlotRequest& request) {
  const Predictions mapped = request.predictor->predict(request.rows->view(), request.context);
  std::vector<Key> keys;
  if (request.colours && !request.colours->labels.empty())
    keys = class_keys(request.colours->schema);
  const double below = keys.empty() ? 0 : legend_height(keys, kWidth - 60) + 8;
  Drawing drawing{kWidth, kWidth + below, "embedding of rows", {}};
  draw_legend(drawing, {46, kWidth + 2, kWidth - 60, below}, keys);
  const std::string colour = request.colours ? request.colours->schema.targets[0] : "embedding_1";
  Axes axes(drawing, {4, 2, kWidth - 8, kWidth - 4},
            {"embedding", fmt::format("{}; coloured by {}", request.model_name, colour),
             "embedding_1", mapped.outputs > 1 ? "embedding_2" : "row"});
  draw_embedding({mapped.mean, mapped.outputs, request.colours}, axes);
  return drawing;
}

Drawing eigenvalue_picture(const PlotRequest& request) {
  constexpr double kHeight = 400;
  const auto& facts = request.forest().info().facts;
  std::vector<double> values;
  std::istringstream words(facts.at("laplacian_eigenvalues"));
  for (double value = 0; words >> value;) values.push_back(value);
  std::size_t dimension = 0;
  if (const auto found = facts.find("intrinsic_dimension"); found != facts.end())
    std::istringstream(found->second) >> dimension;
  Drawing drawing{kWidth, kHeight, "eigenvalues of the Laplacian", {}};
  Axes axes(drawing, {4, 2, kWidth - 8, kHeight - 4},
            {"eigenvalues of the normalised Laplacian",
             fmt::format("{}; intrinsic dimension {}", request.model_name, dimension), "number",
             "eigenvalue"});
  draw_eigenvalues(values, dimension, axes);
  return drawing;
}

}  // namespace coppice
