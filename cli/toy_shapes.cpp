// See toy_shapes.h.
#include "toy_shapes.h"

#include <fmt/format.h>

namespace coppice {

const std::map<std::string, ToyShape>& toy_shapes() {
  static const std::map<std::string, ToyShape> names{
      {"blobs", ToyShape::blobs},
      {"spirals", ToyShape::spirals},
      {"moons", ToyShape::moons},
      {"rings", ToyShape::rings},
      {"corners", ToyShape::corners},
      {"bars", ToyShape::bars},
      {"pairs", ToyShape::pairs},
      {"arms", ToyShape::arms},
      {"friedman1", ToyShape::friedman1},
      {"friedman2", ToyShape::friedman2},
      {"friedman3", ToyShape::friedman3},
      {"two-piece-line", ToyShape::two_piece_line},
      {"line", ToyShape::line},
      {"parabola", ToyShape::parabola},
      {"parabola-and-line", ToyShape::parabola_and_line},
      {"three-pieces", ToyShape::three_pieces},
      {"sine-with-gap", ToyShape::sine_with_gap},
      {"sideways-s", ToyShape::sideways_s},
      {"s-curve", ToyShape::s_curve},
      {"swiss-roll", ToyShape::swiss_roll},
      {"fir-tree", ToyShape::fir_tree},
  };
  return names;
}

std::string generate_command_line(const ToyOptions& options, const std::string& file) {
  std::string name;
  for (const auto& [known, shape] : toy_shapes()) {
    if (shape == options.shape) name = known;
  }
  const ToyOptions usual;
  std::string command = fmt::format("coppice generate {} --rows {}", name, options.rows);
  if (options.classes != usual.classes) command += fmt::format(" --classes {}", options.classes);
  if (options.noise != usual.noise) command += fmt::format(" --noise {}", options.noise);
  if (options.noise_features != usual.noise_features) {
    command += fmt::format(" --noise-features {}", options.noise_features);
  }
  if (options.labels != usual.labels) command += fmt::format(" --labels {}", options.labels);
  if (options.seed != usual.seed) command += fmt::format(" --seed {}", options.seed);
  return command + " -o " + file;
}

}  // namespace coppice
