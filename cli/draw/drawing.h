// A picture as a list of shapes, in units of a pixel from the top left; written as SVG or PNG.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "draw/picture.h"

namespace coppice {

struct Spot {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  Spot centre() const { return {left + width / 2, top + height / 2}; }
};

struct Stroke {
  Colour colour = kInk;
  double width = 1;
  double opacity = 1;
  bool dashed = false;
};

enum class Align { left, centre, right };

struct TextStyle {
  double size = 12;
  Colour colour = kInk;
  Align align = Align::left;
  bool bold = false;
  bool upwards = false;  // read from bottom to top
};

struct ImageShape {  // pixels fill the box without smoothing
  Box box;
  Picture pixels;
};
struct LineShape {
  std::vector<Spot> spots;
  Stroke stroke;
};
struct BoxShape {
  Box box;
  std::optional<Colour> fill;
  std::optional<Stroke> outline;
  double opacity = 1;  // of the fill
};
struct DiscShape {
  Spot centre;
  double radius = 1;
  Colour fill;
  std::optional<Stroke> outline;
  double opacity = 1;  // of the fill
};
struct TextShape {
  Spot at;  // on the baseline
  std::string words;
  TextStyle style;
};
using Shape = std::variant<ImageShape, LineShape, BoxShape, DiscShape, TextShape>;

struct Drawing {
  double width = 0, height = 0;
  std::string description;  // for readers who cannot see it
  std::vector<Shape> shapes;

  void add(Shape shape) { shapes.push_back(std::move(shape)); }
  void text(const Spot& at, std::string words, const TextStyle& style = {}) {
    add(TextShape{at, std::move(words), style});
  }
};

// Pixels that words take in a PNG, and the room that the font of any SVG viewer will do with.
double text_width(std::string_view words, double size);
double text_room(std::string_view words, double size);

// Words cut to the room, with ".." in place of what is left out.
std::string fitted(std::string_view words, double size, double width);

std::string svg_text(const Drawing&);
// Two pixels per unit, or fewer if the picture would have more than 40 million.
Picture raster(const Drawing&);

// Throws Error(invalid_option) unless the name ends in .svg or .png.
void require_picture_name(const std::string& path);
// By the end of the name; whole or not at all. Throws Error(io).
void save(const Drawing&, const std::string& path);

}  // namespace coppice
