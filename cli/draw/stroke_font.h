// A plain alphabet of strokes for pictures made of pixels: every printable ASCII character.
#pragma once

#include <string_view>

namespace coppice {

struct Glyph {
  char letter = 0;
  int advance = 0;  // in units, the room to the next letter not counted
  // Points are two characters, x and y, each '0' ... '9', 'a' ... 'g' for 0 ... 16. A space joins
  // a point to the next one, a comma begins anew. y runs down: capitals stand between 0 and 12,
  // small letters between 4 and 12, tails reach 16.
  std::string_view strokes;
};

// A unit is this share of the size of the font, and letters are this many units apart.
inline constexpr double kGlyphUnit = 0.06;
inline constexpr int kGlyphGap = 3;

// An empty box for everything else.
const Glyph& glyph_of(char letter);

}  // namespace coppice
