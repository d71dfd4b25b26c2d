// See posterior_picture.h.
#include "posterior_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice {
namespace {

constexpr std::array<Colour, 8> kClassColours{{{0.87, 0.28, 0.23},
                                               {0.16, 0.47, 0.78},
                                               {0.20, 0.62, 0.33},
                                               {0.95, 0.67, 0.12},
                                               {0.55, 0.34, 0.68},
                                               {0.10, 0.68, 0.70},
                                               {0.90, 0.45, 0.66},
                                               {0.55, 0.45, 0.33}}};
constexpr Colour kWhite{1, 1, 1}, kGrey{0.62, 0.62, 0.62}, kDark{0.13, 0.14, 0.17};

constexpr std::size_t kPanelSize = 380, kMargin = 28, kTitleHeight = 48, kTitleScale = 3;

// The square around all rows, with a little room.
struct Square {
  double left = 0, top = 0, side = 1;
};

Square square_around(const Dataset& rows) {
  const auto [least_x, most_x] =
      std::minmax_element(rows.columns[0].begin(), rows.columns[0].end());
  const auto [least_y, most_y] =
      std::minmax_element(rows.columns[1].begin(), rows.columns[1].end());
  const double width = double(*most_x) - double(*least_x);
  const double height = double(*most_y) - double(*least_y);
  const double side = 1.08 * std::max({width, height, 1e-6});
  return {(double(*least_x) + double(*most_x) - side) / 2,
          (double(*least_y) + double(*most_y) + side) / 2, side};
}

// The classes' colours by their probabilities; grey as far as the forest is undecided.
Colour posterior_colour(std::span<const double> probabilities) {
  Colour sum;
  double best = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const double share = probabilities[k];
    sum.red += share * kClassColours[k].red;
    sum.green += share * kClassColours[k].green;
    sum.blue += share * kClassColours[k].blue;
    best = std::max(best, share);
  }
  const double even = 1.0 / static_cast<double>(probabilities.size());
  const double certainty = std::clamp((best - even) / (1 - even), 0.0, 1.0);
  constexpr double softness = 0.34;  // lets the rows stand out
  return mixed(mixed(kGrey, sum, std::sqrt(certainty)), kWhite, softness);
}

// Colours of size x size points, row by row from the top left.
std::vector<Colour> posterior_colours(const Predictor& predictor, const Square& square,
                                      std::size_t size) {
  std::vector<float> points;
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t x = 0; x < size; ++x) {
      const double step = square.side / static_cast<double>(size);
      points.push_back(static_cast<float>(square.left + step * (static_cast<double>(x) + 0.5)));
      points.push_back(static_cast<float>(square.top - step * (static_cast<double>(y) + 0.5)));
    }
  }
  const Predictions answers = predictor.predict_rows(points);
  const std::span<const double> means(answers.mean);
  std::vector<Colour> colours;
  for (std::size_t n = 0; n < answers.rows; ++n) {
    colours.push_back(posterior_colour(means.subspan(n * answers.outputs, answers.outputs)));
  }
  return colours;
}

class PanelPainter {
 public:
  PanelPainter(Picture& picture, const Square& square, std::size_t left, std::size_t top)
      : picture_(picture), square_(square), left_(left), top_(top) {}

  void background(const Predictor& predictor) {
    const std::vector<Colour> colours = posterior_colours(predictor, square_, kPanelSize);
    for (std::size_t n = 0; n < colours.size(); ++n) {
      picture_.at(left_ + n % kPanelSize, top_ + n / kPanelSize) = colours[n];
    }
  }

  void grid() {
    constexpr double spacing = 0.5, strength = 0.35;
    for (double value = std::ceil(square_.left / spacing) * spacing;
         value < square_.left + square_.side; value += spacing) {
      for (std::size_t n = 0; n < kPanelSize; ++n) {
        picture_.blend(pixel_x(value), static_cast<double>(top_ + n), kWhite, strength);
      }
    }
    for (double value = std::floor(square_.top / spacing) * spacing;
         value > square_.top - square_.side; value -= spacing) {
      for (std::size_t n = 0; n < kPanelSize; ++n) {
        picture_.blend(static_cast<double>(left_ + n), pixel_y(value), kWhite, strength);
      }
    }
  }

  void frame() {
    for (std::size_t n = 0; n < kPanelSize; ++n) {
      const double along_x = static_cast<double>(left_ + n),
                   along_y = static_cast<double>(top_ + n);
      constexpr double last = kPanelSize - 1;
      picture_.blend(along_x, static_cast<double>(top_), kDark, 0.5);
      picture_.blend(along_x, static_cast<double>(top_) + last, kDark, 0.5);
      picture_.blend(static_cast<double>(left_), along_y, kDark, 0.5);
      picture_.blend(static_cast<double>(left_) + last, along_y, kDark, 0.5);
    }
  }

  void rows(const Dataset& data) {
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double x = pixel_x(double(data.columns[0][row])),
                   y = pixel_y(double(data.columns[1][row]));
      picture_.disc(x, y, 3.1, kDark);
      picture_.disc(x, y, 2.1, kClassColours[data.labels[row]]);
    }
  }

 private:
  double pixel_x(double value) const {
    return static_cast<double>(left_) + (value - square_.left) / square_.side * kPanelSize;
  }
  double pixel_y(double value) const {
    return static_cast<double>(top_) + (square_.top - value) / square_.side * kPanelSize;
  }

  Picture& picture_;
  const Square& square_;
  std::size_t left_, top_;
};

}  // namespace

Picture posterior_picture(const std::vector<Panel>& panels, const Dataset& training_rows) {
  const Square square = square_around(training_rows);
  Picture picture(panels.size() * (kPanelSize + kMargin) + kMargin,
                  kTitleHeight + kPanelSize + kMargin, kWhite);
  for (std::size_t n = 0; n < panels.size(); ++n) {
    const std::size_t left = kMargin + n * (kPanelSize + kMargin);
    PanelPainter painter(picture, square, left, kTitleHeight);
    painter.background(*panels[n].predictor);
    painter.grid();
    painter.rows(training_rows);
    painter.frame();
    const std::size_t indent = (kPanelSize - text_width(panels[n].title, kTitleScale)) / 2;
    picture.text(left + indent, (kTitleHeight - 7 * kTitleScale) / 2, panels[n].title, kTitleScale,
                 kDark);
  }
  return picture;
}

std::string posterior_text(const std::vector<Panel>& panels, const Dataset& training_rows) {
  constexpr std::size_t size = 24;  // columns, and twice as many half rows as lines
  const Square square = square_around(training_rows);
  std::vector<std::vector<Colour>> colours;
  std::string text;
  for (const Panel& panel : panels) {
    colours.push_back(posterior_colours(*panel.predictor, square, size));
    text += fmt::format("  {:^{}}", panel.title, size);
  }
  const auto levels = [](const Colour& colour) {
    return fmt::format("{:.0f};{:.0f};{:.0f}", 255 * colour.red, 255 * colour.green,
                       255 * colour.blue);
  };
  for (std::size_t y = 0; y < size; y += 2) {
    text += '\n';
    for (const std::vector<Colour>& panel : colours) {
      text += "  ";
      for (std::size_t x = 0; x < size; ++x) {
        text += fmt::format("\033[38;2;{}m\033[48;2;{}m\u2580", levels(panel[y * size + x]),
                            levels(panel[(y + 1) * size + x]));
      }
      text += "\033[0m";
    }
  }
  return text + '\n';
}

}  // namespace coppice
