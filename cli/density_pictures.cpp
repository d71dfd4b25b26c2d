// See density_pictures.h.
#include "density_pictures.h"

#include <fmt/format.h>

#include <cmath>

#include "coppice/error.h"
#include "draw/joint_density.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr double kSide = 560;

Window window_of(const PlotRequest& request) {
  if (request.rows != nullptr) return window_around(*request.rows, request.margin);
  return window_of_density(request.forest());
}

PanelWords words_of(const PlotRequest& request, std::string title, std::string x, std::string y) {
  return {
      std::move(title),
      fmt::format("{}: {}", request.model_name, plural(request.forest().trees(), "tree", "trees")),
      std::move(x), std::move(y)};
}

}  // namespace

std::string joint_density_only(const Forest& forest) {
  const std::size_t features = forest.info().schema.features.size();
  if (is_density(forest) && features == 2) return "";
  return fmt::format("needs a density of two features; this is a model of {} for {}",
                     plural(features, "feature", "features"), task_name(forest));
}

Drawing joint_density(const PlotRequest& request) {
  const auto& features = request.forest().info().schema.features;
  Drawing drawing{kSide, kSide, "density of two features", {}};
  Axes axes(drawing, {4, 2, kSide - 8, kSide - 4},
            words_of(request, "density", features[0].name, features[1].name));
  const DensityModel model(request.forest());
  draw_joint_density({model, request.bare ? nullptr : request.rows, window_of(request)}, axes);
  return drawing;
}

Drawing draws_from_density(const PlotRequest& request) {
  constexpr std::size_t kDraws = 2000;
  const auto& features = request.forest().info().schema.features;
  Drawing drawing{kSide, kSide, "rows drawn from a density", {}};
  Axes axes(drawing, {4, 2, kSide - 8, kSide - 4},
            words_of(request, fmt::format("{} rows drawn from the density", kDraws),
                     features[0].name, features[1].name));
  const DensityModel model(request.forest());
  draw_draws({model, nullptr, window_of(request)}, kDraws, axes);
  return drawing;
}

Drawing density_slice(const PlotRequest& request) {
  const auto& features = request.forest().info().schema.features;
  const double at = request.second.value_or(window_of(request).x.middle());
  const DensityModel model(request.forest());
  const std::vector<float> known{static_cast<float>(at), kMissing};
  if (!std::isfinite(model.condition(known).log_known()))
    throw Error(ErrorKind::invalid_option,
                fmt::format("--at: the density is 0 where {} is {}", features[0].name, at));
  constexpr double kWidth = 640, kHeight = 400;
  Drawing drawing{kWidth, kHeight, "density of a feature given the other", {}};
  Axes axes(
      drawing, {4, 2, kWidth - 8, kHeight - 4},
      words_of(request, fmt::format("p({} | {} = {:.4g})", features[1].name, features[0].name, at),
               features[1].name, "density"));
  draw_slice(model, at, axes);
  return drawing;
}

}  // namespace coppice
