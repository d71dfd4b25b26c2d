// Drawings as SVG 1.1, with images inside; see drawing.h.
#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "coppice/error.h"
#include "draw/drawing.h"
#include "draw/escape.h"

namespace coppice {
namespace {

constexpr const char* kFonts = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif";

// At most two decimals: a hundredth of a pixel.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string opacity(const char* name, double value) {
  return value < 1 ? fmt::format(" {}=\"{}\"", name, number(value)) : "";
}

std::string stroke_attributes(const Stroke& stroke) {
  return fmt::format(" stroke=\"{}\" stroke-width=\"{}\"{}{}", hex(stroke.colour),
                     number(stroke.width), opacity("stroke-opacity", stroke.opacity),
                     stroke.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

std::string box_attributes(const Box& box) {
  return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.left),
                     number(box.top), number(box.width), number(box.height));
}

std::string element(const ImageShape& shape) {
  return fmt::format(
      "<image{} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      box_attributes(shape.box), base64(shape.pixels.png()));
}

std::string element(const LineShape& shape) {
  std::string points;
  for (const Spot& spot : shape.spots) {
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", number(spot.x), number(spot.y));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\"{}/>\n",
                     points, stroke_attributes(shape.stroke));
}

std::string element(const BoxShape& shape) {
  return fmt::format("<rect{} fill=\"{}\"{}{}/>\n", box_attributes(shape.box),
                     shape.fill ? hex(*shape.fill) : "none", opacity("fill-opacity", shape.opacity),
                     shape.outline ? stroke_attributes(*shape.outline) : "");
}

std::string element(const DiscShape& shape) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}{}/>\n",
                     number(shape.centre.x), number(shape.centre.y), number(shape.radius),
                     hex(shape.fill), opacity("fill-opacity", shape.opacity),
                     shape.outline ? stroke_attributes(*shape.outline) : "");
}

std::string element(const TextShape& shape) {
  const TextStyle& style = shape.style;
  const std::string x = number(shape.at.x), y = number(shape.at.y);
  std::string attributes = fmt::format(" x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", x, y,
                                       number(style.size), hex(style.colour));
  if (style.align == Align::centre) attributes += " text-anchor=\"middle\"";
  if (style.align == Align::right) attributes += " text-anchor=\"end\"";
  if (style.bold) attributes += " font-weight=\"bold\"";
  if (style.upwards) attributes += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
  return fmt::format("<text{}>{}</text>\n", attributes, xml_escaped(shape.words));
}

}  // namespace

std::string svg_text(const Drawing& drawing) {
  const std::string width = number(drawing.width), height = number(drawing.height);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" role=\"img\">\n"
      "<title>{3}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height, kFonts, xml_escaped(drawing.description));
  for (const Shape& shape : drawing.shapes) {
    text += std::visit([](const auto& known) { return element(known); }, shape);
  }
  return text + "</svg>\n";
}

void require_picture_name(const std::string& path) {
  const std::string end = std::filesystem::path(path).extension().string();
  if (end == ".svg" || end == ".png") return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("-o {}: the name of a picture ends in .svg or .png", path));
}

void save(const Drawing& drawing, const std::string& path) {
  require_picture_name(path);
  const std::string bytes = path.ends_with(".svg") ? svg_text(drawing) : raster(drawing).png();
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace coppice
