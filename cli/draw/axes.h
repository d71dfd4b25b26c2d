// A panel of a drawing: a plotting area with title, axes and legend, and the way from data to
// paper.
#pragma once

#include <string>
#include <vector>

#include "draw/drawing.h"
#include "draw/scale.h"

namespace coppice {

// Words of a panel; empty ones take no room.
struct PanelWords {
  std::string title = {};
  std::string note = {};  // a smaller line below the title
  std::string x = {}, y = {};
};

struct Key {  // an entry of a legend
  std::string name;
  Colour colour;
  enum class Mark { disc, line, dashes } mark = Mark::disc;
};

class Axes {
 public:
  // `panel` is the room for everything, words included.
  Axes(Drawing&, const Box& panel, const PanelWords&);

  // What is left for the data.
  const Box& area() const { return area_; }
  // The largest square in it, centred, becomes the area.
  void make_square();

  void set_ranges(const Range& x, const Range& y);
  const Range& x_range() const { return x_.domain; }
  const Range& y_range() const { return y_.domain; }
  Spot at(double x, double y) const { return {x_(x), y_(y)}; }

  // Ticks, labels, words and the frame; drawn last, so that nothing covers them.
  void finish(const std::vector<Tick>& x, const std::vector<Tick>& y);
  void finish();

  void image(Picture pixels) { drawing_.add(ImageShape{area_, std::move(pixels)}); }
  // Parts outside of the area are cut off.
  void curve(const std::vector<Spot>& data, const Stroke&);
  void disc(double x, double y, double radius, const Colour& fill, double opacity = 1);
  Drawing& drawing() { return drawing_; }

 private:
  Drawing& drawing_;
  PanelWords words_;
  Box panel_, area_;
  Scale x_, y_;
};

// Of many rows every so many-th is drawn, so that a picture has 5,000 discs at most.
std::size_t drawn_step(std::size_t rows);

// One line per row of keys, as many as fit side by side; returns the height that was used.
double draw_legend(Drawing&, const Box& room, const std::vector<Key>&);
double legend_height(const std::vector<Key>&, double width);

}  // namespace coppice
