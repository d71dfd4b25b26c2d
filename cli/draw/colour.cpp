// See colour.h.
#include "draw/colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace coppice {
namespace {

constexpr std::array<Colour, 7> kOkabeIto{{{0, 0.447f, 0.698f},
                                           {0.902f, 0.624f, 0},
                                           {0, 0.620f, 0.451f},
                                           {0.800f, 0.475f, 0.655f},
                                           {0.835f, 0.369f, 0},
                                           {0.337f, 0.706f, 0.914f},
                                           {0.941f, 0.894f, 0.259f}}};

// The transfer function of sRGB.
float encoded(double linear) {
  const double level = std::clamp(linear, 0.0, 1.0);
  return static_cast<float>(level <= 0.0031308 ? 12.92 * level
                                               : 1.055 * std::pow(level, 1 / 2.4) - 0.055);
}

// The inverse of the cube root of CIE L*a*b*.
double unrooted(double t) {
  constexpr double knee = 6.0 / 29;
  return t > knee ? t * t * t : 3 * knee * knee * (t - 4.0 / 29);
}

// CIE L*a*b* (D65) to sRGB.
Colour from_lab(double lightness, double a, double b) {
  const double middle = (lightness + 16) / 116;
  const double x = 0.95047 * unrooted(middle + a / 500), y = unrooted(middle),
               z = 1.08883 * unrooted(middle - b / 200);
  return {encoded(3.2406 * x - 1.5372 * y - 0.4986 * z),
          encoded(-0.9689 * x + 1.8758 * y + 0.0415 * z),
          encoded(0.0557 * x - 0.2040 * y + 1.0570 * z)};
}

int byte(float level) { return static_cast<int>(std::lround(255 * std::clamp(level, 0.f, 1.f))); }

}  // namespace

Colour mixed(const Colour& from, const Colour& to, double share) {
  const auto part = static_cast<float>(share);
  return {from.red + part * (to.red - from.red), from.green + part * (to.green - from.green),
          from.blue + part * (to.blue - from.blue)};
}

std::string hex(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green),
                     byte(colour.blue));
}

Colour class_colour(std::size_t k) {
  const Colour hue = kOkabeIto[k % kOkabeIto.size()];
  const std::size_t round = k / kOkabeIto.size() % 5;
  if (round == 0) return hue;
  const double share = 0.25 * static_cast<double>((round + 1) / 2);
  return mixed(hue, round % 2 == 1 ? kInk : kWhite, share);
}

Colour sequential_colour(double level) {
  const double t = std::clamp(level, 0.0, 1.0);
  constexpr double degree = 3.14159265358979 / 180;
  const double hue = (305 - 200 * t) * degree;
  const double chroma = 42 + 36 * t * t;
  return from_lab(15 + 78 * t, chroma * std::cos(hue), chroma * std::sin(hue));
}

Colour readable_on(const Colour& background) {
  const float luma = 0.299f * background.red + 0.587f * background.green + 0.114f * background.blue;
  return luma > 0.55f ? kInk : kWhite;
}

}  // namespace coppice
