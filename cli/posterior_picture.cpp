// See posterior_picture.h.
#include "posterior_picture.h"

#include <fmt/format.h>

#include "draw/plane_plot.h"

namespace coppice {
namespace {

constexpr double kRoom = 0.08;

}  // namespace

Drawing posterior_picture(const std::vector<Panel>& panels, const Dataset& training_rows) {
  constexpr double width = 420, height = 430;
  const Window window = window_around(training_rows, kRoom);
  const Schema& schema = training_rows.schema;
  const std::vector<Key> keys = class_keys(schema);
  const double all = width * static_cast<double>(panels.size());
  Drawing drawing{all, height + legend_height(keys, all) + 8, "class posteriors of forests", {}};
  for (std::size_t n = 0; n < panels.size(); ++n) {
    Axes axes(drawing, {width * static_cast<double>(n), 0, width, height},
              {panels[n].title, "", schema.features[0].name, schema.features[1].name});
    draw_plane({*panels[n].predictor, &training_rows, window}, axes);
  }
  draw_legend(drawing, {60, height, all - 80, 0}, keys);
  return drawing;
}

std::string posterior_text(const std::vector<Panel>& panels, const Dataset& training_rows) {
  constexpr std::size_t size = 24;  // columns, and twice as many half rows as lines
  const Window window = window_around(training_rows, kRoom);
  std::vector<Picture> pictures;
  std::string text;
  for (const Panel& panel : panels) {
    pictures.push_back(posterior_pixels(*panel.predictor, window, size, size));
    text += fmt::format("  {:^{}}", panel.title, size);
  }
  const auto levels = [](const Colour& colour) {
    return fmt::format("{:.0f};{:.0f};{:.0f}", 255 * colour.red, 255 * colour.green,
                       255 * colour.blue);
  };
  for (std::size_t y = 0; y < size; y += 2) {
    text += '\n';
    for (const Picture& picture : pictures) {
      text += "  ";
      for (std::size_t x = 0; x < size; ++x) {
        text += fmt::format("\033[38;2;{}m\033[48;2;{}m\u2580", levels(picture.at(x, y)),
                            levels(picture.at(x, y + 1)));
      }
      text += "\033[0m";
    }
  }
  return text + '\n';
}

}  // namespace coppice
