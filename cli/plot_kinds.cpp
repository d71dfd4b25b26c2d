// See plot_kinds.h.
#include "plot_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/error.h"
#include "coppice/metrics.h"
#include "density_pictures.h"
#include "draw/density_plot.h"
#include "draw/learning_curve.h"
#include "draw/plane_plot.h"
#include "draw/score_plots.h"
#include "draw/tree_plot.h"
#include "embedding_pictures.h"
#include "label_picture.h"
#include "model_files.h"
#include "report/importance.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {
namespace {

constexpr double kSide = 560, kMargin = 16;

// --- What a forest must be -----------------------------------------------------------------------

bool all_numeric(const Schema& schema) {
  return std::all_of(schema.features.begin(), schema.features.end(),
                     [](const Feature& f) { return f.kind == FeatureKind::numeric; });
}

std::string features_text(const Forest& forest) {
  return plural(forest.info().schema.features.size(), "feature", "features");
}

std::string any_forest(const Forest&) { return ""; }

std::string answers_only(const Forest& forest) {
  return is_density(forest) ? "is for models with a target; this is a density" : "";
}

std::string classifier_only(const Forest& forest) {
  return is_classifier(forest) ? "" : "is for classification; this model is for regression";
}

std::string regressor_only(const Forest& forest) {
  if (is_density(forest)) return answers_only(forest);
  return is_classifier(forest) ? "is for regression; this model is for classification" : "";
}

std::string plane_only(const Forest& forest) {
  const Schema& schema = forest.info().schema;
  if (is_classifier(forest) && schema.features.size() == 2 && all_numeric(schema)) return "";
  return fmt::format("needs a classification model with two numeric features; this is a {} with {}",
                     is_classifier(forest) ? "classification model" : "regression model",
                     features_text(forest));
}

std::string section_only(const Forest& forest) {
  const Schema& schema = forest.info().schema;
  if (is_classifier(forest) && schema.features.size() <= 2 && all_numeric(schema)) return "";
  return fmt::format(
      "needs a classification model with one or two numeric features; this is a {} with {}",
      is_classifier(forest) ? "classification model" : "regression model", features_text(forest));
}

std::string density_only(const Forest& forest) {
  const Schema& schema = forest.info().schema;
  const bool fits =
      !is_classifier(forest) && schema.features.size() == 1 && schema.targets.size() == 1;
  if (fits && all_numeric(schema)) return "";
  return fmt::format(
      "needs a regression model with one numeric feature and one target; this is a {} with {}",
      is_classifier(forest) ? "classification model" : "regression model", features_text(forest));
}

// --- Parts of pictures ---------------------------------------------------------------------------

std::string forest_note(const PlotRequest& request) {
  return fmt::format("{}: {}", request.model_name,
                     plural(request.forest().trees(), "tree", "trees"));
}

std::size_t checked_tree(const PlotRequest& request) {
  if (request.tree > request.forest().trees()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--tree: there is no tree {}; the model has {}", request.tree,
                            plural(request.forest().trees(), "tree", "trees")));
  }
  return request.tree == 0 ? 0 : request.tree - 1;
}

// A panel with a legend below it.
struct Sheet {
  Drawing drawing;
  Box panel, legend;

  Sheet(double width, double height, const std::vector<Key>& keys, std::string description) {
    const double room = width - 2 * kMargin;
    const double below = keys.empty() ? 0 : legend_height(keys, room) + 8;
    drawing = {width, height + below, std::move(description), {}};
    panel = {4, 2, width - 8, height - 4};
    legend = {kMargin + 30, height + 2, room - 30, below};
    draw_legend(drawing, legend, keys);
  }
};

// --- The kinds -----------------------------------------------------------------------------------

Drawing draw_plane_view(const PlotRequest& request, PlaneView view, const std::string& title) {
  const Schema& schema = request.forest().info().schema;
  const bool entropy = view == PlaneView::entropy;
  const bool rows = request.rows != nullptr;
  Sheet sheet(kSide, kSide, entropy && request.bare ? std::vector<Key>{} : class_keys(schema),
              title);
  if (entropy) {
    sheet.drawing.height += 22;
    draw_colour_bar(sheet.drawing,
                    {sheet.legend.left, sheet.drawing.height - 24, sheet.legend.width, 20},
                    "certain", "undecided");
  }
  Axes axes(sheet.drawing, sheet.panel,
            {title, forest_note(request), schema.features[0].name, schema.features[1].name});
  PlanePlot plot{
      *request.predictor, request.bare ? nullptr : request.rows,
      rows ? window_around(*request.rows, request.margin) : window_around(request.forest()), view,
      request.boundary};
  if (request.tree > 0) plot.tree = checked_tree(request);
  draw_plane(plot, axes);
  return std::move(sheet.drawing);
}

Drawing posterior(const PlotRequest& request) {
  return draw_plane_view(request, PlaneView::posterior, "class posterior");
}

Drawing entropy_view(const PlotRequest& request) {
  return draw_plane_view(request, PlaneView::entropy, "entropy of the class posterior");
}

Drawing partition(const PlotRequest& request) {
  return draw_plane_view(
      request, PlaneView::partition,
      request.tree > 0 ? fmt::format("cells of tree {}", request.tree) : "cells of all trees");
}

Range thresholds_of_first_feature(const Forest& forest) {
  std::vector<double> values;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    const std::size_t splits =
        forest.arrays().first_split[tree + 1] - forest.arrays().first_split[tree];
    for (std::size_t n = 0; n < splits; ++n) {
      const Split split = forest.arrays().split(tree, n);
      const bool counts = split.kind == Split::Kind::numeric && split.feature == 0;
      if (counts) values.push_back(static_cast<double>(split.threshold));
    }
  }
  return range_of(std::span<const double>(values), 0.2);
}

Drawing section(const PlotRequest& request) {
  const Schema& schema = request.forest().info().schema;
  Sheet sheet(640, 400, class_keys(schema), "class posterior along a line");
  SectionPlot plot{*request.predictor, thresholds_of_first_feature(request.forest())};
  if (request.rows != nullptr) {
    plot.x = range_of(std::span<const float>(request.rows->columns[0]), request.margin);
  }
  std::string note = forest_note(request);
  if (schema.features.size() == 2) {
    plot.second = request.second.value_or(
        request.rows != nullptr
            ? range_of(std::span<const float>(request.rows->columns[1])).middle()
            : window_around(request.forest()).y.middle());
    note += fmt::format(", {} = {:.4g}", schema.features[1].name, plot.second);
  }
  Axes axes(sheet.drawing, sheet.panel,
            {"class posterior along a line", note, schema.features[0].name, "probability"});
  draw_section(plot, axes);
  return std::move(sheet.drawing);
}

Drawing density_of_target(const PlotRequest& request) {
  const Schema& schema = request.forest().info().schema;
  Sheet sheet(700, 440, density_keys(), "density of the target given the feature");
  Axes axes(sheet.drawing, sheet.panel,
            {fmt::format("p({}|{})", schema.targets[0], schema.features[0].name),
             forest_note(request), schema.features[0].name, schema.targets[0]});
  if (request.rows == nullptr) {
    const ForestArrays& arrays = request.forest().arrays();
    std::vector<double> means;
    for (std::size_t n = 0; n < arrays.leaves(); ++n) means.push_back(arrays.payload_of(n)[0]);
    draw_density({*request.predictor, nullptr, thresholds_of_first_feature(request.forest()),
                  range_of(std::span<const double>(means), 0.12)},
                 axes);
  } else {
    const bool known = !request.rows->targets.empty();
    const Predictions answers = request.predictor->predict(request.rows->view(), request.context);
    draw_density({*request.predictor, request.bare ? nullptr : request.rows,
                  range_of(std::span<const float>(request.rows->columns[0]), request.margin),
                  known ? range_of(std::span<const double>(request.rows->targets), 0.12)
                        : range_of(std::span<const double>(answers.mean), 0.3)},
                 axes);
  }
  return std::move(sheet.drawing);
}

Drawing one_tree(const PlotRequest& request) {
  TreePlot plot{*request.predictor, checked_tree(request), request.depth};
  plot.title = fmt::format("tree {} of {}", plot.tree + 1, request.model_name);
  if (request.row > 0) {
    if (request.rows == nullptr || request.row > request.rows->rows) {
      throw Error(ErrorKind::invalid_option,
                  request.rows == nullptr
                      ? "--row: name the DATA file that the row is in"
                      : fmt::format("--row: there is no row {}; DATA has {}", request.row,
                                    plural(request.rows->rows, "row", "rows")));
    }
    for (const auto& column : request.rows->columns) plot.row.push_back(column[request.row - 1]);
    plot.title += fmt::format(", path of row {}", request.row);
  }
  return tree_drawing(plot);
}

Drawing learning_curve(const PlotRequest& request) {
  constexpr double width = 440, height = 360;
  const std::string error =
      is_classifier(request.forest()) ? "misclassified share" : "root of mean squared error";
  Drawing drawing{2 * width, height, "error by number and depth of trees", {}};
  const std::string on = fmt::format("on {}", plural(request.rows->rows, "row", "rows"));
  Axes trees(drawing, {4, 2, width - 8, height - 4},
             {"error by number of trees", on, "trees", error});
  draw_curve({error_by_trees(*request.predictor, *request.rows, request.context), 1}, trees);
  Axes depths(drawing, {width + 4, 2, width - 8, height - 4},
              {"error by depth of trees", "trees cut at this depth", "depth", error});
  draw_curve({error_by_depth(request.forest(), *request.rows), 0}, depths);
  return drawing;
}

std::vector<float> measured_importance(const PlotRequest& request) {
  if (request.rows == nullptr || (request.rows->labels.empty() && request.rows->targets.empty())) {
    throw Error(ErrorKind::invalid_option,
                "--importance permutation: the model has not stored it; name a DATA file with the "
                "target, or train with --importance permutation");
  }
  const LeafIds leaves = request.predictor->apply(request.rows->view(), request.context);
  LeafIds fresh(leaves.rows(), leaves.trees());
  for (std::size_t tree = 0; tree < leaves.trees(); ++tree) {
    for (std::size_t row = 0; row < leaves.rows(); ++row) {
      fresh.set(tree, row, leaves.leaf(tree, row), true);
    }
  }
  return permutation_importance(request.forest(), fresh, request.rows->view(), 1, request.context);
}

Drawing importance(const PlotRequest& request) {
  const auto& stored = request.forest().info().importances;
  std::string kind = request.importance;
  if (kind.empty()) {
    kind = stored.contains("permutation") ? "permutation"
           : stored.contains("impurity")  ? "impurity"
                                          : "permutation";
  }
  ImportancePlot plot{.title = kind + " importance", .note = forest_note(request)};
  const auto found = stored.find(kind);
  if (found == stored.end() && kind != "permutation") {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--importance {}: the model has not stored it; train with "
                            "--importance {}",
                            kind, kind));
  }
  const std::vector<float> values =
      found != stored.end() ? found->second : measured_importance(request);
  if (found == stored.end()) plot.note += ", measured on DATA";
  plot.values.assign(values.begin(), values.end());
  for (const Feature& feature : request.forest().info().schema.features) {
    plot.names.push_back(feature.name);
  }
  return importance_drawing(plot);
}

Drawing calibration_curve(const PlotRequest& request) {
  const Predictions answers = request.predictor->predict(request.rows->view(), request.context);
  const Calibration made = calibration(answers, request.rows->labels);
  Sheet sheet(kSide, kSide,
              {{"share that is right", kBlue, Key::Mark::line},
               {"perfectly calibrated", kGrey, Key::Mark::dashes},
               {"share of the rows", kPale}},
              "calibration curve");
  Axes axes(sheet.drawing, sheet.panel,
            {"calibration",
             fmt::format("{}; expected calibration error {:.4f} on {}", forest_note(request),
                         made.error, plural(answers.rows, "row", "rows")),
             "probability of the predicted class", "share that is right"});
  draw_calibration(made, axes);
  return std::move(sheet.drawing);
}

Drawing confusion(const PlotRequest& request) {
  const Predictions answers = request.predictor->predict(request.rows->view(), request.context);
  const ClassMetrics metrics = class_metrics(answers, request.rows->labels);
  const auto& classes = request.forest().info().schema.classes;
  const double side = std::clamp(22.0 * static_cast<double>(classes.size()) + 90, 460.0, 1400.0);
  Sheet sheet(side, side, {}, "confusion matrix");
  Axes axes(sheet.drawing, sheet.panel,
            {"confusion matrix",
             fmt::format("{} of {} right", percent_text(metrics.accuracy),
                         plural(answers.rows, "row", "rows")),
             "predicted", "true"});
  draw_confusion(metrics, classes, axes);
  return std::move(sheet.drawing);
}

std::size_t target_number(const PlotRequest& request) {
  const auto& targets = request.forest().info().schema.targets;
  if (request.target.empty()) return 0;
  const auto found = std::find(targets.begin(), targets.end(), request.target);
  if (found != targets.end()) return static_cast<std::size_t>(found - targets.begin());
  throw Error(ErrorKind::invalid_option,
              fmt::format("--target: the model has no target '{}'{}", request.target,
                          suggestion(request.target, targets)));
}

Drawing predicted(const PlotRequest& request) {
  const std::size_t target = target_number(request);
  const Predictions answers = request.predictor->predict(request.rows->view(), request.context);
  const RegressionMetrics metrics = regression_metrics(answers, request.rows->targets);
  std::vector<double> truth, predicted;
  for (std::size_t row = 0; row < answers.rows; ++row) {
    truth.push_back(request.rows->targets[row * answers.outputs + target]);
    predicted.push_back(answers.mean[row * answers.outputs + target]);
  }
  const std::string name = request.forest().info().schema.targets[target];
  Sheet sheet(kSide, kSide, {}, "predicted and true values of " + name);
  Axes axes(sheet.drawing, sheet.panel,
            {"predicted and true " + name,
             fmt::format("RMSE {:.4g}, R2 {:.4f} on {}", metrics.rmse_per_target[target],
                         metrics.r2_per_target[target], plural(answers.rows, "row", "rows")),
             "true", "predicted"});
  draw_predicted({truth, predicted}, axes);
  return std::move(sheet.drawing);
}

}  // namespace

const std::vector<PlotKind>& plot_kinds() {
  using enum RowsNeeded;
  static const std::vector<PlotKind> kinds{
      {"posterior", "class probabilities over two features", helpful, plane_only, posterior},
      {"entropy", "how undecided the forest is, over two features", helpful, plane_only,
       entropy_view},
      {"partition", "the cells of one tree (--tree N) or of all", helpful, plane_only, partition},
      {"labels", "rows with the classes that reach them, over two features", helpful, plane_only,
       propagated_labels},
      {"section", "class probabilities along the first feature", helpful, section_only, section},
      {"density", "p(y|x) with mean and mode, one feature", helpful, density_only,
       density_of_target},
      {"joint", "density over two features", helpful, joint_density_only, joint_density},
      {"draws", "rows drawn from a density of two features", helpful, joint_density_only,
       draws_from_density},
      {"slice", "density of the second feature given the first (--at)", helpful, joint_density_only,
       density_slice},
      {"tree", "one tree; --row N marks a path", helpful, answers_only, one_tree},
      {"learning-curve", "error by number and depth of trees", with_truth, answers_only,
       learning_curve},
      {"importance", "what the forest owes to each feature", helpful, any_forest, importance},
      {"calibration", "are the probabilities true? with the calibration error", with_truth,
       classifier_only, calibration_curve},
      {"confusion", "true and predicted classes", with_truth, classifier_only, confusion},
      {"predicted", "true and predicted values", with_truth, regressor_only, predicted},
      {"embedding", "rows by a mapping of embed", needed, mapping_only, embedding_picture},
      {"eigenvalues", "the profile of a mapping of embed", no, mapping_only, eigenvalue_picture},
  };
  return kinds;
}

const PlotKind& find_plot_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const PlotKind& kind : plot_kinds()) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  throw Error(ErrorKind::invalid_option,
              fmt::format("--what: there is no picture '{}'{}", name, suggestion(name, names)));
}

const PlotKind& default_plot_kind(const Forest& forest, bool has_rows) {
  if (mapping_only(forest).empty()) return find_plot_kind(has_rows ? "embedding" : "eigenvalues");
  if (plane_only(forest).empty()) return find_plot_kind("posterior");
  if (density_only(forest).empty()) return find_plot_kind("density");
  if (joint_density_only(forest).empty()) return find_plot_kind("joint");
  if (is_density(forest)) return find_plot_kind("importance");
  if (has_rows) return find_plot_kind(is_classifier(forest) ? "confusion" : "predicted");
  return find_plot_kind(forest.info().importances.empty() ? "tree" : "importance");
}

}  // namespace coppice
