// See axes.h.
#include "draw/axes.h"

#include <algorithm>
#include <cmath>

namespace coppice {
namespace {

constexpr double kTitleSize = 14, kTextSize = 12, kTickSize = 11;
constexpr double kTitleRoom = 22, kNoteRoom = 16, kTickRoom = 18, kLabelRoom = 16;
constexpr double kLeftTicks = 44, kRightRoom = 12, kTopRoom = 6;
constexpr double kTickLength = 4;
constexpr double kKeyHeight = 18, kKeyMark = 22, kKeyGap = 16;

double top_room(const PanelWords& words) {
  return kTopRoom + (words.title.empty() ? 0 : kTitleRoom) + (words.note.empty() ? 0 : kNoteRoom);
}

double key_width(const Key& key) { return kKeyMark + text_room(key.name, kTextSize) + kKeyGap; }

void draw_mark(Drawing& drawing, const Key& key, double x, double y) {
  if (key.mark == Key::Mark::disc) {
    drawing.add(DiscShape{{x + 9, y}, 4.5, key.colour, Stroke{kInk, 0.6, 0.7}});
  } else {
    drawing.add(
        LineShape{{{x, y}, {x + 17, y}}, {key.colour, 2.2, 1, key.mark == Key::Mark::dashes}});
  }
}

// Calls place(key, x, y) for every key, row by row; returns the height.
template <class Place>
double lay_out(const std::vector<Key>& keys, double width, Place place) {
  double x = 0, y = 0;
  for (const Key& key : keys) {
    const double wanted = key_width(key);
    if (x > 0 && x + wanted > width) {
      x = 0;
      y += kKeyHeight;
    }
    place(key, x, y);
    x += wanted;
  }
  return keys.empty() ? 0 : y + kKeyHeight;
}

// Liang and Barsky: the part of a segment inside the box; false if there is none.
bool clip(const Box& box, Spot& from, Spot& to) {
  double enter = 0, leave = 1;
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double step[] = {-dx, dx, -dy, dy};
  const double room[] = {from.x - box.left, box.right() - from.x, from.y - box.top,
                         box.bottom() - from.y};
  for (int side = 0; side < 4; ++side) {
    if (step[side] == 0) {
      if (room[side] < 0) return false;
    } else if (step[side] < 0) {
      enter = std::max(enter, room[side] / step[side]);
    } else {
      leave = std::min(leave, room[side] / step[side]);
    }
  }
  if (enter > leave) return false;
  const Spot start = from;
  from = {start.x + enter * dx, start.y + enter * dy};
  to = {start.x + leave * dx, start.y + leave * dy};
  return true;
}

}  // namespace

Axes::Axes(Drawing& drawing, const Box& panel, const PanelWords& words)
    : drawing_(drawing), words_(words), panel_(panel) {
  const double left = kLeftTicks + (words.y.empty() ? 0 : kLabelRoom);
  const double bottom = kTickRoom + (words.x.empty() ? 0 : kLabelRoom) + 2;
  area_ = {panel.left + left, panel.top + top_room(words), panel.width - left - kRightRoom,
           panel.height - top_room(words) - bottom};
}

void Axes::make_square() {
  const double side = std::min(area_.width, area_.height);
  area_.left += std::floor((area_.width - side) / 2);
  area_.width = area_.height = side;
}

void Axes::set_ranges(const Range& x, const Range& y) {
  x_ = {x, area_.left, area_.right()};
  y_ = {y, area_.bottom(), area_.top};
}

void Axes::finish() {
  finish(ticks(x_.domain, std::max(2, static_cast<int>(area_.width / 70))),
         ticks(y_.domain, std::max(2, static_cast<int>(area_.height / 50))));
}

void Axes::finish(const std::vector<Tick>& x, const std::vector<Tick>& y) {
  const Stroke thin{kInk, 1, 0.8};
  drawing_.add(BoxShape{area_, {}, thin});
  for (const Tick& tick : x) {
    const double place = x_(tick.value);
    drawing_.add(LineShape{{{place, area_.bottom()}, {place, area_.bottom() + kTickLength}}, thin});
    drawing_.text({place, area_.bottom() + kTickLength + 12}, tick.label,
                  {kTickSize, kInk, Align::centre});
  }
  for (const Tick& tick : y) {
    const double place = y_(tick.value);
    drawing_.add(LineShape{{{area_.left - kTickLength, place}, {area_.left, place}}, thin});
    drawing_.text({area_.left - kTickLength - 3, place + 4}, tick.label,
                  {kTickSize, kInk, Align::right});
  }
  const Spot middle = area_.centre();
  double line = area_.top - top_room(words_) + kTopRoom;
  const double room = std::min(panel_.width - 4, 2 * (middle.x - panel_.left) - 4);
  if (!words_.title.empty()) {
    line += kTitleRoom;
    drawing_.text({middle.x, line - 7}, fitted(words_.title, kTitleSize * 1.1, room),
                  {kTitleSize, kInk, Align::centre, true});
  }
  if (!words_.note.empty()) {
    drawing_.text({middle.x, line + kNoteRoom - 7}, fitted(words_.note, kTextSize, room),
                  {kTextSize, mixed(kInk, kWhite, 0.25), Align::centre});
  }
  drawing_.text({middle.x, area_.bottom() + kTickRoom + kLabelRoom - 2},
                fitted(words_.x, kTextSize, area_.width), {kTextSize, kInk, Align::centre});
  drawing_.text({area_.left - kLeftTicks + 2, middle.y}, fitted(words_.y, kTextSize, area_.height),
                {kTextSize, kInk, Align::centre, false, true});
}

void Axes::curve(const std::vector<Spot>& data, const Stroke& stroke) {
  std::vector<Spot> run;
  const auto flush = [&] {
    if (run.size() > 1) drawing_.add(LineShape{std::move(run), stroke});
    run.clear();
  };
  for (std::size_t n = 1; n < data.size(); ++n) {
    Spot from = at(data[n - 1].x, data[n - 1].y), to = at(data[n].x, data[n].y);
    const Spot start = from;
    if (!clip(area_, from, to)) {
      flush();
      continue;
    }
    if (from.x != start.x || from.y != start.y) flush();
    if (run.empty()) run.push_back(from);
    run.push_back(to);
  }
  flush();
}

void Axes::disc(double x, double y, double radius, const Colour& fill, double opacity) {
  const Spot centre = at(x, y);
  const bool inside = centre.x >= area_.left && centre.x <= area_.right() &&
                      centre.y >= area_.top && centre.y <= area_.bottom();
  if (inside) drawing_.add(DiscShape{centre, radius, fill, Stroke{kInk, 0.7, opacity}, opacity});
}

std::size_t drawn_step(std::size_t rows) {
  constexpr std::size_t most = 5000;
  return std::max<std::size_t>(1, (rows + most - 1) / most);
}

double draw_legend(Drawing& drawing, const Box& room, const std::vector<Key>& keys) {
  return lay_out(keys, room.width, [&](const Key& key, double x, double y) {
    const double middle = room.top + y + kKeyHeight / 2;
    draw_mark(drawing, key, room.left + x, middle);
    drawing.text({room.left + x + kKeyMark, middle + 4},
                 fitted(key.name, kTextSize, room.width - kKeyMark), {kTextSize});
  });
}

double legend_height(const std::vector<Key>& keys, double width) {
  return lay_out(keys, width, [](const Key&, double, double) {});
}

}  // namespace coppice
