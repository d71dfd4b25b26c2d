#include "split/draw_boxes.h"

#include <algorithm>

namespace coppice {
namespace {

// The first place of a stretch of random length that has this place in it.
std::uint32_t draw_start(std::uint32_t place, std::uint32_t length, std::uint32_t size,
                         RandomStream& random) {
  const auto before = static_cast<std::uint32_t>(random.below(length));
  return std::min(place - std::min(place, before), size - length);
}

std::uint32_t draw_length(std::uint32_t most, RandomStream& random) {
  return 1 + static_cast<std::uint32_t>(random.below(most));
}

}  // namespace

DrawBoxes::DrawBoxes(FeatureGrid grid, std::uint32_t most_side,
                     std::span<const std::uint32_t> usable)
    : grid_(grid),
      most_columns_(std::min(most_side, grid.width)),
      most_rows_(std::min(most_side, grid.height)),
      usable_(std::size_t{grid.width} * grid.height) {
  for (const std::uint32_t feature : usable) usable_[feature] = true;
}

DrawBoxes::Box DrawBoxes::around(std::uint32_t feature, RandomStream& random) const {
  const std::uint32_t columns = draw_length(most_columns_, random);
  const std::uint32_t rows = draw_length(most_rows_, random);
  const std::uint32_t left = draw_start(feature % grid_.width, columns, grid_.width, random);
  const std::uint32_t top = draw_start(feature / grid_.width, rows, grid_.height, random);
  return {left, top, columns, rows};
}

template <class ShareOf>
void DrawBoxes::add(const Box& box, ShareOf&& share_of, TermSource& source, RandomStream& random,
                    Projection& projection) const {
  for (std::uint32_t y = box.top; y < box.top + box.rows; ++y) {
    for (std::uint32_t x = box.left; x < box.left + box.columns; ++x) {
      const std::uint32_t feature = y * grid_.width + x;
      const double share = share_of(x, y);
      if (usable_[feature] && share != 0) source.add(projection, feature, share, random);
    }
  }
}

// Each box lies around a feature that was drawn, so that weights of features count. Boxes that
// cancel each other leave the first one by itself.
void DrawBoxes::operator()(TermSource& source, RandomStream& random, Projection& projection) const {
  const std::span<const std::uint32_t> drawn = source.draw(2, random);
  const Box plus = around(drawn.front(), random), minus = around(drawn.back(), random);
  const auto difference = [&](std::uint32_t x, std::uint32_t y) {
    return plus.share() - (minus.has(x, y) ? minus.share() : 0);
  };
  const auto rest = [&](std::uint32_t x, std::uint32_t y) {
    return plus.has(x, y) ? 0 : -minus.share();
  };
  add(plus, difference, source, random, projection);
  add(minus, rest, source, random, projection);
  if (projection.axis_aligned())
    add(
        plus, [&](auto, auto) { return plus.share(); }, source, random, projection);
}

}  // namespace coppice
