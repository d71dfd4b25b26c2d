// See picture.h.
#include "picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/atomic_file.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr std::size_t kGlyphWidth = 5, kGlyphHeight = 7;

struct Glyph {
  char letter;
  std::array<const char*, kGlyphHeight> rows;
};

constexpr std::array<Glyph, 14> kGlyphs{{
    {'0', {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "  #  ", "  #  ", " #   ", " #   "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "}},
    {'t', {" #   ", " #   ", "#### ", " #   ", " #   ", " #  #", "  ## "}},
    {'r', {"     ", "     ", "# ## ", "##  #", "#    ", "#    ", "#    "}},
    {'e', {"     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "}},
    {'s', {"     ", "     ", " ####", "#    ", " ### ", "    #", "#### "}},
}};

const Glyph* find_glyph(char letter) {
  for (const Glyph& glyph : kGlyphs) {
    if (glyph.letter == letter) return &glyph;
  }
  return nullptr;
}

std::uint8_t byte(double level) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(level, 0.0, 1.0)));
}

}  // namespace

Colour mixed(const Colour& from, const Colour& to, double share) {
  return {from.red + share * (to.red - from.red), from.green + share * (to.green - from.green),
          from.blue + share * (to.blue - from.blue)};
}

Picture::Picture(std::size_t width, std::size_t height, const Colour& background)
    : width_(width), height_(height), pixels_(width * height, background) {}

void Picture::blend(double x, double y, const Colour& colour, double share) {
  const bool inside =
      x >= 0 && y >= 0 && x < static_cast<double>(width_) && y < static_cast<double>(height_);
  if (!inside) return;
  Colour& pixel = at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
  pixel = mixed(pixel, colour, std::clamp(share, 0.0, 1.0));
}

void Picture::disc(double x, double y, double radius, const Colour& colour) {
  for (double row = std::floor(y - radius) - 1; row <= y + radius + 1; ++row) {
    for (double column = std::floor(x - radius) - 1; column <= x + radius + 1; ++column) {
      const double distance = std::hypot(column + 0.5 - x, row + 0.5 - y);
      blend(column, row, colour, radius + 0.5 - distance);
    }
  }
}

void Picture::text(std::size_t x, std::size_t y, std::string_view words, std::size_t scale,
                   const Colour& colour) {
  for (const char letter : words) {
    const Glyph* const glyph = find_glyph(letter);
    for (std::size_t n = 0; glyph != nullptr && n < kGlyphWidth * kGlyphHeight * scale * scale;
         ++n) {
      const std::size_t column = n % (kGlyphWidth * scale), row = n / (kGlyphWidth * scale);
      if (glyph->rows[row / scale][column / scale] != '#') continue;
      blend(static_cast<double>(x + column), static_cast<double>(y + row), colour, 1);
    }
    x += (kGlyphWidth + 1) * scale;
  }
}

std::size_t text_width(std::string_view words, std::size_t scale) {
  return words.empty() ? 0 : (words.size() * (kGlyphWidth + 1) - 1) * scale;
}

void Picture::save_png(const std::string& path) const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * pixels_.size());
  for (const Colour& pixel : pixels_) {
    for (const double level : {pixel.red, pixel.green, pixel.blue}) bytes.push_back(byte(level));
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string packed(size, '\0');
  if (png_image_write_to_memory(&image, packed.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
    throw Error(ErrorKind::io, fmt::format("{}: {}", path, image.message));
  }
  AtomicFile file(path);
  file.write(std::string_view(packed).substr(0, size));
  file.commit();
}

}  // namespace coppice
