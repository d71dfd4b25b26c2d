// See picture.h.
#include "draw/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "coppice/error.h"

namespace coppice {
namespace {

std::uint8_t byte(float level) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(level, 0.f, 1.f)));
}

double distance_to(const Picture::Segment& s, double x, double y) {
  const double dx = s.x1 - s.x0, dy = s.y1 - s.y0, square = dx * dx + dy * dy;
  const double along =
      square > 0 ? std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / square, 0.0, 1.0) : 0;
  const double ex = x - s.x0 - along * dx, ey = y - s.y0 - along * dy;
  return std::sqrt(ex * ex + ey * ey);
}

// How much of pixel [n, n + 1) lies in [low, high).
double overlap(double n, double low, double high) {
  return std::clamp(std::min(n + 1, high) - std::max(n, low), 0.0, 1.0);
}

}  // namespace

Picture::Picture(std::size_t width, std::size_t height, const Colour& background)
    : width_(width), height_(height), pixels_(width * height, background) {}

void Picture::blend(double x, double y, const Colour& colour, double share) {
  const bool inside =
      x >= 0 && y >= 0 && x < static_cast<double>(width_) && y < static_cast<double>(height_);
  if (!inside || share <= 0) return;
  Colour& pixel = at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
  pixel = mixed(pixel, colour, std::min(share, 1.0));
}

void Picture::disc(double x, double y, double radius, const Paint& paint) {
  segment({x, y, x, y, 2 * radius}, paint);
}

void Picture::segment(const Segment& s, const Paint& paint) {
  const double radius = s.width / 2;
  const double left = std::max(0.0, std::floor(std::min(s.x0, s.x1) - radius - 1)),
               right = std::min(double(width_), std::max(s.x0, s.x1) + radius + 1),
               top = std::max(0.0, std::floor(std::min(s.y0, s.y1) - radius - 1)),
               bottom = std::min(double(height_), std::max(s.y0, s.y1) + radius + 1);
  // A line thinner than a pixel is as faint as it is thin.
  const double strength = paint.opacity * std::min(1.0, s.width);
  const double reach = std::max(radius, 0.5) + 0.5;
  for (double y = top; y < bottom; ++y) {
    for (double x = left; x < right; ++x) {
      const double cover = std::clamp(reach - distance_to(s, x + 0.5, y + 0.5), 0.0, 1.0);
      blend(x, y, paint.colour, strength * cover);
    }
  }
}

void Picture::rectangle(const Rectangle& r, const Paint& paint) {
  for (double y = std::max(0.0, std::floor(r.top)); y < std::min(double(height_), r.bottom); ++y) {
    const double rows = overlap(y, r.top, r.bottom);
    for (double x = std::max(0.0, std::floor(r.left)); x < std::min(double(width_), r.right); ++x) {
      blend(x, y, paint.colour, paint.opacity * rows * overlap(x, r.left, r.right));
    }
  }
}

std::string Picture::png() const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * pixels_.size());
  for (const Colour& pixel : pixels_) {
    for (const float level : {pixel.red, pixel.green, pixel.blue}) bytes.push_back(byte(level));
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string packed(size, '\0');
  if (png_image_write_to_memory(&image, packed.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
    throw Error(ErrorKind::io, fmt::format("the picture cannot be packed: {}", image.message));
  }
  packed.resize(size);
  return packed;
}

}  // namespace coppice
