// The figures of the gallery about regression on one feature. A paper's depth D counts levels of
// nodes: --max-depth is D - 1.
#include "gallery_table.h"

namespace coppice {
namespace {

using enum PanelView;

constexpr const char* kCriminisi = "Criminisi, Shotton, Konukoglu 2012, figure ";
constexpr const char* kEinfalt = "Einfalt 2014, figure ";

// --- Data ----------------------------------------------------------------------------------------

constexpr ToyOptions curve(ToyShape shape, std::size_t rows = 120) {
  return {.shape = shape, .rows = rows, .noise = 0.03};
}
constexpr ToyOptions kTwoPieces = curve(ToyShape::two_piece_line);

// --- Figures -------------------------------------------------------------------------------------

// All rows in every tree, a few random thresholds per node.
std::string randomised(const std::string& size) {
  return size + " --bagging none --random-thresholds 20 --min-samples-leaf 4";
}

GalleryFigure forest_size() {
  return {"criminisi-4.6",
          std::string(kCriminisi) + "4.6",
          "The size of the forest",
          "The paper: D = 2, leaves that are lines, T = 1, 8 and 400. Here: constant leaves, so "
          "D = 4.",
          "One tree changes its mind at one place of the gap; with more trees the mean (green) "
          "crosses the gap smoothly and the density shows both possibilities. Constant leaves "
          "make steps along the slopes.",
          3,
          {{"T = 1", density, kTwoPieces, randomised("--trees 1 --max-depth 3")},
           {"T = 8", density, kTwoPieces, randomised("--trees 8 --max-depth 3")},
           {"T = 400", density, kTwoPieces, randomised("--trees 400 --max-depth 3")}}};
}

GalleryFigure depth() {
  return {"criminisi-4.7",
          std::string(kCriminisi) + "4.7",
          "The depth of the trees",
          "T = 400, D = 1 and 5; leaves that are lines in the paper, constant here.",
          "D = 1 is one leaf for all rows: it underfits. With D = 5 the density follows the rows; "
          "D = 9 follows their noise.",
          3,
          {{"D = 1", density, kTwoPieces, "--trees 400 --max-depth 0 --bagging none"},
           {"D = 5", density, kTwoPieces, randomised("--trees 400 --max-depth 4")},
           {"D = 9", density, kTwoPieces,
            "--trees 400 --max-depth 8 --bagging none --random-thresholds 5"}}};
}

GalleryFigure smoothness() {
  const std::string forest = randomised("--trees 400 --max-depth 6");
  return {"criminisi-4.8",
          std::string(kCriminisi) + "4.8",
          "Smooth means, several modes",
          "T = 400, D = 7; leaves that are lines in the paper, constant here.",
          "In the gaps the mean (green) is smooth, the mode (dashed) jumps, and the density has "
          "two branches: the forest knows that it does not know which one is right.",
          2,
          {{"sine with a gap", density, curve(ToyShape::sine_with_gap), forest},
           {"three pieces", density, curve(ToyShape::three_pieces), forest},
           {"parabola and line", density, curve(ToyShape::parabola_and_line), forest},
           {"two pieces", density, kTwoPieces, forest}}};
}

GalleryFigure against_gaussian_processes() {
  const std::string forest = randomised("--trees 400 --max-depth 6");
  return {"criminisi-4.9",
          std::string(kCriminisi) + "4.9",
          "Between and beyond the rows",
          "T = 400, D = 7. The paper compares with Gaussian processes; this is its forest, with "
          "constant leaves.",
          "In the gaps the density has two branches, which no Gaussian process shows. Beyond the "
          "rows constant leaves go on as they are; leaves that are lines grow less certain.",
          3,
          {{"line", density, {.shape = ToyShape::line, .rows = 120, .noise = 0.015}, forest},
           {"sine with a gap", density, curve(ToyShape::sine_with_gap), forest},
           {"parabola and line", density, curve(ToyShape::parabola_and_line), forest}}};
}

GalleryFigure ambiguous() {
  return {"criminisi-4.10",
          std::string(kCriminisi) + "4.10",
          "Ambiguous rows",
          "T = 400, D = 7; constant leaves here. For x around 1/2 the rows have several y.",
          "The mean runs through the middle, where no row is; the density is wide there: the "
          "forest says that it is uncertain, while a Gaussian process would be sure.",
          1,
          {{"several y for one x", density, curve(ToyShape::sideways_s, 200),
            "--trees 400 --max-depth 6 --bagging none --random-thresholds 10 --min-samples-leaf "
            "12"}}};
}

// Splits by the entropy of lines, and lines at the leaves: what the thesis calls OR.
std::string by_lines(const std::string& size) {
  return size +
         " --criterion probabilistic-linear --leaf probabilistic-linear "
         "--min-samples-leaf 5";
}

GalleryFigure single_tree() {
  return {"einfalt-6.1",
          std::string(kEinfalt) + "6.1",
          "A single tree with lines and with constant leaves",
          "One tree without randomness: split by lines with lines at its leaves, two splits deep; "
          "with constant leaves, two and six splits deep.",
          "Two splits suffice for lines. Constant leaves make stairs: two splits deep they are "
          "coarse, six splits deep they follow the parabola and its noise.",
          3,
          {{"lines, two splits deep", density, curve(ToyShape::parabola),
            by_lines("--trees 1 --max-depth 2 --bagging none")},
           {"constants, two splits deep", density, curve(ToyShape::parabola),
            "--trees 1 --max-depth 2 --bagging none"},
           {"constants, six splits deep", density, curve(ToyShape::parabola),
            "--trees 1 --max-depth 6 --bagging none"}}};
}

GalleryFigure lines_beyond_the_rows() {
  const std::string forest =
      randomised("--trees 200 --max-depth 3") + " --min-samples-leaf 8 --leaf probabilistic-linear";
  return {"criminisi-4.6-lines",
          std::string(kCriminisi) + "4.6 and 4.9",
          "Leaves that are lines",
          "T = 1 and 200, D = 4; the lines have the variance of their coefficients "
          "(Einfalt, eq. 3.30). Splits by the variance of the targets, not by that of the lines.",
          "One tree is made of lines with breaks; many trees cross the gap smoothly. Away from "
          "the rows the density widens: the leaves know less there.",
          3,
          {{"one tree", density, kTwoPieces,
            "--trees 1 --max-depth 3 --bagging none --min-samples-leaf 8 --leaf "
            "probabilistic-linear"},
           {"200 trees", density, kTwoPieces, forest},
           {"sine with a gap", density, curve(ToyShape::sine_with_gap), forest}}};
}

GalleryFigure lines_in_trees() {
  return {"einfalt-5.1",
          std::string(kEinfalt) + "5.1 and 5.2",
          "Splits by lines and splits by constants",
          "One tree without randomness and five randomised trees, lines at all leaves. OR: split "
          "by the entropy of lines, two splits deep. SO: split by the variance of the targets, "
          "four splits deep.",
          "Splits by lines find the turn of the parabola and need half the depth; the single SO "
          "tree has more breaks. Five trees make both alike.",
          4,
          {{"OR, one tree", density, curve(ToyShape::parabola),
            by_lines("--trees 1 --max-depth 2 --bagging none")},
           {"SO, one tree", density, curve(ToyShape::parabola),
            "--trees 1 --max-depth 4 --bagging none --leaf probabilistic-linear "
            "--min-samples-leaf 5"},
           {"OR, five trees", density, curve(ToyShape::parabola),
            by_lines("--trees 5 --max-depth 2 --bagging none --random-thresholds 5")},
           {"SO, five trees", density, curve(ToyShape::parabola),
            "--trees 5 --max-depth 4 --bagging none --random-thresholds 5 --leaf "
            "probabilistic-linear --min-samples-leaf 5"}}};
}

GalleryFigure forest_of_trees() {
  return {
      "einfalt-6.2",
      std::string(kEinfalt) + "6.2",
      "Forests with lines and with constant leaves",
      "25 trees: split by lines with lines at the leaves, three splits deep, randomised; with "
      "constant leaves, six splits deep, bagging. One tree of the latter for comparison.",
      "On the parabola both forests are alike, and the stairs of the single tree are gone. Into "
      "the gap between the two groups of rows lines carry both on until they meet; constants "
      "cross it in a single step.",
      3,
      {{"lines, 25 trees", density, curve(ToyShape::parabola_and_line),
        by_lines("--trees 25 --max-depth 3 --bagging none --random-thresholds 5")},
       {"constants, one tree", density, curve(ToyShape::parabola_and_line),
        "--trees 1 --max-depth 6"},
       {"constants, 25 trees", density, curve(ToyShape::parabola_and_line),
        "--trees 25 --max-depth 6"}}};
}

}  // namespace

std::vector<GalleryFigure> regression_figures() {
  return {forest_size(),
          lines_beyond_the_rows(),
          depth(),
          smoothness(),
          against_gaussian_processes(),
          ambiguous(),
          lines_in_trees(),
          single_tree(),
          forest_of_trees()};
}

}  // namespace coppice
