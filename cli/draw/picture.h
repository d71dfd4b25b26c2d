// A canvas of pixels: lines, discs, boxes and words with soft edges, saved as PNG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "draw/colour.h"

namespace coppice {

class Picture {
 public:
  Picture(std::size_t width, std::size_t height, const Colour& background);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  Colour& at(std::size_t x, std::size_t y) { return pixels_[y * width_ + x]; }
  const Colour& at(std::size_t x, std::size_t y) const { return pixels_[y * width_ + x]; }

  // Mixes the colour into a pixel; outside of the picture nothing happens.
  void blend(double x, double y, const Colour&, double share);

  // A shape and how it is coloured.
  struct Paint {
    Colour colour;
    double opacity = 1;
  };
  void disc(double x, double y, double radius, const Paint&);
  // A segment with round ends.
  struct Segment {
    double x0, y0, x1, y1, width;
  };
  void segment(const Segment&, const Paint&);
  struct Rectangle {
    double left, top, right, bottom;
  };
  void rectangle(const Rectangle&, const Paint&);

  // The file's bytes. Throws Error(io) if they cannot be made.
  std::string png() const;

 private:
  std::size_t width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace coppice
