// Drawings as pixels; see drawing.h. Words are drawn with the strokes of stroke_font.h.
#include <algorithm>
#include <cmath>

#include "draw/drawing.h"
#include "draw/stroke_font.h"

namespace coppice {
namespace {

int coordinate(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

class Rasterizer {
 public:
  Rasterizer(const Drawing& drawing, double scale)
      : scale_(scale),
        picture_(static_cast<std::size_t>(std::ceil(drawing.width * scale)),
                 static_cast<std::size_t>(std::ceil(drawing.height * scale)), kWhite) {
    for (const Shape& shape : drawing.shapes) {
      std::visit([&](const auto& known) { draw(known); }, shape);
    }
  }
  Picture result() && { return std::move(picture_); }

 private:
  void draw(const ImageShape& shape) {
    const double left = std::round(shape.box.left * scale_),
                 top = std::round(shape.box.top * scale_),
                 width = std::round(shape.box.right() * scale_) - left,
                 height = std::round(shape.box.bottom() * scale_) - top;
    for (double y = 0; y < height; ++y) {
      for (double x = 0; x < width; ++x) {
        const auto from_x =
            static_cast<std::size_t>((x + 0.5) / width * double(shape.pixels.width()));
        const auto from_y =
            static_cast<std::size_t>((y + 0.5) / height * double(shape.pixels.height()));
        picture_.blend(left + x, top + y, shape.pixels.at(from_x, from_y), 1);
      }
    }
  }

  void draw(const LineShape& shape) {
    for (std::size_t n = 1; n < shape.spots.size(); ++n) {
      if (shape.stroke.dashed) {
        dashes(shape.spots[n - 1], shape.spots[n], shape.stroke);
      } else {
        segment(shape.spots[n - 1], shape.spots[n], shape.stroke);
      }
    }
  }

  void draw(const BoxShape& shape) {
    const Box& box = shape.box;
    if (shape.fill) {
      picture_.rectangle(
          {box.left * scale_, box.top * scale_, box.right() * scale_, box.bottom() * scale_},
          {*shape.fill, shape.opacity});
    }
    if (shape.outline) {
      draw(LineShape{{{box.left, box.top},
                      {box.right(), box.top},
                      {box.right(), box.bottom()},
                      {box.left, box.bottom()},
                      {box.left, box.top}},
                     *shape.outline});
    }
  }

  void draw(const DiscShape& shape) {
    const double x = shape.centre.x * scale_, y = shape.centre.y * scale_;
    double radius = shape.radius * scale_;
    if (shape.outline) {
      const double half = shape.outline->width * scale_ / 2;
      picture_.disc(x, y, radius + half, {shape.outline->colour, shape.outline->opacity});
      radius -= half;
    }
    picture_.disc(x, y, radius, {shape.fill, shape.opacity});
  }

  void draw(const TextShape& shape) {
    const TextStyle& style = shape.style;
    const double width = text_width(shape.words, style.size);
    double along = style.align == Align::left    ? 0
                   : style.align == Align::right ? -width
                                                 : -width / 2;
    const double unit = kGlyphUnit * style.size;
    for (const char letter : shape.words) {
      if (continues_character(letter)) continue;
      const Glyph& glyph = glyph_of(letter);
      strokes(glyph, shape, along);
      along += (glyph.advance + kGlyphGap) * unit;
    }
  }

  // Baselines are at 12 units.
  void strokes(const Glyph& glyph, const TextShape& shape, double along) {
    const double unit = kGlyphUnit * shape.style.size;
    const Stroke pen{shape.style.colour, (shape.style.bold ? 0.12 : 0.085) * shape.style.size};
    Spot last;
    bool down = false;
    for (std::size_t n = 0; n + 1 < glyph.strokes.size(); n += 3) {
      const double x = along + unit * coordinate(glyph.strokes[n]),
                   y = unit * (coordinate(glyph.strokes[n + 1]) - 12);
      const Spot next = shape.style.upwards ? Spot{shape.at.x + y, shape.at.y - x}
                                            : Spot{shape.at.x + x, shape.at.y + y};
      if (down) segment(last, next, pen);
      last = next;
      down = n + 2 < glyph.strokes.size() && glyph.strokes[n + 2] == ' ';
    }
  }

  void dashes(const Spot& from, const Spot& to, const Stroke& stroke) {
    constexpr double dash = 5, period = 9;
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const auto at = [&](double along) {
      const double share = length > 0 ? std::min(along / length, 1.0) : 0;
      return Spot{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    for (double start = -dash_phase_; start < length; start += period) {
      if (start + dash > 0) segment(at(std::max(start, 0.0)), at(start + dash), stroke);
    }
    dash_phase_ = std::fmod(dash_phase_ + length, period);
  }

  void segment(const Spot& from, const Spot& to, const Stroke& stroke) {
    picture_.segment(
        {from.x * scale_, from.y * scale_, to.x * scale_, to.y * scale_, stroke.width * scale_},
        {stroke.colour, stroke.opacity});
  }

  double scale_;
  Picture picture_;
  double dash_phase_ = 0;  // carries the pattern across the corners of a line
};

}  // namespace

double text_width(std::string_view words, double size) {
  double units = 0;
  for (const char letter : words) {
    if (!continues_character(letter)) units += glyph_of(letter).advance + kGlyphGap;
  }
  return units * kGlyphUnit * size;
}

double text_room(std::string_view words, double size) {
  constexpr double widest_font = 1.12;
  return widest_font * text_width(words, size);
}

std::string fitted(std::string_view words, double size, double width) {
  if (text_room(words, size) <= width) return std::string(words);
  std::string cut(words);
  while (!cut.empty() && text_room(cut + "..", size) > width) {
    while (!cut.empty() && continues_character(cut.back())) cut.pop_back();
    if (!cut.empty()) cut.pop_back();
  }
  return cut + "..";
}

Picture raster(const Drawing& drawing) {
  constexpr double most_pixels = 40e6, wanted = 2;
  const double scale =
      std::min(wanted, std::sqrt(most_pixels / std::max(1.0, drawing.width * drawing.height)));
  return Rasterizer(drawing, scale).result();
}

}  // namespace coppice
