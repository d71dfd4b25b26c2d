// See plane_plot.h.
#include "draw/plane_plot.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/portable_math.h"
#include "coppice/error.h"
#include "infer/votes.h"

namespace coppice {
namespace {

Window evened(const Window& window) {
  const double longer = std::max(window.x.length(), window.y.length());
  constexpr double similar = 0.4;
  if (std::min(window.x.length(), window.y.length()) < similar * longer) return window;
  const auto stretched = [&](const Range& range) {
    return Range{range.middle() - longer / 2, range.middle() + longer / 2};
  };
  return {stretched(window.x), stretched(window.y)};
}

// The middles of the pixels of lines [first, last), as a table of two columns.
struct Grid {
  Window window;
  std::size_t width, height;

  Dataset lines(const Schema& schema, std::size_t first, std::size_t last) const {
    Dataset made;
    made.schema = schema;
    made.rows = (last - first) * width;
    made.columns.resize(2);
    for (std::size_t y = first; y < last; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        made.columns[0].push_back(static_cast<float>(
            window.x.low + window.x.length() * (double(x) + 0.5) / double(width)));
        made.columns[1].push_back(static_cast<float>(
            window.y.high - window.y.length() * (double(y) + 0.5) / double(height)));
      }
    }
    return made;
  }
};

Colour posterior_colour(std::span<const double> probabilities) {
  Colour sum;
  double best = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const auto share = static_cast<float>(probabilities[k]);
    const Colour colour = class_colour(k);
    sum.red += share * colour.red;
    sum.green += share * colour.green;
    sum.blue += share * colour.blue;
    best = std::max(best, probabilities[k]);
  }
  const double even = 1.0 / static_cast<double>(probabilities.size());
  const double certainty = std::clamp((best - even) / (1 - even), 0.0, 1.0);
  constexpr double softness = 0.30;  // lets the rows stand out
  constexpr Colour undecided{0.72f, 0.72f, 0.72f};
  return mixed(mixed(undecided, mixed(sum, kWhite, softness), std::pow(certainty, 0.7)), kWhite,
               0.05);
}

double relative_entropy(std::span<const double> probabilities) {
  double entropy = 0;
  for (const double p : probabilities) {
    if (p > 0) entropy -= p * portable_log(p);
  }
  return entropy / portable_log(static_cast<double>(probabilities.size()));
}

struct Answers {
  std::size_t classes;
  std::vector<double> mean;
  std::vector<std::uint32_t> labels;

  std::span<const double> at(std::size_t n) const {
    return std::span(mean).subspan(n * classes, classes);
  }
};

Answers answers_on(const Predictor& predictor, const Grid& grid) {
  const Dataset points = grid.lines(predictor.forest().info().schema, 0, grid.height);
  Predictions made = predictor.predict(points.view());
  return {made.outputs, std::move(made.mean), std::move(made.labels)};
}

void darken(Picture& picture, std::size_t n, double share) {
  Colour& pixel = picture.at(n % picture.width(), n / picture.width());
  pixel = mixed(pixel, kInk, share);
}

// `differ` tells whether two neighbouring pixels are on different sides.
template <class Differ>
void darken_borders(Picture& picture, double share, Differ differ) {
  const std::size_t width = picture.width(), height = picture.height();
  for (std::size_t n = 0; n < width * height; ++n) {
    const bool right = n % width + 1 < width && differ(n, n + 1);
    const bool below = n + width < width * height && differ(n, n + width);
    if (right || below) darken(picture, n, share);
  }
}

// Calls visit(first pixel, pixels, leaves) for a few lines at a time, which keeps the leaf numbers
// few. `leaves` has one line more than `pixels`, except at the bottom.
template <class Visit>
void for_each_strip(const Predictor& predictor, const Grid& grid, Visit visit) {
  constexpr std::size_t most_leaves = 1 << 23;
  const std::size_t strip =
      std::clamp<std::size_t>(most_leaves / (grid.width * predictor.forest().trees()), 1, 16);
  for (std::size_t first = 0; first < grid.height; first += strip) {
    const std::size_t last = std::min(grid.height, first + strip);
    const Dataset points =
        grid.lines(predictor.forest().info().schema, first, std::min(grid.height, last + 1));
    visit(first * grid.width, (last - first) * grid.width, predictor.apply(points.view()));
  }
}

Answers answers_of_tree(const Predictor& predictor, const Grid& grid, std::size_t tree) {
  const ForestArrays& arrays = predictor.forest().arrays();
  const bool scores = predictor.forest().info().payload_kind == PayloadKind::class_scores;
  Answers made{arrays.payload_size, {}, {}};
  const auto visit = [&](std::size_t, std::size_t pixels, const LeafIds& leaves) {
    for (std::size_t n = 0; n < pixels; ++n) {
      const auto says = arrays.payload_of(arrays.first_leaf(tree) + leaves.leaf(tree, n));
      made.mean.insert(made.mean.end(), says.begin(), says.end());
      if (scores) take_softmax(std::span(made.mean).last(says.size()));
      made.labels.push_back(
          static_cast<std::uint32_t>(std::max_element(says.begin(), says.end()) - says.begin()));
    }
  };
  for_each_strip(predictor, grid, visit);
  return made;
}

// Borders of cells, for any kind of split: where neighbouring pixels are in different leaves of a
// tree. Darker where more trees have one.
void draw_cells(Picture& picture, const PlanePlot& plot, const Grid& grid) {
  const std::size_t width = grid.width, first_tree = plot.tree.value_or(0),
                    last_tree = plot.tree ? *plot.tree + 1 : plot.predictor.forest().trees();
  const auto visit = [&](std::size_t first, std::size_t pixels, const LeafIds& leaves) {
    const auto differ = [&](std::size_t tree, std::size_t n, std::size_t other) {
      return other < leaves.rows() && leaves.leaf(tree, n) != leaves.leaf(tree, other);
    };
    for (std::size_t n = 0; n < pixels; ++n) {
      std::size_t borders = 0;
      for (std::size_t tree = first_tree; tree < last_tree; ++tree) {
        const bool right = n % width + 1 < width && differ(tree, n, n + 1);
        borders += right || differ(tree, n, n + width);
      }
      const double share = double(borders) / double(last_tree - first_tree);
      if (borders > 0) darken(picture, first + n, std::min(0.9, 0.12 + 2 * share));
    }
  };
  for_each_strip(plot.predictor, grid, visit);
}

}  // namespace

Window window_around(const Dataset& rows, double room) {
  return evened({range_of(std::span<const float>(rows.columns[0]), room),
                 range_of(std::span<const float>(rows.columns[1]), room)});
}

Window window_around(const Forest& forest) {
  std::vector<double> thresholds[2];
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    const std::size_t splits =
        forest.arrays().first_split[tree + 1] - forest.arrays().first_split[tree];
    for (std::size_t n = 0; n < splits; ++n) {
      const Split split = forest.arrays().split(tree, n);
      if (split.kind == Split::Kind::numeric && split.feature < 2) {
        thresholds[split.feature].push_back(static_cast<double>(split.threshold));
      }
    }
  }
  if (thresholds[0].empty() || thresholds[1].empty()) {
    throw Error(ErrorKind::invalid_option,
                "the model does not tell which region to draw; name a DATA file as well");
  }
  constexpr double outside = 0.2;
  return evened({range_of(std::span<const double>(thresholds[0]), outside),
                 range_of(std::span<const double>(thresholds[1]), outside)});
}

Picture posterior_pixels(const Predictor& predictor, const Window& window, std::size_t width,
                         std::size_t height) {
  const Answers answers = answers_on(predictor, {window, width, height});
  Picture picture(width, height, kWhite);
  for (std::size_t n = 0; n < width * height; ++n) {
    picture.at(n % width, n / width) = posterior_colour(answers.at(n));
  }
  return picture;
}

void draw_points(const Dataset& rows, Axes& axes) {
  constexpr double per_disc = 115;  // a picture of this side has discs of radius 1
  const double crowd = rows.rows > 400 ? 1.4 : 1;
  const double radius = std::clamp(axes.area().width / (per_disc * crowd), 1.3, 3.0);
  for (std::size_t row = 0; row < rows.rows; row += drawn_step(rows.rows)) {
    const bool known = !rows.labels.empty() && rows.labels[row] != kNoLabel;
    axes.disc(double(rows.columns[0][row]), double(rows.columns[1][row]), radius,
              known ? class_colour(rows.labels[row]) : kGrey);
  }
  if (std::find(rows.labels.begin(), rows.labels.end(), kNoLabel) == rows.labels.end()) return;
  for (std::size_t row = 0; row < rows.rows; ++row)
    if (rows.labels[row] != kNoLabel) draw_with_border(rows, row, axes);
}

void draw_with_border(const Dataset& rows, std::size_t row, Axes& axes) {
  const double x = double(rows.columns[0][row]), y = double(rows.columns[1][row]);
  axes.disc(x, y, 6.5, kInk);
  axes.disc(x, y, 4.5, class_colour(rows.labels[row]));
}

void draw_plane(const PlanePlot& plot, Axes& axes) {
  axes.make_square();
  axes.set_ranges(plot.window.x, plot.window.y);
  const Grid grid{plot.window, static_cast<std::size_t>(std::lround(axes.area().width)),
                  static_cast<std::size_t>(std::lround(axes.area().height))};
  const Answers answers = plot.tree ? answers_of_tree(plot.predictor, grid, *plot.tree)
                                    : answers_on(plot.predictor, grid);
  Picture picture(grid.width, grid.height, kWhite);
  for (std::size_t n = 0; n < grid.width * grid.height; ++n) {
    picture.at(n % grid.width, n / grid.width) =
        plot.view == PlaneView::entropy ? sequential_colour(relative_entropy(answers.at(n)))
                                        : posterior_colour(answers.at(n));
  }
  if (plot.view == PlaneView::partition) draw_cells(picture, plot, grid);
  if (plot.boundary) {
    darken_borders(picture, 0.9, [&](std::size_t n, std::size_t other) {
      return answers.labels[n] != answers.labels[other];
    });
  }
  axes.image(std::move(picture));
  if (plot.rows != nullptr) draw_points(*plot.rows, axes);
  axes.finish();
}

void draw_section(const SectionPlot& plot, Axes& axes) {
  const Schema& schema = plot.predictor.forest().info().schema;
  axes.set_ranges(plot.x, {0, 1.02});
  const std::size_t points = 4 * static_cast<std::size_t>(std::lround(axes.area().width));
  std::vector<float> rows;
  for (std::size_t n = 0; n < points; ++n) {
    rows.push_back(
        static_cast<float>(plot.x.low + plot.x.length() * (double(n) + 0.5) / double(points)));
    if (schema.features.size() > 1) rows.push_back(static_cast<float>(plot.second));
  }
  const Predictions answers = plot.predictor.predict_rows(rows);
  const std::size_t width = schema.features.size();
  const auto upright = [&](double x, const Stroke& stroke) {
    axes.curve({{x, 0}, {x, 1.02}}, stroke);
  };
  if (plot.margin) upright(*plot.margin, {kGreen, 2});
  for (std::size_t n = 1; n < points; ++n) {
    if (answers.labels[n] == answers.labels[n - 1]) continue;
    upright(double(rows[n * width]), {kInk, 1.2, 1, true});
  }
  for (std::size_t k = 0; k < answers.outputs; ++k) {
    std::vector<Spot> curve;
    for (std::size_t n = 0; n < points; ++n) {
      curve.push_back({double(rows[n * width]), answers.mean[n * answers.outputs + k]});
    }
    axes.curve(curve, {class_colour(k), 2});
  }
  axes.finish();
}

std::vector<Key> class_keys(const Schema& schema) {
  std::vector<Key> keys;
  constexpr std::size_t most = 40;
  for (std::size_t k = 0; k < std::min(most, schema.classes.size()); ++k) {
    keys.push_back({schema.classes[k], class_colour(k)});
  }
  if (schema.classes.size() > most) {
    keys.push_back({"and " + std::to_string(schema.classes.size() - most) + " more", kWhite});
  }
  return keys;
}

void draw_colour_bar(Drawing& drawing, const Box& room, const std::string& low,
                     const std::string& high) {
  constexpr std::size_t steps = 120;
  constexpr double length = 150, thickness = 11, size = 12;
  Picture bar(steps, 1, kWhite);
  for (std::size_t n = 0; n < steps; ++n) bar.at(n, 0) = sequential_colour(double(n) / (steps - 1));
  const double left = room.left + text_room(low, size) + 8;
  const Box box{left, room.top + 3, length, thickness};
  drawing.text({room.left, box.bottom() - 1}, low, {size});
  drawing.add(ImageShape{box, std::move(bar)});
  drawing.text({box.right() + 8, box.bottom() - 1}, high, {size});
}

}  // namespace coppice
