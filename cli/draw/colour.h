// Colours and the palettes of all pictures; both palettes can be told apart by colour-blind
// readers.
#pragma once

#include <cstddef>
#include <string>

namespace coppice {

struct Colour {  // each from 0 to 1
  float red = 0, green = 0, blue = 0;
};

inline constexpr Colour kWhite{1, 1, 1}, kInk{0.13f, 0.14f, 0.17f}, kGrey{0.6f, 0.6f, 0.6f},
    kPale{0.88f, 0.88f, 0.88f};
// What is computed (a mean, a curve) and what it is compared with.
inline constexpr Colour kGreen{0, 0.62f, 0.45f}, kBlue{0, 0.45f, 0.70f}, kRed{0.84f, 0.37f, 0};

// (1 - share) * from + share * to.
Colour mixed(const Colour& from, const Colour& to, double share);

// "#0072b2".
std::string hex(const Colour&);

// Okabe and Ito's seven colours, then darker and lighter ones of the same hues.
Colour class_colour(std::size_t k);

// From dark violet (0) over green to light yellow (1): lightness grows evenly (CIE L* from 15 to
// 93), so that it also reads in grey. Other levels are clamped.
Colour sequential_colour(double level);

// Black or white, whichever reads better on the background.
Colour readable_on(const Colour& background);

}  // namespace coppice
