// The figures of the gallery about manifolds. Depths as in gallery_classification.cpp.
#include "gallery_table.h"

namespace coppice {
namespace {

using enum PanelView;

constexpr const char* kCriminisi = "Criminisi, Shotton, Konukoglu 2012, figure ";

constexpr ToyOptions kCurve{.shape = ToyShape::s_curve, .rows = 1000, .noise = 0.03};
constexpr ToyOptions kRoll{.shape = ToyShape::swiss_roll, .rows = 1500, .noise = 0.01};
constexpr ToyOptions kTree{.shape = ToyShape::fir_tree, .rows = 1500, .noise = 0.01};

GalleryFigure forest_size() {
  return {
      "criminisi-6.4",
      std::string(kCriminisi) + "6.4",
      "Position along a curve",
      "T = 1, 10 and 100: rows of an S in three dimensions, seen from the side, coloured by the "
      "first coordinate that the forest finds.",
      "One tree knows its leaves only: colours at random. With more trees the colour changes "
      "slowly along the S, and never jumps from bend to bend.",
      3,
      {{"T = 1", mapped, kCurve, "--trees 1"},
       {"T = 10", mapped, kCurve, "--trees 10"},
       {"T = 100", mapped, kCurve, "--trees 100"}}};
}

GalleryFigure unrolled() {
  return {
      "criminisi-6.5",
      std::string(kCriminisi) + "6.5",
      "A roll, unrolled",
      "T = 5, 20 and 100: the two coordinates of a Swiss roll, coloured by the true position "
      "along it.",
      "With enough trees the rows are one band, from one end of the roll to the other: neighbours "
      "on the sheet are neighbours here. It bends because the roll is much longer than it is wide.",
      3,
      {{"T = 5", embedding, kRoll, "--trees 5"},
       {"T = 20", embedding, kRoll, "--trees 20"},
       {"T = 100", embedding, kRoll, "--trees 100"}}};
}

GalleryFigure seen_again() {
  return {
      "criminisi-6.6",
      std::string(kCriminisi) + "6.6",
      "The roll, coloured by what was found",
      "T = 100: rows seen along the axis of the roll, coloured by their first coordinate; and "
      "an S.",
      "The colour changes slowly along the sheet, and not by way of the gap between its layers.",
      2,
      {{"Swiss roll", mapped, kRoll, "--trees 100"}, {"S", mapped, kCurve, "--trees 100"}}};
}

GalleryFigure tree() {
  return {
      "criminisi-6.7",
      std::string(kCriminisi) + "6.7",
      "A sheet wound up to a tree",
      "T = 100: a sheet whose inner turns stand above the outer ones, seen from above and coloured "
      "by the first coordinate; and its two coordinates, coloured by the true position along it.",
      "On the left the colour changes slowly from the top to the foot, though the turns are near "
      "each other; on the right the sheet lies flat, no turn upon another. At the foot the colour "
      "turns back a little: there the second coordinate goes on.",
      2,
      {{"from above", mapped, kTree, "--trees 100"},
       {"flattened", embedding, kTree, "--trees 100"}}};
}

GalleryFigure dimension() {
  return {
      "criminisi-6.8",
      std::string(kCriminisi) + "6.8",
      "How many dimensions",
      "T = 100: eigenvalues of the normalised Laplacian, from the smallest.",
      "How fast they grow gives the dimension of the sheet, 2, drawn as a line; the paper looks "
      "for an elbow there.",
      2,
      {{"Swiss roll", eigenvalues, kRoll, "--trees 100"},
       {"S", eigenvalues, kCurve, "--trees 100"}}};
}

}  // namespace

std::vector<GalleryFigure> manifold_figures() {
  return {forest_size(), unrolled(), seen_again(), tree(), dimension()};
}

}  // namespace coppice
