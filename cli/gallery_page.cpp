// See gallery_page.h.
#include "gallery_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "draw/density_plot.h"
#include "draw/escape.h"
#include "draw/joint_density.h"
#include "draw/label_plot.h"
#include "draw/plane_plot.h"
#include "manifold_panel.h"
#include "toy_shapes.h"

namespace coppice {
namespace {

constexpr double kPlaneMargin = 0.25, kCurveMargin = 0.15;
constexpr double kLegendRoom = 26;
constexpr std::size_t kDraws = 2000;

Box panel_size(const GalleryFigure& figure) {
  if (figure.panels[0].view == PanelView::density) {
    return {0, 0, figure.columns == 1 ? 560.0 : figure.columns == 2 ? 440.0 : 340.0, 280};
  }
  const double side = figure.columns >= 5 ? 220 : figure.columns == 4 ? 260 : 310;
  return {0, 0, side, side};
}

bool is_joint(PanelView view) {
  return view == PanelView::joint || view == PanelView::draws || view == PanelView::slice;
}

std::vector<Key> keys_of(const GalleryFigure& figure) {
  if (is_joint(figure.panels[0].view)) return {{"density: the darker, the denser", kBlue}};
  if (figure.panels[0].view == PanelView::density) return density_keys();
  std::vector<Key> keys;
  if (is_manifold(figure.panels[0].view)) return keys;
  for (const GalleryPanel& panel : figure.panels) {
    const Schema schema =
        generate({.shape = panel.data.shape, .rows = 1, .classes = panel.data.classes}).schema;
    if (schema.classes.size() > keys.size()) keys = class_keys(schema);
  }
  for (const GalleryPanel& panel : figure.panels) {
    if (!panel.max_margin) continue;
    keys.push_back({"the classes are even", kInk, Key::Mark::dashes});
    keys.push_back({"middle of the gap", kGreen, Key::Mark::line});
    break;
  }
  return keys;
}

void draw_rows_only(const Dataset& data, Axes& axes) {
  const Window window = window_around(data, kPlaneMargin);
  axes.make_square();
  axes.set_ranges(window.x, window.y);
  draw_points(data, axes);
  axes.finish();
}

// Targets among the features; classes left out.
Dataset features_only(Dataset data) {
  const std::size_t targets = data.targets.empty() ? 0 : data.schema.targets.size();
  for (std::size_t k = 0; k < targets; ++k) {
    data.schema.features.push_back({data.schema.targets[k]});
    std::vector<float>& column = data.columns.emplace_back();
    for (std::size_t row = 0; row < data.rows; ++row)
      column.push_back(static_cast<float>(data.targets[row * targets + k]));
  }
  data.schema.targets.clear();
  data.schema.classes.clear();
  data.targets.clear();
  data.labels.clear();
  return data;
}

void draw_joint_panel(const GalleryPanel& panel, Axes& axes, const RunContext& context) {
  const Dataset data = features_only(generate(panel.data));
  const FitResult made = fit(data.view(), fit_options(panel, data.schema), context);
  const DensityModel model(made.forest);
  const Window window = window_around(data, kPlaneMargin);
  if (panel.view == PanelView::joint) draw_joint_density({model, nullptr, window}, axes);
  if (panel.view == PanelView::draws) draw_draws({model, nullptr, window}, kDraws, axes);
  if (panel.view == PanelView::slice) draw_slice(model, panel.at.value_or(window.x.middle()), axes);
}

void draw_panel(const GalleryPanel& panel, Axes& axes, const RunContext& context) {
  if (is_joint(panel.view)) return draw_joint_panel(panel, axes, context);
  if (is_manifold(panel.view)) return draw_manifold_panel(panel, axes, context);
  const Dataset data = generate(panel.data);
  if (panel.view == PanelView::rows) return draw_rows_only(data, axes);
  const FitResult made = fit(data.view(), fit_options(panel, data.schema), context);
  const Predictor predictor(made.forest);
  if (panel.view == PanelView::density) {
    return draw_density(
        {predictor, &data, range_of(std::span<const float>(data.columns[0]), kCurveMargin),
         range_of(std::span<const double>(data.targets), 0.12)},
        axes);
  }
  const Window window = window_around(data, kPlaneMargin);
  if (panel.view == PanelView::section) {
    return draw_section({predictor, window.x, 0.5, panel.max_margin}, axes);
  }
  if (panel.view == PanelView::labels) {
    const std::optional<std::size_t> tree =
        panel.tree > 0 ? std::optional(panel.tree - 1) : std::nullopt;
    return draw_labels({predictor, data, window, tree}, axes);
  }
  PlanePlot plot{predictor, &data, window};
  if (panel.view == PanelView::entropy) {
    plot.view = PlaneView::entropy;
    plot.rows = nullptr;
  }
  if (panel.view == PanelView::cells) plot.view = PlaneView::partition;
  if (panel.tree > 0) plot.tree = panel.tree - 1;
  plot.boundary = panel.view == PanelView::boundary;
  draw_plane(plot, axes);
  if (panel.max_margin) {
    axes.curve({{*panel.max_margin, window.y.low}, {*panel.max_margin, window.y.high}},
               {kGreen, 2});
  }
}

std::string plot_arguments(const GalleryPanel& panel) {
  const std::string plane = fmt::format(" --margin {}", kPlaneMargin);
  switch (panel.view) {
    case PanelView::rows:
      return "";
    case PanelView::posterior:
      return "posterior" + plane;
    case PanelView::boundary:
      return "posterior --boundary" + plane;
    case PanelView::entropy:
      return "entropy --no-rows" + plane;
    case PanelView::cells:
      return fmt::format("partition --tree {}", panel.tree) + plane;
    case PanelView::section:
      return "section --at 0.5" + plane;
    case PanelView::joint:
      return "joint --no-rows" + plane;
    case PanelView::draws:
      return "draws" + plane;
    case PanelView::slice:
      return panel.at ? fmt::format("slice --at {}", *panel.at) + plane : "slice" + plane;
    case PanelView::labels:
      return (panel.tree > 0 ? fmt::format("labels --tree {}", panel.tree) : "labels") + plane;
    case PanelView::mapped:
    case PanelView::embedding:
      return "embedding";
    case PanelView::eigenvalues:
      return "eigenvalues";
    case PanelView::density:
      return fmt::format("density --margin {}", kCurveMargin);
  }
  return "";
}

constexpr const char* kStyle =
    "body{font-family:Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif;color:#21242b;"
    "max-width:1180px;margin:2em auto;padding:0 1em;line-height:1.5}"
    "h1{font-size:1.7em}h2{font-size:1.25em;margin-top:2.4em;border-top:1px solid #ddd;"
    "padding-top:1em}svg{max-width:100%;height:auto}.source{color:#555}"
    "pre{background:#f5f5f5;padding:.8em;overflow-x:auto;font-size:.85em}"
    "nav li{margin:.15em 0}summary{cursor:pointer}";

std::string section_text(const GalleryFigure& figure, const std::string& picture) {
  std::string commands;
  for (const std::string& command : figure_commands(figure)) commands += command + '\n';
  return fmt::format(
      "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}</p>\n<p><b>Settings.</b> {}</p>\n"
      "<p><b>Look for.</b> {}</p>\n{}<details><summary>The commands that draw it</summary>\n"
      "<pre>{}</pre></details>\n</section>\n",
      figure.name, xml_escaped(figure.heading), xml_escaped(figure.source),
      xml_escaped(figure.settings), xml_escaped(figure.look_for), picture, xml_escaped(commands));
}

}  // namespace

Drawing figure_drawing(const GalleryFigure& figure, const RunContext& context) {
  const Box size = panel_size(figure);
  const std::size_t columns = std::min(figure.columns, figure.panels.size());
  const std::size_t lines = (figure.panels.size() + columns - 1) / columns;
  const double height = double(lines) * size.height;
  const std::vector<Key> keys = keys_of(figure);
  const bool entropy = std::any_of(figure.panels.begin(), figure.panels.end(),
                                   [](const auto& p) { return p.view == PanelView::entropy; });
  const double width = double(columns) * size.width;
  const double legend = legend_height(keys, width - 40);
  Drawing drawing{width,
                  height + legend + 12 + (entropy ? kLegendRoom : 0),
                  figure.source + ": " + figure.heading,
                  {}};
  for (std::size_t n = 0; n < figure.panels.size(); ++n) {
    const Box box{double(n % columns) * size.width, double(n / columns) * size.height, size.width,
                  size.height};
    Axes axes(drawing, box, {figure.panels[n].title});
    draw_panel(figure.panels[n], axes, context);
  }
  draw_legend(drawing, {40, height + 4, width - 40, legend}, keys);
  if (entropy) {
    draw_colour_bar(drawing, {40, height + legend + 8, width - 40, kLegendRoom}, "certain",
                    "undecided");
  }
  return drawing;
}

std::vector<std::string> figure_commands(const GalleryFigure& figure) {
  std::vector<std::string> commands;
  const auto add_once = [&](const std::string& command) {
    if (std::count(commands.begin(), commands.end(), command) == 0) commands.push_back(command);
  };
  std::vector<std::string> tables, forests;
  const auto numbered = [](std::vector<std::string>& known, const std::string& one) {
    const auto found = std::find(known.begin(), known.end(), one);
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back(one);
    return place + 1;
  };
  for (std::size_t n = 0; n < figure.panels.size(); ++n) {
    const GalleryPanel& panel = figure.panels[n];
    if (panel.view == PanelView::rows) continue;
    const std::string table =
        fmt::format("data{}.csv", numbered(tables, generate_command_line(panel.data, "")));
    const std::string model =
        fmt::format("forest{}.coppice", numbered(forests, table + panel.settings));
    add_once(generate_command_line(panel.data, table));
    const bool classes = !generate({.shape = panel.data.shape, .rows = 1}).labels.empty();
    if (is_manifold(panel.view)) {
      const std::string map = "map_of_" + model;
      add_once(fmt::format("coppice train {} --task manifold --ignore y {} -o {}", table,
                           panel.settings, model));
      add_once(fmt::format("coppice embed {} {} --save-mapping {} -o rows_of_{}.csv", model, table,
                           map, map));
      add_once(fmt::format("coppice plot {} {} --what {} -o panel{}.svg", map, table,
                           plot_arguments(panel), n + 1));
      continue;
    }
    add_once(fmt::format("coppice train {} {}{} -o {}", table, panel.settings,
                         is_joint(panel.view) && classes ? " --ignore label" : "", model));
    add_once(fmt::format("coppice plot {} {} --what {} -o panel{}.svg", model, table,
                         plot_arguments(panel), n + 1));
  }
  return commands;
}

std::string gallery_page(const std::vector<GalleryFigure>& figures,
                         const std::vector<std::string>& pictures) {
  std::string list, sections;
  for (std::size_t n = 0; n < figures.size(); ++n) {
    list += fmt::format("<li><a href=\"#{}\">{}</a> ({})</li>\n", figures[n].name,
                        xml_escaped(figures[n].heading), xml_escaped(figures[n].source));
    sections += section_text(figures[n], pictures[n]);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Coppice: gallery</title>\n<style>{}</style>\n</head>\n<body>\n<h1>Gallery</h1>\n"
      "<p>The experiments of the figures from which decision forests are learnt, made anew: data "
      "are generated, forests trained and pictures drawn by the commands below each of them. The "
      "rows are not those of the papers; what they show is.</p>\n"
      "<p>Colours of classes are mixed by their probabilities and fade to grey where the forest is "
      "undecided. T is the number of trees, D their depth in levels of nodes (one more than "
      "<code>--max-depth</code>), rho the number of candidate splits of a node.</p>\n"
      "<nav><ol>\n{}</ol></nav>\n{}</body>\n</html>\n",
      kStyle, list, sections);
}

}  // namespace coppice
