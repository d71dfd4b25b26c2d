// A small canvas: pixels, discs, lines and a few words, saved as PNG.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

struct Colour {  // each from 0 to 1
  double red = 0, green = 0, blue = 0;
};

// (1 - share) * from + share * to.
Colour mixed(const Colour& from, const Colour& to, double share);

class Picture {
 public:
  Picture(std::size_t width, std::size_t height, const Colour& background);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  Colour& at(std::size_t x, std::size_t y) { return pixels_[y * width_ + x]; }
  const Colour& at(std::size_t x, std::size_t y) const { return pixels_[y * width_ + x]; }

  // Mixes the colour into a pixel; outside of the picture nothing happens.
  void blend(double x, double y, const Colour&, double share);
  // With soft edges.
  void disc(double x, double y, double radius, const Colour&);
  // Digits and the small letters of "trees"; every letter is 5 x 7 squares of `scale` pixels.
  void text(std::size_t x, std::size_t y, std::string_view words, std::size_t scale, const Colour&);

  // Whole or not at all; throws Error(io).
  void save_png(const std::string& path) const;

 private:
  std::size_t width_, height_;
  std::vector<Colour> pixels_;
};

// Pixels of the width of text().
std::size_t text_width(std::string_view words, std::size_t scale);

}  // namespace coppice
